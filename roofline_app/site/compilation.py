"""Compiled files in the two shapes that the browser takes: an archive to import from, an image to mount."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from roofline_app.site.python_files import Files, key

_FIRST_DAY = (1980, 1, 1, 0, 0, 0)
_COMPILER = Path(__file__).with_name("compile.mjs")
_COMPILER_FILES = (_COMPILER, Path(__file__).with_name("compile_files.py"))


def archive(files: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip of files, byte-equal for equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for name in sorted(files):
            target.writestr(zipfile.ZipInfo(name, _FIRST_DAY), files[name], compression, 9)
    return buffer.getvalue()


def unpacked(content: bytes) -> Files:
    """Return the files of a zip."""
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        return {name: source.read(name) for name in source.namelist()}


def image(files: Mapping[str, bytes]) -> bytes:
    """Return a gzipped image: length of the index (4 bytes), index, contents one after the other.

    The index is JSON, a list of (path, bytes) in the order of the contents. The worker mounts the contents without a
    copy.
    """
    names = sorted(files)
    index = json.dumps([(name, len(files[name])) for name in names], separators=(",", ":")).encode()
    body = b"".join([len(index).to_bytes(4, "little"), index, *(files[name] for name in names)])
    return gzip.compress(body, compresslevel=9, mtime=0)


def keep(path: Path, content: bytes) -> None:
    """Write a file of the cache whole or not at all, whatever other processes write it."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiler:
    """Compiles with the interpreter that will load the files.

    Attributes:
        node: Command that starts node.
        pyodide: Files of npm's package, by name.
        cache: Folder of earlier results.
    """

    node: str
    pyodide: Mapping[str, bytes]
    cache: Path

    def compiled(self, files: Mapping[str, bytes]) -> Files:
        """Return the files with every module as .pyc; a set seen before comes from the cache."""
        compiler = {path.name: path.read_bytes() for path in _COMPILER_FILES}
        result = self.cache / f"compiled-{key({**files, **compiler, 'stdlib': self.pyodide['python_stdlib.zip']})}.zip"
        if not result.is_file():
            with tempfile.TemporaryDirectory() as folder:
                work = Path(folder)
                for name, content in self.pyodide.items():
                    (work / name).write_bytes(content)
                (work / "input.zip").write_bytes(archive(files, zipfile.ZIP_STORED))
                output = work / "output.zip"
                command = [self.node, str(_COMPILER), str(work), str(work / "input.zip"), str(output)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                keep(result, output.read_bytes())
        return unpacked(result.read_bytes())
