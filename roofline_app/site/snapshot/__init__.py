"""The default page, alive: its document for the page's HTML, and the memory in which its twin goes on."""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from roofline_app.page.protocol.manifest import PagesLayout
from roofline_app.site.compilation import Compiler, archive, keep, unpacked
from roofline_app.site.python_files import Files, key

PANEL_ROOT = "panel/"
PAGE_BYTES = 4096
LEVEL = 19
WINDOW_LOG = 26  # the decoder takes a frame in one piece, so that its window may hold all of it
FRAMES = 8  # unpacked while they come; smaller ones compress worse
_STEPS = Path(__file__).parent
_LIBRARIES = ("numpy/_core/_multiarray_umath", "numpy/linalg/_umath_linalg")
_SHARED = ("checksum.js", "side-modules.js", "fs-image.js", "pointers.js")  # modules of the worker
_RESULTS = ("pages.bin", "layout.json", "snapshot.json", "openings.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What the build keeps of the default page.

    Attributes:
        openings: What the browser draws first, by theme; see `browser.opening`.
        language: Language of the page.
        pages: Memory pages that differ from a fresh interpreter's, one after the other, as Zstandard frames.
        frames: Of each frame, its bytes and those of its content.
        layout: Where the pages belong, and how their pointers are written; see `pointers.js`.
        settings: What a restore needs besides, and what must agree.
        site_packages: Folder of the packages in the interpreter's file system.
        libraries: Side modules by path below it, in the order in which they are linked.
    """

    openings: Mapping[str, Any]
    language: str
    pages: bytes
    frames: Sequence[tuple[int, int]]
    layout: PagesLayout
    settings: Mapping[str, Any]
    site_packages: str
    libraries: Mapping[str, bytes]


def _site_packages(compiler: Compiler) -> str:
    version = json.loads(compiler.pyodide["pyodide-lock.json"])["info"]["python"].rpartition(".")[0]
    return f"/lib/python{version}/site-packages"


def linked_libraries(packages: Mapping[str, bytes]) -> Files:
    """Return the side modules that the page loads, in their order."""
    found = {}
    for stem in _LIBRARIES:
        [name] = [name for name in packages if name.startswith(f"{stem}.") and name.endswith(".so")]
        found[name] = packages[name]
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """The Python code of a page.

    Attributes:
        library: Archive of the standard library.
        images: Gzipped images of packages and application, by name.
        packages: Files of the packages, for their side modules.
    """

    library: bytes
    images: Mapping[str, bytes]
    packages: Mapping[str, bytes]


def take(code: Code, static: Path, compiler: Compiler, language: str) -> Snapshot:
    """Return the snapshot of the default page; one taken before of the same inputs comes from the cache.

    Args:
        code: The page's Python.
        static: Folder of the page's files; linking and mounting are shared with the worker.
        compiler: Node and Pyodide.
        language: Language of the page.
    """
    libraries = linked_libraries(code.packages)
    shared = {name: (static / "worker" / name).read_bytes() for name in _SHARED}
    steps = {path.name: path.read_bytes() for path in sorted(_STEPS.iterdir()) if path.suffix in {".mjs", ".py"}}
    inputs = {
        **code.images,
        **shared,
        **steps,
        "library": code.library,
        "interpreter": compiler.pyodide["pyodide.asm.wasm"],
        "language": language.encode(),
    }
    result = compiler.cache / f"snapshot-{key(inputs)}.zip"
    if not result.is_file():
        taken = _taken(code, libraries, shared, compiler, language)
        pages = taken.pop("pages.bin")
        parts = cut(pages)
        frames = [compressed(part) for part in parts]
        sizes = [(len(frame), len(part)) for frame, part in zip(frames, parts, strict=True)]
        taken |= {"pages.zst": b"".join(frames), "frames.json": json.dumps(sizes).encode()}
        keep(result, archive(taken, zipfile.ZIP_STORED))
    files = unpacked(result.read_bytes())
    return Snapshot(
        openings=json.loads(files["openings.json"]),
        language=language,
        pages=files["pages.zst"],
        frames=[(packed, unpacked) for packed, unpacked in json.loads(files["frames.json"])],
        layout=json.loads(files["layout.json"]),
        settings=json.loads(files["snapshot.json"]),
        site_packages=_site_packages(compiler),
        libraries=libraries,
    )


def cut(content: bytes) -> list[bytes]:
    """Return the parts of pages that become frames; each holds whole pages."""
    size = math.ceil(len(content) / FRAMES / PAGE_BYTES) * PAGE_BYTES
    return [content[start : start + size] for start in range(0, len(content), size)]


def compressed(content: bytes) -> bytes:
    """Return a Zstandard frame, as small as it gets, with a checksum."""
    parameters = zstandard.ZstdCompressionParameters.from_level(
        LEVEL, source_size=len(content), window_log=WINDOW_LOG, enable_ldm=True, write_checksum=True
    )
    return zstandard.ZstdCompressor(compression_params=parameters).compress(content)


def _taken(
    code: Code, libraries: Mapping[str, bytes], shared: Mapping[str, bytes], compiler: Compiler, language: str
) -> Files:
    """Run the build steps in node; return what they write."""
    site_packages = _site_packages(compiler)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for name, content in compiler.pyodide.items():
            (work / name).write_bytes(content)
        (work / "library.zip").write_bytes(code.library)
        for name, content in code.images.items():
            (work / f"{name}.image").write_bytes(gzip.decompress(content))
        for number, content in enumerate(libraries.values()):
            (work / f"{number}.so").write_bytes(content)
        (work / "shared").mkdir()
        (work / "shared" / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        for name, content in shared.items():
            (work / "shared" / name).write_bytes(content)
        job = {
            "steps": str(_STEPS),
            "panel": PANEL_ROOT,
            "pageBytes": PAGE_BYTES,
            "language": language,
            "sitePackages": site_packages,
            "images": [f"{name}.image" for name in code.images],
            "library": "library.zip",
            "libraries": [
                {"path": f"{site_packages}/{name}", "file": f"{number}.so"} for number, name in enumerate(libraries)
            ],
        }
        (work / "job.json").write_text(json.dumps(job), encoding="utf-8")
        command = [compiler.node, str(_STEPS / "take.mjs"), str(work)]
        subprocess.run(command, check=True, env={"TZ": "UTC", "PATH": ""})
        return {name: (work / name).read_bytes() for name in _RESULTS}
