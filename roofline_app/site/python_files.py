"""The Python files that browsers get: the page's packages, numpy, the standard library and the application.

Files are bytes by path below `site-packages` (or below the standard library's root). Only what an import could need
is kept; no tests, no type stubs, no JavaScript sources, no native code of the build machine.
"""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path

Files = dict[str, bytes]

_UNWANTED_ENDS = (".pyi", ".ts", ".tsx", ".map", ".c", ".h", ".a", ".pxd", ".pyx", ".less", ".so", ".pyd", ".exe")
_UNWANTED = re.compile(
    r"(^|/)(tests?|__pycache__|node_modules|include|examples|sampledata)/"
    r"|^bokeh/(server/static|sphinxext|command)/"
    r"|^pyviz_comms/labextension/static/|^narwhals/_(dask|spark_like|duckdb|ibis|polars|arrow)/"
    r"|^panel/(dist|package|theme/css/.*\.map)/"
    r"|^bokeh/_sri/"
    r"|^panel/template/.*\.(css|html|svg|png)$"
    r"|^numpy/(f2py|distutils|doc|_pyinstaller|testing|ma/tests|_core/lib|_core/include)/"
    r"|^(\.\./)"
)
_NOT_OF_THE_PAGE = ("__main__.py", "command", "site", "page/method")
_KEPT_METADATA = ("/METADATA",)
_UNWANTED_LIBRARY = re.compile(
    r"^(test|pydoc_data|idlelib|tkinter|turtledemo|lib2to3|ensurepip|distutils|curses|dbm|xmlrpc|sqlite3|venv"
    r"|turtle\.py|pydoc\.py|doctest\.py|_pyrepl|pyodide_console\.py)(/|$)"
)


def installed(distributions: Iterable[str]) -> Files:
    """Return the files of installed distributions.

    Args:
        distributions: Names of distributions, all installed in this environment.
    """
    files: Files = {}
    for name in distributions:
        distribution = metadata.distribution(name)
        own_hashes = f"bokeh/_sri/{distribution.version}.json"
        for entry in distribution.files or ():
            path = entry.as_posix()
            if _wanted(path) or path == own_hashes:
                files[path] = Path(str(entry.locate())).read_bytes()
    return files


def _wanted(path: str) -> bool:
    """Return whether a file of a distribution could be needed in the browser."""
    if ".dist-info/" in path:
        return path.endswith(_KEPT_METADATA)
    return not path.endswith(_UNWANTED_ENDS) and not _UNWANTED.search(path)


def wheel(path: Path) -> Files:
    """Return the files of a WebAssembly wheel, its side modules included."""
    with zipfile.ZipFile(path) as archive:
        return {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.endswith("/") and (_wanted(name) or (name.endswith(".so") and not _UNWANTED.search(name)))
        }


def standard_library(archive: bytes) -> Files:
    """Return the modules of Pyodide's standard library archive that a page could import."""
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        return {
            name: source.read(name)
            for name in source.namelist()
            if not name.endswith("/") and not _UNWANTED_LIBRARY.search(name)
        }


def application(package: Path) -> Files:
    """Return the application's own files: everything but the command and the build steps."""
    return {
        path.relative_to(package.parent).as_posix(): path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file()
        and "__pycache__" not in path.parts
        and not any(path.is_relative_to(package / name) for name in _NOT_OF_THE_PAGE)
    }


def key(files: Mapping[str, bytes]) -> str:
    """Return a hash of names and contents, the same for the same files in any order."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(f"{name}\0{len(files[name])}\0".encode())
        digest.update(files[name])
    return digest.hexdigest()[:16]
