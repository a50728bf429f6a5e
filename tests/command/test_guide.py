"""The guide for programs names what there is: every key, part, verb, schema and page, and nothing else."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from roofline_app import registry
from roofline_app.__main__ import main
from roofline_app.command.completion import verbs_of
from roofline_app.command.guide import guide
from roofline_app.command.parser import command_parser
from roofline_app.command.schemas import FOLDER, schema_files
from roofline_app.command.schemas.drafter_parts import PARTS
from roofline_app.query import decode
from roofline_app.query.decoding import KEYS
from roofline_app.scenario import Scenario

STATIC = Path(__file__).resolve().parents[2] / "static"
GUIDE = guide()
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL))
VERBS = {verb.name for verb in verbs_of(command_parser())}
EXAMPLES = re.findall(r"Example: `(.*?)`\.", SECTIONS["Query"])
# Keys that mean something beside others only.
BESIDE = {"prompt": "output=64&", "output": "prompt=64&", "requests": "prompt=64&output=64&"}


def _listed(section: str) -> list[str]:
    return re.findall(r"^- `([\w.-]+)`", section, re.MULTILINE)


def test_every_verb_stands_in_it_with_what_it_does() -> None:
    assert set(_listed(SECTIONS["Commands"])) == VERBS


def test_every_key_and_every_part_of_a_drafter_line_stands_in_it() -> None:
    keys, _, parts = SECTIONS["Query"].partition("A drafter line")
    assert _listed(keys) == list(KEYS)
    assert set(_listed(parts)) == set(PARTS)
    assert all(f"`{kind}`" in parts for kind in registry.drafter_kinds())


def test_there_is_an_example_of_nearly_every_key() -> None:
    shown = {example.partition("=")[0] for example in EXAMPLES}
    assert set(KEYS) - shown <= {"config"}


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_used_as_given(example: str) -> None:
    assert decode(BESIDE.get(example.partition("=")[0], "") + example).notices == ()


@pytest.mark.parametrize("line", re.findall(r"^python -m roofline_app (.*)$", GUIDE, re.MULTILINE))
def test_a_command_runs(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(line)) == 0
    captured = capsys.readouterr()
    assert captured.out
    assert captured.err == ""


def test_every_code_that_looks_like_a_query_is_one() -> None:
    for query in re.findall(r'`\.?/?\??((?:preset|profile)=[\w-]+)`|query="([^"]+)"', GUIDE):
        assert decode("".join(query)).notices == ()


def test_every_address_is_a_file_of_the_site() -> None:
    presets = {f"p/{preset}/" for preset in registry.presets()}
    schemas = {f"{FOLDER}/{name}" for name in schema_files()}
    addresses = re.findall(r"\]\((.*?)\)", GUIDE)
    assert presets | schemas <= set(addresses)
    for address in set(addresses) - presets - schemas:
        assert (STATIC / address).is_file(), address
    for script in re.findall(r'src="(.*?)"', GUIDE):
        assert (STATIC / script).is_file()


def test_it_is_short_plain_text_with_a_title_and_a_summary() -> None:
    lines = GUIDE.splitlines()
    assert lines[0] == "# Speculation roofline"
    assert lines[2].startswith("> ")
    assert len(GUIDE.encode()) < 24_000
    assert "$" not in re.sub(r"\$(?=[\d ]|$)", "", GUIDE)


def test_its_library_example_gives_the_commands_json() -> None:
    (imported, printed) = re.findall(r"`(from roofline_app import [^`]*)`; `([^`]*)`", GUIDE)[0]
    names: dict[str, object] = {}
    exec(imported, names)
    found = eval(printed, names)
    assert found["schema"] == 1
    assert Scenario().model != found["model"]["id"]
