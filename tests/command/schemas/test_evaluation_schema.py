"""The schema of evaluations describes what is printed, and nothing else."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

pytest.importorskip("jsonschema")

from against_schemas import wrong
from golden import GOLDEN_LINKS

from roofline_app import registry
from roofline_app.__main__ import main
from roofline_app.command.schemas import SCHEMAS
from roofline_app.command.schemas.types import TypeSchemas
from roofline_app.results import Evaluation, Floats, Integers

SEVERAL = [
    *(f"preset={preset}" for preset in registry.presets()),
    "profile=calibrated&engine=vllm&lang=zh",
    "traffic=1e9&after=3&training=1e5&learning=0:3;1e4:4;1e5:5",
    "traffic=1e9&after=3&price=0",
    "drafter=mtp,mix=0.6:coding;0.4:0.5&drafter=draft,model=qwen3-0.6b,placement=separate&model=qwen3-8b&gpus=1",
    "drafter=ngram,name=%253Cb%253E&gpus=1&model=llama-2-7b&batch=4096&context=1M",
    "nonsense=1&batch=-3",
    "figures=need&drafter=mtp&drafter=block",
    "prompt=1024&output=1024&requests=64",
    "prompt=8192&output=64",
    "model=qwen3-8b&gpus=1&drafter=eagle3,layers=2,width=2048&drafter=eagle3,topk=4,verified=16,cost=physical",
    "drafter=dspark&drafter=suffix&drafter=peagle&drafter=mtp-chain&drafter=domino",
]


def printed(query: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["evaluate", query]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("query", [*GOLDEN_LINKS, *SEVERAL])
def test_what_is_printed_is_described_to_its_last_key(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert wrong("evaluation", printed(query, capsys)) == []


def _spoilt(found: dict[str, Any], change: str) -> dict[str, Any]:
    drafter = found["drafters"][0]
    match change:
        case "a key is missing":
            del drafter["speedup"]
        case "an unknown key":
            drafter["speed"] = 1
        case "a text for a number":
            found["step"]["seconds"] = "5 ms"
        case "an unknown bound":
            found["step"]["components"][0]["bound"] = "magic"
        case "a number in a list of numbers":
            drafter["speedup"][0] = None
        case "a fraction of a token":
            drafter["draft_tokens"][0] = 0.5
        case "another version":
            found["schema"] = 2
    return found


@pytest.mark.parametrize(
    "change",
    [
        "a key is missing",
        "an unknown key",
        "a text for a number",
        "an unknown bound",
        "a number in a list of numbers",
        "a fraction of a token",
        "another version",
    ],
)
def test_anything_else_is_refused(change: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert wrong("evaluation", _spoilt(printed("", capsys), change))


def test_readers_take_keys_of_later_versions() -> None:
    assert "additionalProperties" not in SCHEMAS["evaluation"]()
    assert all("additionalProperties" not in one for one in SCHEMAS["evaluation"]()["$defs"].values())


def test_keys_of_evaluations_are_explained() -> None:
    properties = SCHEMAS["evaluation"]()["properties"]
    assert [key for key, schema in properties.items() if not schema.get("description")] == []
    assert properties.keys() >= Evaluation.__dataclass_fields__.keys() - {"scenario"}


@dataclass(frozen=True)
class Sample:
    """A block that somebody adds.

    Attributes:
        rate: Of something,
            said on two lines; None where there is none.
        pair: Two of them.
        lines: Several.
    """

    rate: float | None
    pair: tuple[int, int]
    lines: tuple[str, ...]
    values: Floats
    counts: Integers
    flags: np.ndarray[Any, np.dtype[np.bool_]]


def test_a_new_block_is_described_from_its_type() -> None:
    types = TypeSchemas(closed=True)
    assert types.of(Sample) == {"$ref": "#/$defs/Sample"}
    found = types.definitions["Sample"]
    assert found["description"] == "A block that somebody adds."
    rate = {"type": ["number", "null"], "description": "Of something, said on two lines; null where there is none."}
    assert found["properties"]["rate"] == rate
    assert found["properties"]["pair"]["maxItems"] == 2
    assert [found["properties"][name]["items"]["type"] for name in ("lines", "values", "counts", "flags")] == [
        "string",
        "number",
        "integer",
        "boolean",
    ]
    assert found["required"] == ["rate", "pair", "lines", "values", "counts", "flags"]


def test_a_type_without_a_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="has no JSON form"):
        TypeSchemas(closed=False).of(complex)
