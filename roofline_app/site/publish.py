"""The site of a checkout, all files of it."""

from __future__ import annotations

from pathlib import Path

from roofline_app.command.guide import NAME as GUIDE, guide
from roofline_app.command.schemas import FOLDER, schema_files
from roofline_app.site import assemble, fetch, headers, share_pages, single_file
from roofline_app.site.compilation import Compiler


def compiler(pins: fetch.Pins, node: str, npm: list[str]) -> Compiler:
    """Return the compiler of the pinned interpreter.

    Args:
        pins: Pinned inputs.
        node: Command that starts node.
        npm: Command that starts npm.
    """
    return Compiler(node=node, pyodide=fetch.pyodide_files(pins, npm), cache=fetch.cache_folder())


def sources(root: Path, chosen: Compiler, npm: list[str], base_url: str = "") -> assemble.Sources:
    """Return the sources of a checkout's site.

    Args:
        root: The checkout.
        chosen: Compiles the package.
        npm: Command that starts npm.
        base_url: Where the site will be published; empty leaves that open.
    """
    pins = fetch.Pins.read(root / "pyproject.toml")
    return assemble.Sources(
        package=root / "roofline_app",
        static=root / "static",
        wheel=fetch.numpy_wheel(pins, chosen.pyodide),
        decoder=fetch.zstandard_decoder(pins, npm),
        esbuild=fetch.esbuild(pins, npm),
        pins=pins,
        base_url=base_url,
    )


def all_files(wanted: assemble.Sources, chosen: Compiler) -> dict[str, bytes]:
    """Return the site's files by address: the page, its presets, the site as one file, schemas, guide, headers."""
    files = assemble.site_files(wanted, chosen)
    index = files["index.html"].decode()
    files |= share_pages.Shares(index=index, static=wanted.static, base_url=wanted.base_url).files()
    files |= for_programs()
    files[single_file.NAME] = single_file.single_file(files, assemble.scripts(wanted, chosen).single)
    files[headers.NAME] = headers.headers_file(files, wanted.base_url)
    return files


def for_programs() -> dict[str, bytes]:
    """Return what programs and agents read of a site, by address: the guide and the schemas that it names."""
    return {GUIDE: guide().encode(), **{f"{FOLDER}/{name}": content for name, content in schema_files().items()}}
