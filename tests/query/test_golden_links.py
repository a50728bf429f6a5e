"""Links that were published keep their meaning: `golden_links.txt` only ever grows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roofline_app import export
from roofline_app.evaluation import evaluate
from roofline_app.query import decode, encode

LINES = [
    line
    for line in Path(__file__).with_name("golden_links.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
GOLDEN = tuple(zip(LINES[::2], LINES[1::2], strict=True))
# These are written short, so that their canonical form is another.
TYPED = 10


def _keeps(now: Any, then: Any) -> bool:
    """Return whether a value holds everything that it held; fields may have been added."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(key in now and _keeps(now[key], then[key]) for key in then)
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(_keeps, now, then))
    return type(now) is type(then) and bool(now == then)


@pytest.mark.parametrize(("link", "facts"), GOLDEN, ids=range(len(GOLDEN)))
def test_a_published_link_means_what_it_meant(link: str, facts: str) -> None:
    decoded = decode(link)
    assert decoded.notices == ()
    assert _keeps(export.plain(decoded.scenario), json.loads(facts))
    assert evaluate(decoded.scenario).step.seconds > 0.0


@pytest.mark.parametrize(("link", "_"), GOLDEN[TYPED:], ids=range(TYPED, len(GOLDEN)))
def test_a_canonical_link_stays_canonical(link: str, _: str) -> None:
    assert encode(decode(link).scenario) == link


def test_there_are_links_of_every_kind() -> None:
    text = "\n".join(link for link, _ in GOLDEN)
    assert len({link for link, _ in GOLDEN}) >= 60
    for key in ("config", "compare", "survival", "length", "mix", "preset", "placement", "layout", "figures"):
        assert f"{key}=" in text
