"""However an entry is written in TOML, every accessor gives the same."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest
from package_copy import copied_package, printed

DIGEST = """
import json
from roofline_app import registry
from roofline_app.calibration.fit.measured_rows import sources
from roofline_app.calibration.fit.settings import priors, robust_error
from roofline_app.export import plain
from roofline_app.text import LANGUAGES, language_name, language_tag, sentence

every = ("acceptances", "drafters", "drafter_kinds", "formats", "gpus", "layouts", "models",
         "networks", "presets", "profiles", "routings")
ids = ("acceptance_ids", "drafter_ids", "engine_ids", "gpu_ids", "model_ids", "profile_ids")
models, kinds = registry.model_ids(), registry.drafter_kinds()
found = {name: getattr(registry, name)() for name in (*every, *ids)}
print(json.dumps(plain({
    **{name: list(entries.items()) if name in every else entries for name, entries in found.items()},
    "engines": [registry.engine(key) for key in registry.engine_ids()],
    "labels": list(registry.model_labels().items()),
    "twins": [registry.twin_of(registry.model(key).dimensions).id for key in models],
    "drafters for": [getattr(registry.drafter_for(key, kind), "id", "") for key in models for kind in kinds],
    "layouts for": [registry.layout_for(key, model, 8) for key in registry.engine_ids() for model in models],
    "sources": list(sources().items()),
    "fit": [list(priors().items()), robust_error()],
    "languages": [(key, language_tag(key), language_name(key), sentence("page.title", key)) for key in LANGUAGES],
})))
"""
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name, re.ASCII) else json.dumps(name, ensure_ascii=False)


def _text(value: str) -> str:
    return f"'{value}'" if "'" not in value and "\n" not in value else json.dumps(value, ensure_ascii=False)


def _inline(value: object) -> str:
    """Write a value on one line: text in single quotes where that can be, digits in groups."""
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_inline(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool | date):
        return str(value).lower()
    return f"{value:_}" if isinstance(value, int) else repr(value)


def _over_lines(value: object) -> str:
    """Write a list over lines, a comment behind each value; a date is one of TOML's own."""
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_inline(inner)},  # [not a table]\n" for inner in value) + "]"
    if isinstance(value, str) and DATE.fullmatch(value):
        return date.fromisoformat(value).isoformat()
    return _inline(value)


def in_inline_tables(tables: Mapping[str, object]) -> str:
    """Write every entry as an inline table."""
    return "".join(f"{_key(key)} = {_inline(table)}\n" for key, table in tables.items())


def in_dotted_keys(tables: Mapping[str, object]) -> str:
    """Write every field of an entry under a dotted key."""
    lines = []
    for key, table in tables.items():
        if isinstance(table, Mapping):
            lines += [f"{_key(key)} . {_key(name)} = {_inline(value)}" for name, value in table.items()]
        else:
            lines.append(f"{_key(key)} = {_inline(table)}")
    return "\n".join(lines)


def in_commented_lines(tables: Mapping[str, object]) -> str:
    """Write tables under spaced, quoted headings, with comments behind them and behind every value."""
    lines = [f"{_key(key)}={_over_lines(value)}" for key, value in tables.items() if not isinstance(value, Mapping)]
    for key, table in tables.items():
        if isinstance(table, Mapping):
            lines.append(f'\n  [ {json.dumps(key, ensure_ascii=False)} ]  # as its card says: name = "x"')
            lines += [f'  {json.dumps(name)}={_over_lines(value)}  # = "no value"' for name, value in table.items()]
    return "\n".join(lines)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> object:
    folder = tmp_path_factory.mktemp("as-written")
    copied_package(folder)
    return printed(folder, DIGEST)


@pytest.mark.parametrize("respelt", [in_inline_tables, in_dotted_keys, in_commented_lines])
def test_every_accessor_gives_the_same_however_the_files_are_written(
    respelt: Callable[[Mapping[str, object]], str], expected: object, tmp_path: Path
) -> None:
    for file in copied_package(tmp_path).rglob("*.toml"):
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
        file.write_text(respelt(tables), encoding="utf-8")
    assert printed(tmp_path, DIGEST) == expected
