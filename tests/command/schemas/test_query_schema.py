"""The schema of queries says what links take: whatever it admits is used as given, whatever a link holds it admits."""

from __future__ import annotations

import sys
from typing import Any

import pytest

pytest.importorskip("jsonschema")

from against_schemas import wrong
from golden import GOLDEN_LINKS
from hypothesis import given, strategies as st

from roofline_app import registry
from roofline_app.command.schemas import SCHEMAS, query_object, query_text
from roofline_app.command.schemas.drafter_parts import KIND, PARTS
from roofline_app.query import decode, decoding, encode
from roofline_app.query.decoding import KEYS
from roofline_app.query.drafter_lines import part_names

QUERY = SCHEMAS["query"]()
DRAFTER = QUERY["$defs"]["drafter"]
# What only counts beside something else is said by a notice, not by the schema.
BESIDE = {"needs_beside", "no_own_work", "unknown_id", "impossible_length", "not_a_divisor", "beside_config"}


def test_every_key_and_every_part_is_described() -> None:
    assert list(QUERY["properties"]) == list(KEYS)
    assert DRAFTER["properties"].keys() == part_names() | {KIND}
    for schema in (*QUERY["properties"].values(), *DRAFTER["properties"].values()):
        assert schema["description"].endswith(".")


@pytest.mark.parametrize("link", [*GOLDEN_LINKS, *(preset.query for preset in registry.presets().values())])
def test_a_link_is_admitted_and_comes_back_the_same(link: str) -> None:
    keys = query_object(link)
    assert wrong("query", keys) == []
    assert decode(query_text(keys)) == decode(link)
    canonical = encode(decode(link).scenario)
    assert wrong("query", query_object(canonical)) == []


def _values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "anyOf" in schema:
        return st.one_of(*map(_values, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=True)
    least, most = schema["minimum"], schema["maximum"]
    return st.integers(least, most) if schema["type"] == "integer" else st.floats(least, most)


# Files, lists and whole queries inside a key; any repository has a name that the schema admits.
PLAIN = [key for key in KEYS if key not in {"config", "compare", "drafter", "learning", "load", "model"}]


@given(st.fixed_dictionaries({}, optional={key: _values(QUERY["properties"][key]) for key in PLAIN}))
def test_what_is_admitted_is_used_as_given(keys: dict[str, Any]) -> None:
    assert wrong("query", keys) == []
    assert [notice.text for notice in decode(query_text(keys)).notices if notice.reason not in BESIDE] == []


_NUMERIC = {**decoding.NUMBERS, **decoding.HARDWARE}


@pytest.mark.parametrize("key", [key for key, limits in _NUMERIC.items() if limits.smallest])
def test_zero_is_admitted_and_what_links_round_up_is_not(key: str) -> None:
    least = _NUMERIC[key].smallest
    assert wrong("query", {key: 0}) == wrong("query", {key: least}) == []
    for tiny in (least / 2, sys.float_info.min):
        assert wrong("query", {key: tiny})
        assert decode(query_text({key: tiny})).notices


MEASURABLE = [part for part in PARTS if part not in {"survival", "mix", "length", "ranks", "drafter-config"}]


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(list(registry.drafter_kinds())))
    lacking = {
        part
        for rule in DRAFTER["allOf"]
        if kind in rule["if"]["properties"][KIND]["enum"]
        for part in rule["then"]["properties"]
    }
    parts = {
        part: st.text("abc ,=%;:é", max_size=40) if part == "name" else _values(DRAFTER["properties"][part])
        for part in MEASURABLE
        if part not in {"acceptance", *lacking}
    }
    return {KIND: kind, **draw(st.fixed_dictionaries({}, optional=parts))}


@given(lines())
def test_a_line_that_is_admitted_is_used_as_given(line: dict[str, Any]) -> None:
    if len(line.get("name", "").strip()) != len(line.get("name", "")):
        line["name"] = ""
    assert wrong("query", {"drafter": [line]}) == []
    decoded = decode(query_text({"drafter": [line]}))
    assert [notice.text for notice in decoded.notices if notice.reason not in BESIDE] == []
    assert query_object(query_text({"drafter": [line]})) == {"drafter": [line]}


NUMBERS = [part for part, schema in DRAFTER["properties"].items() if "maximum" in str(schema)]


@pytest.mark.parametrize("part", NUMBERS)
def test_the_limits_of_a_part_are_those_of_the_reader(part: str) -> None:
    schema = DRAFTER["properties"][part]
    limits = schema if "maximum" in schema else schema["anyOf"][0]
    beside = {"kind": "block", "passes": 2, "placement": "separate", "topk": 2, "window": 8, "head": "own"}
    beside = {name: value for name, value in beside.items() if name in DRAFTER["properties"]}
    kinds = [
        kind
        for kind in registry.drafter_kinds()
        if wrong("query", {"drafter": [{KIND: kind, part: limits["minimum"]}]}) == []
    ]
    line = {**(beside if "block" in kinds else {KIND: kinds[0], "topk": 2}), part: limits["maximum"]}

    def reasons(value: float) -> set[str]:
        found = decode(query_text({"drafter": [{**line, part: value}]})).notices
        return {notice.reason for notice in found if notice.key == f"drafter.{part}"}

    assert "outside" not in reasons(limits["minimum"]) | reasons(limits["maximum"])
    assert reasons(2 * limits["maximum"]) == {"outside"}


@pytest.mark.parametrize(
    "link",
    [
        "gpu=b2000",
        "batch=0",
        "batch=many",
        "batch=1.5",
        "nonsense=1",
        "kv=int3",
        "drafter=ngram,block=4",
        "drafter=mtp,acceptance=1.2",
        "drafter=magic",
        "drafter=mtp,cost=free",
        "drafter=mtp,length=2.5",
        "figures=speedup,nothing",
        "v=2",
        "&".join(["drafter=mtp"] * 6),
    ],
)
def test_what_a_link_does_not_use_as_given_is_refused(link: str) -> None:
    assert decode(link).notices
    assert wrong("query", query_object(link))


def test_a_line_may_stand_as_in_a_link() -> None:
    assert wrong("query", {"drafter": ["block,acceptance=0.89,cost=0.1,block=16", "mtp"]}) == []
    assert wrong("query", {"drafter": ["block;acceptance=0.89"]})
