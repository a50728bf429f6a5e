"""The schemas of measured rows fit every row that there is, and refuse what no row can be."""

from __future__ import annotations

import pytest

pytest.importorskip("jsonschema")

from against_schemas import wrong

from roofline_app.command.schemas import SCHEMAS, row_object
from roofline_app.data import read_csv

FILES = ("decode", "rounds")
PLAIN = dict(next(iter(read_csv("measured/decode.csv"))))


@pytest.mark.parametrize("file", FILES)
def test_every_measured_row_fits(file: str) -> None:
    rows = list(read_csv(f"measured/{file}.csv"))
    assert list(rows[0]) == list(SCHEMAS[f"measured-{file}"]()["properties"])
    assert [said for row in rows for said in wrong(f"measured-{file}", row_object(file, row))] == []


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("seconds_per_token", ""),
        ("seconds_per_token", "0"),
        ("seconds_per_token", "fast"),
        ("model", "gpt-5"),
        ("gpu", "b2000"),
        ("gpus", "0"),
        ("batch", "1.5"),
        ("kv", "fp3"),
        ("unknown", "1"),
    ],
)
def test_a_row_that_cannot_be_is_refused(column: str, cell: str) -> None:
    found = wrong("measured-decode", row_object("decode", {**PLAIN, column: cell}))
    assert [said for said in found if column in said]
