"""Ticks and labels."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from roofline_app.page.figures.axes import (
    draft_axis,
    kept_apart,
    linear_axis,
    power_ticks,
    shortened,
    text_width,
    whole_axis,
)


@given(end=st.floats(1e-9, 1e15))
def test_a_linear_axis_covers_its_end_with_at_most_nine_ticks(end: float) -> None:
    axis = linear_axis(end, "×")
    assert axis.end >= end * (1 - 1e-6)
    assert 2 <= len(axis.ticks) <= 9
    assert len(axis.ticks) == len(axis.labels)


@pytest.mark.parametrize("cap", range(1, 65))
def test_a_draft_axis_has_whole_ticks_and_ends_at_the_cap(cap: int) -> None:
    axis = draft_axis(cap)
    assert axis.end == cap
    assert all(tick == int(tick) for tick in axis.ticks)
    assert len(axis.ticks) <= 9


def test_powers_of_ten_within_the_ends_are_ticks() -> None:
    assert power_ticks(1.0, 1000.0) == (1.0, 10.0, 100.0, 1000.0)
    assert power_ticks(2.0, 99.0) == (10.0,)


@given(wanted=st.lists(st.floats(0, 10), max_size=8), gap=st.floats(0.01, 3))
def test_labels_keep_apart_and_in_order_and_inside(wanted: list[float], gap: float) -> None:
    places = kept_apart(wanted, gap, 0.0, 10.0)
    room = min(gap, 10.0 / max(len(wanted) - 1, 1))
    ordered = sorted(places)
    assert all(after - before >= room * (1 - 1e-6) for before, after in pairwise(ordered))
    assert all(-1e-9 <= place <= 10 + 1e-9 for place in places)
    for (first, a), (second, b) in pairwise(sorted(zip(wanted, places, strict=True))):
        assert first == second or a < b


def test_labels_with_room_stay_where_they_are() -> None:
    assert kept_apart([1.0, 5.0, 3.0], 0.5, 0.0, 10.0) == (1.0, 5.0, 3.0)


def test_a_long_name_is_cut_with_a_sign() -> None:
    assert shortened("Draft model", 82) == "Draft model"
    assert shortened("A drafter with a long name", 82) == "A drafter…"
    assert shortened("WWWWWWWWWWW", 82) == "WWWWW…"
    assert shortened("一个名字很长的草稿器", 82) == "一个名字很…"
    assert all(text_width(shortened("A drafter with a long name", most)) <= most for most in range(12, 200))


@pytest.mark.parametrize("end", range(2, 66))
def test_an_axis_from_one_has_even_steps(end: int) -> None:
    axis = whole_axis(end, 8)
    gaps = [after - before for before, after in pairwise(axis.ticks)]
    assert len(axis.ticks) >= 2
    assert gaps == pytest.approx([gaps[0]] * len(gaps))
    assert 1 <= axis.ticks[0] <= axis.ticks[-1] <= end
