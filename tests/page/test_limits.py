"""One set of limits for links and boxes; within them every figure, table, working, poster and file can be made."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from roofline_app import query
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.page import Page
from roofline_app.page.posters import of_link
from roofline_app.query.decoding import HARDWARE, NUMBERS
from roofline_app.query.numbers import Limits

BOXES = {"price": "price"} | {key: key.removeprefix("gpu.") for key in HARDWARE}
REFUSED = ("1e300", "1e-308", "1e-18")


@pytest.mark.parametrize("box", sorted(BOXES.values()))
@pytest.mark.parametrize("typed", REFUSED)
def test_a_box_refuses_what_a_link_does_not_take_and_names_the_range(box: str, typed: str) -> None:
    page = Page("model=qwen3-8b")
    page.widgets[box].value = typed
    (notice,) = page.state()["notices"]
    assert " to " in notice
    assert page.controls.scenario == query.decode("model=qwen3-8b").scenario
    page.widgets["batch"].value = "65"
    assert page.controls.scenario.batch == 65


@pytest.mark.parametrize("price", ["1e-308", "5e-324"])
def test_a_price_that_no_one_pays_is_named_and_the_smallest_is_used(price: str) -> None:
    decoded = query.decode(f"price={price}")
    assert decoded.scenario.price == NUMBERS["price"].smallest
    assert len(decoded.notices) == 1


def ends(limits: Limits) -> st.SearchStrategy[float]:
    """Numbers within limits, their ends above all."""
    low = limits.smallest or limits.least or 1e-3
    inner = st.floats(math.log10(low), math.log10(limits.most)).map(lambda power: 10.0**power)
    return st.sampled_from([limits.least, low, limits.most]) | inner


@st.composite
def links(draw: st.DrawFn) -> str:
    """Links with any of the numbers of a node, its price and its payoff."""
    keys = draw(st.sets(st.sampled_from([*HARDWARE, "price", "traffic", "after", "training", "batch"]), max_size=5))
    limits = {**HARDWARE, **NUMBERS}
    values = {key: draw(ends(limits[key])) for key in sorted(keys)}
    parts = [f"{key}={int(value) if limits[key].whole else value!r}" for key, value in values.items()]
    return "&".join(["model=qwen3-8b", *parts])


def check_finite(value: Any) -> None:
    """Check that a value can be written as JSON that every program reads."""
    json.dumps(value, allow_nan=False)


def check_everything(link: str) -> None:
    page = Page(link)
    for figure in FIGURES:
        for name in ("show", "table", "working"):
            page.handle(name, {"figure": figure, "visible": True, "open": True})
    check_finite(page.state())
    for figure in FIGURES:
        for kind in ("csv", "json"):
            page.handle("save", {"figure": figure, "kind": kind})
            file = page.state()["file"]
            if file and kind == "json":
                assert "Infinity" not in str(file)
    page.handle("save", {"figure": "evaluation", "kind": "json"})
    assert "Infinity" not in str(page.state()["file"])


@pytest.mark.parametrize(
    "link",
    [
        "price=0",
        "price=1e-6&traffic=1&after=9&training=1e6",
        "gpu.bf16=1000",
        "gpu.bandwidth=1e24",
        "price=0&traffic=1",
    ],
)
def test_at_the_ends_of_the_limits_everything_is_drawn(link: str) -> None:
    check_everything(link)
    for figure in ("payoff", "rates", "speedup"):
        assert "<svg" in of_link(f"{link}&figure={figure}")


@pytest.mark.wide
@settings(max_examples=5, deadline=None)
@given(links())
def test_within_the_limits_everything_is_drawn(link: str) -> None:
    check_everything(link)
