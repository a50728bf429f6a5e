"""Accepting what the target rejects: how much of the output it is, and what it buys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from roofline_app import answer, decode, evaluate
from roofline_app.results import DrafterResult
from roofline_app.speculation.acceptance import constant_survival, raised_survival, rejected_tokens, tokens_per_round


def _line(parts: str) -> DrafterResult:
    return evaluate(decode(f"drafter={parts}").scenario).drafters[0]


def test_strict_acceptance_has_no_such_tokens() -> None:
    assert _line("mtp").relaxed is None


@given(chance=st.floats(0.01, 0.99), share=st.floats(0.01, 0.99), length=st.integers(1, 16))
def test_simulated_rounds_have_as_many(chance: float, share: float, length: int) -> None:
    """A position commits strictly, by relaxing or not at all; both counts follow from the same process."""
    strict = constant_survival(chance, length)
    rejected = rejected_tokens(strict, share)
    reached, expected = 1.0, 0.0
    for _ in range(length):
        expected += reached * share * (1.0 - chance)
        reached *= chance + share * (1.0 - chance)
    assert rejected[-1] == pytest.approx(expected, rel=1e-9)
    assert rejected[-1] < tokens_per_round(raised_survival(strict, share))[-1]


def test_whoever_accepts_everything_takes_all_that_was_rejected() -> None:
    relaxed = _line("mtp,acceptance=0.6,relax=1").relaxed
    assert relaxed is not None
    assert relaxed.rejected_share is not None
    drafts = np.arange(relaxed.rejected_share.size)
    assert relaxed.rejected_share == pytest.approx(0.4 * drafts / (drafts + 1))


def test_what_it_buys_is_the_difference_to_the_strict_line() -> None:
    relaxed, strict = _line("mtp,acceptance=0.6,relax=0.3"), _line("mtp,acceptance=0.6")
    assert relaxed.relaxed is not None
    assert relaxed.relaxed.strict_speedup == strict.best.speedup < relaxed.best.speedup


def test_the_parts_of_a_mix_each_have_theirs() -> None:
    mixed, *alone = (
        _line(f"mtp,{stated},relax=0.2,cap=4") for stated in ("mix=0.5:0.9;0.5:0.5", "acceptance=0.9", "acceptance=0.5")
    )
    tokens = [one.relaxed.rejected_share * one.tokens_per_round for one in (mixed, *alone)]  # type: ignore[union-attr,operator]
    assert tokens[0] == pytest.approx((tokens[1] + tokens[2]) / 2)


def test_further_passes_are_no_loss() -> None:
    passes, plain = (_line(f"block,acceptance=0.8,relax=0.1,{more}") for more in ("passes=2,gain=1", "passes=1"))
    assert passes.relaxed is not None and plain.relaxed is not None  # noqa: PT018
    assert passes.relaxed.rejected_share == pytest.approx(np.zeros(17))
    assert plain.relaxed.rejected_share is not None
    assert plain.relaxed.rejected_share[1] > 0


def test_of_a_tree_no_share_is_stated() -> None:
    relaxed = _line("eagle3,relax=0.2,topk=4,verified=12").relaxed
    assert relaxed is not None
    assert relaxed.rejected_share is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_share_and_the_speedup_are_said(language: str) -> None:
    evaluation = evaluate(decode("drafter=mtp,acceptance=0.7,cost=0.01,relax=0.5").scenario)
    line = evaluation.drafters[0]
    assert line.relaxed is not None
    assert line.relaxed.rejected_share is not None
    said = " ".join(answer(evaluation, language).notices)
    share = 100 * float(line.relaxed.rejected_share[line.best.draft_tokens])
    assert any(f"{share:.{digits}f}" in said for digits in (0, 1))
    assert f"{line.relaxed.strict_speedup:.2f}" in said
