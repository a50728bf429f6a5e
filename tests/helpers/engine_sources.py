"""Sources of the serving engines in the versions that commands are checked against, in a cache folder, read as text.

`python -m tests.helpers.engine_sources` fetches what is missing: of each package that pip names, only the files that
say which options there are. Nothing of an engine is installed or run.
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from roofline_app import registry

FILES = {
    "vllm": r"^vllm/(engine|config|benchmarks|v1/spec_decode)/.*\.py$",
    "sglang": r"^sglang/(srt/server_args\.py|srt/arg_groups/.*\.py|benchmark/.*\.py)$",
}
COMMAND = "python -m tests.helpers.engine_sources"
# What marks a folder that holds all of these files; more may be there.
MARKS = ("options", "done")


def source_folder(engine: str) -> Path:
    """Return where an engine's sources are kept, of the version that its commands are checked against."""
    cache = Path(os.environ.get("ROOFLINE_CACHE") or Path.home() / ".cache")
    return cache / "roofline-engines" / f"{engine}-{registry.engine(engine).version}"


def missing_sources(engine: str) -> str:
    """Return why an engine's sources cannot be read; empty where they can."""
    folder = source_folder(engine)
    name = f"{registry.engine(engine).name} {registry.engine(engine).version}"
    known = any((folder / mark).exists() for mark in MARKS)
    return "" if known else f"the sources of {name} are not in {folder}: {COMMAND} fetches them"


def source(engine: str, path: str) -> str:
    """Return the text of one file, by its path inside the package."""
    return (source_folder(engine) / engine / path).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Option:
    """An option as a parser defines it: its names, the type of its values, and which of them it takes."""

    names: tuple[str, ...]
    kind: str
    choices: tuple[str, ...]
    several: bool

    def refusal(self, values: list[str]) -> str:
        """Return why the parser refuses these values; empty where it takes them."""
        expected = 0 if self.kind == "bool" else 1
        if len(values) != expected and not (self.several and values):
            return f"takes {expected} values, not {values}"
        if self.kind == "int" and not all(re.fullmatch(r"-?\d+", value) for value in values):
            return f"takes whole numbers, not {values}"
        wrong = [value for value in values if self.choices and value not in self.choices]
        return f"takes one of {self.choices}, not {wrong}" if wrong else ""


def _texts(node: ast.AST | None) -> tuple[str, ...]:
    listed = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    return tuple(part.value for part in listed if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _field_option(field: str, annotation: ast.Subscript) -> Option | None:
    """Return the option that SGLang derives of `field: A[type, help or Arg(...)]`."""
    parts = annotation.slice
    if not isinstance(parts, ast.Tuple) or len(parts.elts) < 2:
        return None
    declared, meta = ast.unparse(parts.elts[0]), parts.elts[1]
    given = {word.arg: word.value for word in meta.keywords} if isinstance(meta, ast.Call) else {}
    if "no_cli" in given:
        return None
    own = given.get("cli_name")
    name = own.value if isinstance(own, ast.Constant) else "--" + field.replace("_", "-")
    inner = re.sub(r"^Optional\[(.*)\]$", r"\1", declared)
    kind = "bool" if "action" in given or inner == "bool" else "int" if re.search(r"\bint\b", inner) else "str"
    several = inner.startswith("List[") and "type_parser" not in given
    return Option((str(name), *_texts(given.get("aliases"))), kind, _texts(given.get("choices")), several)


def sglang_options() -> dict[str, Option]:
    """Return the options of SGLang's server, by each of their names."""
    found = dict[str, Option]()
    folder = source_folder("sglang") / "sglang" / "srt" / "arg_groups" / "fields"
    for file in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Subscript):
                option = _field_option(ast.unparse(node.target), node.annotation)
                found |= dict.fromkeys(option.names, option) if option else {}
    return found


def named_options(engine: str, *paths: str) -> set[str]:
    """Return every option that files name in quotes, as arguments of a parser."""
    return {name for path in paths for name in re.findall(r'"(--?[a-zA-Z][\w-]*)"', source(engine, path))}


def class_node(engine: str, path: str, name: str) -> ast.ClassDef:
    """Return the definition of a class."""
    tree = ast.parse(source(engine, path))
    return next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)


class _Ranges(io.RawIOBase):
    """A file at an address, of which parts are read as they are asked for."""

    def __init__(self, address: str) -> None:
        self.address, self.position = address, 0
        with urllib.request.urlopen(urllib.request.Request(address, method="HEAD")) as answer:
            self.length = int(answer.headers["Content-Length"])

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.length}[whence]
        self.position = start + offset
        return self.position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        last = min(self.position + len(buffer), self.length) - 1
        if last < self.position:
            return 0
        wanted = {"Range": f"bytes={self.position}-{last}"}
        with urllib.request.urlopen(urllib.request.Request(self.address, headers=wanted)) as answer:
            part = answer.read()
        buffer[: len(part)] = part
        self.position += len(part)
        return len(part)


def _package_address(package: str, version: str) -> str:
    words = ["install", "--dry-run", "--ignore-installed", "--no-deps", "--quiet", "--report", "-"]
    made = subprocess.run(
        [sys.executable, "-m", "pip", *words, f"{package}=={version}"], check=True, capture_output=True, text=True
    )
    return str(json.loads(made.stdout)["install"][0]["download_info"]["url"])


def fetch() -> Iterator[str]:
    """Fetch missing sources; yields what was done, a line for each engine."""
    for engine, wanted in FILES.items():
        spec, folder = registry.engine(engine), source_folder(engine)
        if not missing_sources(engine):
            yield f"{spec.name} {spec.version}: {folder}"
            continue
        remote = io.BufferedReader(_Ranges(_package_address(spec.package, spec.version)), buffer_size=1 << 20)
        with zipfile.ZipFile(remote) as package:
            names = [name for name in package.namelist() if re.search(wanted, name)]
            package.extractall(folder, names)
        (folder / MARKS[0]).touch()
        yield f"{spec.name} {spec.version}: {len(names)} files fetched to {folder}"


if __name__ == "__main__":
    for line in fetch():
        print(line)  # noqa: T201 - the answer of a command
