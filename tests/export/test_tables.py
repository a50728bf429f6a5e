"""Tables for a terminal and as Markdown, and rows that a spreadsheet never runs."""

from __future__ import annotations

import csv
import io
import unicodedata

import pytest
from hypothesis import given, strategies as st
from markdown_cells import cells_of

from roofline_app.export.csv_rows import as_csv, flat, united
from roofline_app.export.tables import Table, aligned, markdown

TABLE = Table(caption="GPUs", header=("id", "memory", "$"), rows=(("b200", "180 GB", "$6.25"), ("h20", "96.0 GB", "–")))


def test_columns_are_as_wide_as_their_cells_and_numbers_stand_right() -> None:
    assert aligned(TABLE).splitlines() == [
        "GPUs",
        "id     memory      $",
        "────  ───────  ─────",
        "b200   180 GB  $6.25",
        "h20   96.0 GB      –",
    ]


def test_markdown_has_a_rule_with_the_sides() -> None:
    assert markdown(TABLE).splitlines() == [
        "**GPUs**",
        "",
        "| id | memory | $ |",
        "| :-- | --: | --: |",
        "| b200 | 180 GB | $6.25 |",
        "| h20 | 96.0 GB | – |",
    ]


def test_wide_letters_count_twice() -> None:
    table = Table(caption="", header=("批大小", "b"), rows=(("1", "长上下文"), ("4096", "x")))
    places = [
        sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line[: line.index(last)])
        for line, last in zip(aligned(table).splitlines(), ("b", "──", "长", "x"), strict=True)
        if last != "──"
    ]
    assert places == [8, 8, 8]


HOSTILE = [
    "a|b",
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "`code`",
    "*b* _i_",
    "a\nb",
    "&lt;",
    "\\|",
    "#1",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_cell_is_text_in_markdown(text: str) -> None:
    (row,) = cells_of(markdown(Table(caption="", header=("a", "b"), rows=((text, "1"),))))
    assert row == [text.replace("\n", " "), "1"]


@given(st.text(max_size=30), st.text(max_size=30))
def test_a_row_is_one_line_without_what_steers_a_terminal(first: str, second: str) -> None:
    table = Table(caption="", header=("a", "b"), rows=((first, second),))
    for drawn in (aligned(table), markdown(table)):
        assert len(drawn.split("\n")) == 3
        assert all(letter.isprintable() for line in drawn.split("\n") for letter in line)


def test_a_spreadsheet_is_given_texts_and_numbers() -> None:
    rows = united([{"name": "=HYPERLINK(1)", "value": -1.5}, {"name": "@x", "more": "+1"}])
    read = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert read == [
        {"name": "'=HYPERLINK(1)", "value": "-1.5", "more": ""},
        {"name": "'@x", "value": "", "more": "'+1"},
    ]
    assert as_csv([]) == ""


def test_inner_objects_become_columns() -> None:
    assert flat({"a": {"b": {"c": 1}}, "d": [1, 2], "e": [[1]], "f": [], "g": None}) == {
        "a.b.c": 1,
        "d": "1; 2",
        "f": "",
        "g": None,
    }
