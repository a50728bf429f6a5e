"""Queries with lists and ranges."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from roofline_app import registry
from roofline_app.evaluation.sweeps import read_settings
from roofline_app.specs import SpecError


def _queries(text: str) -> list[str]:
    settings = read_settings(text)
    return [settings.query(number) for number in range(settings.count)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("batch=1,8,3", ["1", "8", "3"]),
        ("batch=1..512", [str(2**power) for power in range(10)]),
        ("batch=1..500", [str(2**power) for power in range(9)]),
        ("batch=1..64*4", ["1", "4", "16", "64"]),
        ("batch=1..7+3", ["1", "4", "7"]),
        ("context=4k..16k", ["4096", "8192", "16384"]),
        ("batch=1..4,4..8+2", ["1", "2", "4", "6", "8"]),
        ("price=1..2+0.25", ["1", "1.25", "1.5", "1.75", "2"]),
        ("reserve=0.1..0.3+0.1", ["0.1", "0.2", "0.3"]),
        ("batch=5..5", ["5"]),
        ("weights=fp8,fp4", ["fp8", "fp4"]),
        ("weights=experts:fp4,linear:fp8|bf16", ["experts:fp4,linear:fp8", "bf16"]),
        ("drafter=mtp,acceptance=0.8|ngram", ["mtp,acceptance=0.8", "ngram"]),
        ("drafter=mtp,acceptance=0.7..0.9+0.1", [f"mtp,acceptance={chance}" for chance in ("0.7", "0.8", "0.9")]),
        ("drafter=block,survival=0.8:0.6:0.4,block=8..16", [f"block,survival=0.8:0.6:0.4,block={b}" for b in (8, 16)]),
        ("gpu=*", list(registry.gpu_ids())),
        ("compare=batch%3D1,2", ["batch%3D1,2"]),
    ],
)
def test_values_of_one_key(text: str, values: list[str]) -> None:
    key = text.partition("=")[0]
    assert _queries(text) == [f"{key}={value}" for value in values]


def test_every_combination_once_with_the_batch_fastest() -> None:
    assert _queries("batch=1,2&model=a,b&drafter=mtp&drafter=ngram|block") == [
        f"model={model}&drafter=mtp&drafter={second}&batch={batch}"
        for model in "ab"
        for second in ("ngram", "block")
        for batch in (1, 2)
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("bach=1", "bach: not a key of a query (batch?)"),
        ("batch=1&batch=2", "batch: stated twice"),
        ("batch=8..2", "batch: the range 8..2 runs backwards"),
        ("reserve=0..0.5", "reserve: the range 0..0.5 cannot grow from 0"),
        ("batch=1..8+0", "batch: the range 1..8+0 needs a step above 0"),
        ("batch=1..8*1", "batch: the range 1..8*1 needs a factor above 1"),
        ("traffic=1..1e12+1", "traffic: changes no number of a sweep"),
        ("context=1..16m+1", "context: the range 1..16m+1 has more than"),
        ("batch=1,,2", "batch: an empty value"),
        ("theme=light|dark", "theme: changes no number of a sweep"),
    ],
)
def test_what_is_no_sweep_is_refused_by_its_key(text: str, named: str) -> None:
    with pytest.raises(SpecError) as refusal:
        read_settings(text)
    assert str(refusal.value).startswith(named)


@given(first=st.integers(1, 1000), more=st.integers(0, 100000), by=st.integers(2, 9), adds=st.booleans())
def test_ranges_grow_from_their_first_value_and_end_before_the_next(first: int, more: int, by: int, adds: bool) -> None:
    last, sign = first + more, "+" if adds else "*"
    values = [int(query.partition("=")[2]) for query in _queries(f"batch={first}..{last}{sign}{by}")]
    assert values[0] == first
    assert values[-1] <= last < (values[-1] + by if adds else values[-1] * by)
    assert values == sorted(set(values))
