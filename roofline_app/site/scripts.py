"""The page's scripts as browsers get them: modules bundled, all of them minified, by a pinned esbuild."""

from __future__ import annotations

import json
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from roofline_app.site.compilation import Compiler, archive, keep, unpacked
from roofline_app.site.python_files import Files, key

PAGE = "page.js"
WORKER = "worker.js"
_WORKER_SOURCE = "worker/worker.js"
_SERVER_ONLY = "panel-session.js"  # of the page on a Panel server
_LATE = ("shared-python.js", _SERVER_ONLY)  # modules that the page asks for where it needs them, by their address
_CLASSIC = (
    "early.js",
    "embed-policy.js",
    "embed.js",
    "guard.js",
    "service-worker.js",
)  # each run as it is, not a module
_INTERPRETER, _PACKAGE = "pyodide.mjs", "pyodide"
_FOR_NODE = ("node:*", "ws")  # what Pyodide's loader takes there
_TARGET = "es2022"
_STEP = Path(__file__).with_name("bundle.mjs")
_TYPES = {"type": "module"}  # esbuild reads what a folder's scripts are from its package.json


class ScriptError(RuntimeError):
    """A script cannot be bundled; the message has place and reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scripts:
    """Scripts to ship.

    Attributes:
        site: Scripts by the name under which a site serves them; modules are bundled.
        single: The page's and the worker's scripts as classic ones, by the same names: no module loads from a file.
    """

    site: Files
    single: Files


def is_script(name: str) -> bool:
    """Return whether a file of `static/` is a script that browsers get."""
    return name.endswith(".js") and not name.endswith(".config.js")


def bundled(sources: Mapping[str, bytes], compiler: Compiler, esbuild: Path) -> Scripts:
    """Return the scripts made from those of `static/`; made before from the same sources, they come from the cache.

    Args:
        sources: Scripts by path below `static/`.
        compiler: Node, and Pyodide, whose loader becomes part of the worker's script.
        esbuild: Archive of npm's `esbuild-wasm`.

    Raises:
        ScriptError: For what esbuild does not understand, by file and line.
    """
    own = {
        _INTERPRETER: compiler.pyodide[_INTERPRETER],
        "step": _STEP.read_bytes(),
        "this": Path(__file__).read_bytes(),
    }
    made_from = {**{f"static/{name}": text for name, text in sources.items()}, **own, "esbuild": esbuild.read_bytes()}
    result = compiler.cache / f"scripts-{key(made_from)}.zip"
    if not result.is_file():
        keep(result, archive(_made(sources, compiler, esbuild), zipfile.ZIP_STORED))
    files = unpacked(result.read_bytes())
    return Scripts(site=_below(files, "site/"), single=_below(files, "single/"))


def _below(files: Mapping[str, bytes], folder: str) -> Files:
    return {name.removeprefix(folder): text for name, text in files.items() if name.startswith(folder)}


def _jobs(names: Mapping[str, bytes], work: Path) -> list[dict[str, object]]:
    """Return esbuild's options for each of its runs."""
    common = {
        "absWorkingDir": str(work),
        "minify": True,
        "target": _TARGET,
        "charset": "utf8",
        "logLevel": "warning",
    }
    entries = {"page": f"static/{PAGE}", "worker": f"static/{_WORKER_SOURCE}"}
    bundles = {
        "bundle": True,
        "entryPoints": entries,
        "alias": {_PACKAGE: str(work / _INTERPRETER)},
        "external": [*_FOR_NODE, *(f"./{name}" for name in _LATE)],
    }
    classic = [f"static/{name}" for name in _CLASSIC if name in names]
    late = [f"static/{name}" for name in _LATE if name in names and name != _SERVER_ONLY]
    return [
        {**common, **bundles, "format": "esm", "outdir": "site"},
        {**common, **bundles, "format": "iife", "outdir": "single"},
        {**common, "entryPoints": classic, "outdir": "site"},
        {**common, "entryPoints": late, "format": "esm", "outdir": "site"},
    ]


def _made(sources: Mapping[str, bytes], compiler: Compiler, esbuild: Path) -> Files:
    """Run esbuild; return what it writes."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        with tarfile.open(esbuild) as packed:
            packed.extractall(work / "esbuild", filter="data")
        for name, text in sources.items():
            path = work / "static" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
        (work / _INTERPRETER).write_bytes(compiler.pyodide[_INTERPRETER])
        (work / "package.json").write_text(json.dumps(_TYPES), encoding="utf-8")
        (work / "jobs.json").write_text(json.dumps(_jobs(sources, work)), encoding="utf-8")
        command = [compiler.node, str(_STEP), str(work / "esbuild" / "package"), str(work / "jobs.json")]
        ended = subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if ended.returncode or ended.stderr:
            raise ScriptError(ended.stderr or ended.stdout)
        made = [path for top in ("site", "single") for path in sorted((work / top).rglob("*")) if path.is_file()]
        return {path.relative_to(work).as_posix(): path.read_bytes() for path in made}
