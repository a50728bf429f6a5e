"""A reader's own measurements beside a setting's predictions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roofline_app.__main__ import main
from roofline_app.calibration.benchmarks import import_file
from roofline_app.calibration.prediction import predicted
from roofline_app.evaluation import evaluate
from roofline_app.query import decode

QUERY = "model=qwen3-8b&gpu=b200&gpus=1&profile=calibrated&engine=sglang&drafter=block,cost=physical,block=15"
TABLE = """batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token
1,2048,0,1,0.00435
1,2048,15,8.01,0.00085
,,,,
"""


def test_plain_decoding_is_predicted_by_a_step_and_a_round_by_its_own_tokens() -> None:
    plain, speculative = import_file("mine.csv", TABLE.encode()).points
    scenario = decode(QUERY).scenario
    first, second = predicted(plain, scenario), predicted(speculative, scenario)
    assert first is not None
    assert second is not None
    there = evaluate(decode(f"{QUERY}&batch=1&context=2048&cap=15").scenario)
    assert first.seconds_per_token == there.step.seconds
    line = there.drafters[0]
    assert second.seconds_per_token == pytest.approx((line.verifying_seconds[15] + line.drafting_seconds[15]) / 8.01)
    # DFlash, arXiv 2602.06036, table 3: 230 and 1,175 tokens per second on one B200; the profile was fitted on them.
    assert abs(first.error) < 0.15
    assert abs(second.error) < 0.25
    assert second.baseline is not None
    assert second.baseline.seconds_per_token == pytest.approx(1 / 230, rel=0.25)
    assert second.baseline.low < second.baseline.seconds_per_token < second.baseline.high


def test_a_point_that_says_too_little_is_not_predicted() -> None:
    text = "batch,tokens_per_round,draft_tokens,seconds_per_token\n4,2.5,,0.004\n"
    (point,) = import_file("mine.csv", text.encode()).points
    assert predicted(point, decode(QUERY).scenario) is None


def test_the_import_verb_prints_points_and_predictions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(TABLE)
    assert main(["import", str(file)]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert "predicted" not in alone["points"][0]
    assert main(["import", str(file), "--query", QUERY]) == 0
    beside = json.loads(capsys.readouterr().out)
    assert [point["predicted"]["drafter"] for point in beside["points"]] == ["", "Block"]
    assert all(abs(point["predicted"]["error"]) < 0.25 for point in beside["points"])


@pytest.mark.parametrize("content", [b"", b"\x00\x01", b"{", b"[1, 2]", b"a,b\n1,2\n"])
def test_a_file_that_is_no_benchmark_is_refused_in_one_line(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)
    assert main(["import", str(file)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "other.json" in captured.err
