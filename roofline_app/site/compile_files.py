"""Compiles the files of an archive; run inside Pyodide by `compile.mjs`. Imports the standard library only."""

import importlib.util
import marshal
import zipfile
from pathlib import PurePosixPath

UNCHECKED_HASH = 1
NO_DOCSTRINGS = 2


def compiled(name: str, source: bytes) -> bytes:
    """Return the .pyc of a module, valid whatever the time of its source.

    numpy keeps its docstrings, which it edits at import.
    """
    level = 0 if name.startswith("numpy/") else NO_DOCSTRINGS
    code = compile(source, name, "exec", optimize=level, dont_inherit=True)
    flags = UNCHECKED_HASH.to_bytes(4, "little")
    return importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(source) + marshal.dumps(code)


def compile_archive(source: str, target: str) -> None:
    """Write an archive in which each importable .py of another is a .pyc.

    A file that does not compile (a template, a fixture) stays as it is.
    """
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist()):
            content = old.read(name)
            path = PurePosixPath(name)
            if path.suffix == ".py" and all(part.isidentifier() for part in path.with_suffix("").parts):
                name, content = _compiled_or_as_it_is(name, content)  # noqa: PLW2901 (one file, under its new name)
            new.writestr(zipfile.ZipInfo(name), content)


def _compiled_or_as_it_is(name: str, content: bytes) -> tuple[str, bytes]:
    """Return a module's .pyc under its name, or the file itself where it does not compile."""
    try:
        return f"{name}c", compiled(name, content)
    except SyntaxError:
        return name, content
