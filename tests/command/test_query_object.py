"""A setting handed over as a JSON object of its keys."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from roofline_app.__main__ import main
from roofline_app.command.schemas import query_object, query_of
from roofline_app.query import decode

KEYS = {
    "model": "qwen3-8b",
    "gpus": 1,
    "price": 1.5,
    "drafter": ["ngram", {"kind": "mtp", "acceptance": 0.8, "name": "a=b"}],
}


def test_an_object_is_what_its_link_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", json.dumps(KEYS)]) == 0
    of_object = capsys.readouterr()
    link = "model=qwen3-8b&gpus=1&price=1.5&drafter=ngram&drafter=mtp,acceptance=0.8,name=a%253Db"
    assert main(["evaluate", link]) == 0
    assert capsys.readouterr() == of_object
    assert of_object.err == ""
    assert [one["name"] for one in json.loads(of_object.out)["drafters"]] == ["N-gram", "a=b"]


def test_a_query_string_stays_as_it_is() -> None:
    assert query_of("?batch=8&x={") == "?batch=8&x={"


@pytest.mark.parametrize("text", ["{", "{batch: 8}", '{"a": ' * 100_000, "{} {}"])
def test_what_is_no_object_is_refused_in_one_line(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", text]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("query: ")
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("keys", "named"),
    [
        ({"batch": "many"}, "batch"),
        ({"batch": [1, 2]}, "batch"),
        ({"batch": True}, "batch"),
        ({"nonsense&batch": 8}, "nonsense&batch"),
        ({"drafter": [{"acceptance": 0.5}]}, "drafter"),
        ({"drafter": [{"kind": "mtp", "speed": 1}]}, "drafter.speed"),
    ],
)
def test_what_it_gets_wrong_is_named(keys: dict[str, Any], named: str) -> None:
    assert named in {notice.key for notice in decode(query_of(json.dumps(keys))).notices}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["batch", "drafter", "model", "price", "x"]), JSON, max_size=4))
def test_any_object_gives_a_setting(keys: dict[str, Any]) -> None:
    decode(query_of(json.dumps(keys)))


@given(st.text(max_size=40))
def test_any_query_string_has_an_object(text: str) -> None:
    assert isinstance(query_object(text), dict)
