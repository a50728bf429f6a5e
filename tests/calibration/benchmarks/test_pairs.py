"""Runs without and with speculation of one setting belong together."""

from __future__ import annotations

import time

import pytest

from roofline_app.calibration.benchmarks import MOST_POINTS, MeasuredPoint, import_file
from roofline_app.calibration.benchmarks.pairs import pairs, with_draft_length
from roofline_app.calibration.benchmarks.remarks import UnusableError

HEADER = "engine,model,gpu,gpus,batch,input_tokens,output_tokens,draft_tokens,tokens_per_round,seconds_per_token\n"
PLAIN = "vLLM,Qwen3-8B,H200,1,8,1024,1024,0,1,0.006\n"
FAST = "vLLM,Qwen3-8B,H200,1,8,1024,1024,3,2.5,0.003\n"


def _points(*rows: str) -> tuple[MeasuredPoint, ...]:
    return import_file("runs.csv", (HEADER + "".join(rows)).encode()).points


def test_a_run_with_speculation_is_set_against_the_plain_run_of_its_setting() -> None:
    (pair,) = pairs(_points(FAST, PLAIN))
    assert (pair.point, pair.baseline) == (0, 1)
    assert pair.speedup == pytest.approx(2)


@pytest.mark.parametrize(
    ("stated", "other"),
    [
        ("vLLM", "SGLang"),
        ("Qwen3-8B", "Qwen3-4B"),
        ("H200,1", "B200,1"),
        ("H200,1", "H200,2"),
        (",8,", ",16,"),
        ("1024,1024", "2048,1024"),
        ("1024,1024", "512,2048"),
    ],
)
def test_runs_of_other_settings_are_no_pair(stated: str, other: str) -> None:
    assert list(pairs(_points(FAST, PLAIN.replace(stated, other, 1)))) == []


def test_noise_in_batch_and_lengths_makes_no_other_setting() -> None:
    assert len(list(pairs(_points(FAST, PLAIN.replace(",8,1024", ",7.8,1000"))))) == 1


def test_of_several_plain_runs_the_nearest_counts() -> None:
    near, nearer = PLAIN.replace(",8,", ",8.6,"), PLAIN.replace(",8,", ",8.1,")
    (pair,) = pairs(_points(near, nearer, FAST))
    assert pair.baseline == 1


def test_a_run_that_states_no_lengths_has_no_pair() -> None:
    assert list(pairs(_points(FAST.replace("1024,1024", ","), PLAIN.replace("1024,1024", ",")))) == []


def test_a_thousand_runs_of_one_setting_are_paired_at_once() -> None:
    half = MOST_POINTS // 2
    rows = [PLAIN.replace("1024,1024", f"1024,{1024 + place}") for place in range(half)]
    rows += [FAST.replace("1024,1024", f"1000,{1010 + place}") for place in range(half)]
    points = _points(*rows)
    began = time.process_time()
    assert list(pairs(points))
    assert time.process_time() - began < 10


def test_a_draft_length_that_the_file_lacks_can_be_said() -> None:
    (point,) = _points(FAST.replace(",3,2.5", ",,2.5"))
    assert point.draft_tokens is None
    told = with_draft_length(point, 3)
    assert (told.draft_tokens, told.seconds_per_round) == (3, point.seconds_per_round)
    assert "no_draft_length" not in {assumption.name for assumption in told.assumptions}


@pytest.mark.parametrize(("drafts", "field"), [(1, "tokens_per_round"), (0, "draft_tokens"), (10**9, "draft_tokens")])
def test_a_draft_length_that_cannot_be_is_refused_by_name(drafts: int, field: str) -> None:
    (point,) = _points(FAST.replace(",3,2.5", ",,2.5"))
    with pytest.raises(UnusableError) as refused:
        with_draft_length(point, drafts)
    assert refused.value.values["field"] == field
