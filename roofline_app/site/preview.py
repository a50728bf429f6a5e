"""Pictures for previews of links: posters as PNG, drawn with a pinned rasteriser and a pinned font."""

from __future__ import annotations

from importlib import resources

import resvg_py

PREVIEW_WIDTH = 1200
FAMILY = "Source Sans Pro"
_FACES = ("Regular", "Bold")


def preview(drawing: str) -> bytes:
    """Return an SVG as PNG; the machine's own fonts play no part."""
    folder = resources.files("font_source_sans_pro").joinpath("files")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawing,
            width=PREVIEW_WIDTH,
            skip_system_fonts=True,
            font_files=[str(folder.joinpath(f"SourceSansPro-{face}.ttf")) for face in _FACES],
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )
