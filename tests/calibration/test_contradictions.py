"""Measured rows that contradict those beside them are named; those of the data are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roofline_app.calibration.contradictions import acknowledged, contradictions
from roofline_app.calibration.fit.measured_rows import Row, measured_rows

FIRST = Row(
    id="first",
    source="own",
    engine="vllm",
    model="qwen3-8b",
    gpu="h200-sxm",
    gpus=1,
    expert_ranks=1,
    linear="bf16",
    experts="bf16",
    kv="bf16",
    batch=8,
    context_tokens=1536,
    step_seconds=0.006,
    input_tokens=1024,
    output_tokens=1024,
)


def _row(name: str, **changes: object) -> Row:
    return replace(FIRST, id=name, **changes)  # type: ignore[arg-type]


def _named(*rows: Row) -> list[tuple[str, str, str]]:
    return [(found.remark.name, found.row, found.other) for found in contradictions((FIRST, *rows))]


def test_the_datas_contradictions_are_those_that_are_known() -> None:
    assert {found.row for found in contradictions(measured_rows())} == set(acknowledged())
    assert all(reason.strip() for reason in acknowledged().values())


def test_a_larger_batch_that_takes_less_time_per_token_is_named() -> None:
    assert _named(_row("larger", batch=16, step_seconds=0.005)) == [("row_falls", "larger", "first")]


def test_noise_is_no_contradiction() -> None:
    assert _named(_row("larger", batch=16, step_seconds=0.0056)) == []
    assert _named(_row("again", step_seconds=0.0072)) == []


def test_time_that_grows_faster_than_the_batch_is_named() -> None:
    assert _named(_row("larger", batch=16, step_seconds=0.015)) == [("row_steep", "larger", "first")]


def test_a_row_apart_from_those_around_it_is_named_alone() -> None:
    between, above = _row("between", batch=16, step_seconds=0.012), _row("above", batch=32, step_seconds=0.0075)
    assert _named(between, above) == [("row_apart", "between", "first")]


def test_the_same_setting_that_takes_other_time_is_named() -> None:
    assert _named(_row("again", step_seconds=0.0060), _row("slow", step_seconds=0.012)) == [
        ("row_repeats", "slow", "again")
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {"model": "qwen3-4b"},
        {"gpu": "b200"},
        {"gpus": 2},
        {"engine": "sglang"},
        {"linear": "fp8-block"},
        {"kv": "fp8"},
        {"expert_ranks": 2},
        {"context_tokens": 3072, "input_tokens": 2048, "output_tokens": 2048},
        {"input_tokens": 512, "output_tokens": 2048},
        {"input_tokens": 0, "output_tokens": 0},
    ],
)
def test_rows_of_other_settings_are_not_beside_each_other(changes: dict[str, object]) -> None:
    assert _named(_row("other", batch=16, step_seconds=0.001, **changes)) == []


def test_nearly_the_same_lengths_are_beside_each_other() -> None:
    other = _row("other", batch=16, step_seconds=0.001, context_tokens=1500, input_tokens=1000, output_tokens=1000)
    assert _named(other) == [("row_falls", "other", "first")]


def test_a_speedup_beyond_the_tokens_per_round_is_named() -> None:
    fast = _row("fast", drafter="block", draft_tokens=3, tokens_per_round=2.5, ratio=3.0)
    assert _named(fast) == [("row_speedup", "fast", "")]
    assert _named(replace(fast, ratio=2.4)) == []


def _speculative(name: str, batch: int, tokens: float, ratio: float) -> Row:
    return _row(
        name,
        batch=batch,
        step_seconds=0.006 * (1 + batch / 100),
        drafter="block",
        draft_tokens=3,
        tokens_per_round=tokens,
        ratio=ratio,
    )


def test_a_rounds_cost_does_not_depend_on_what_was_accepted() -> None:
    fine = [_speculative("a", 8, 2.0, 1.5), _speculative("b", 8, 3.0, 2.2), _speculative("c", 8, 2.5, 1.9)]
    assert _named(*fine) == []
    odd = _speculative("odd", 8, 3.0, 1.2)
    assert [name for name in _named(*fine, odd) if name[1] == "odd"] == [("row_round_repeats", "odd", "b")]


def test_a_rounds_cost_lies_between_those_of_the_batches_around_it() -> None:
    rows = [_speculative("small", 4, 2.5, 2.0), _speculative("odd", 16, 2.5, 1.2), _speculative("large", 64, 2.5, 1.7)]
    assert _named(*rows) == [("row_round_apart", "odd", "small")]


@pytest.mark.parametrize(("ratio", "named"), [(0.8, True), (1.2, False), (4.0, False), (4.6, True)])
def test_verifying_takes_a_step_to_as_many_as_it_checks(ratio: float, named: bool) -> None:
    found = _named(_row("verify", draft_tokens=3, ratio=ratio, input_tokens=0, output_tokens=0))
    assert bool(found) is named


def test_a_contradiction_names_both_rows_and_their_figures() -> None:
    (found,) = contradictions((FIRST, _row("larger", batch=16, step_seconds=0.005)))
    assert found.remark.text.startswith("larger: 5 ms per token at batch 16, though first took 6 ms at batch 8")
