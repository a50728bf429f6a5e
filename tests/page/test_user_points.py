"""A reader's own measurements: dropped files become points, and hostile ones a notice."""

import base64
import json
from typing import Any

import pytest
from page_samples import CONFIG, HOSTILE, chart

from roofline_app.calibration.benchmarks import LARGEST_BYTES
from roofline_app.page.benchmarks.user_points import computed_seconds, config_text
from roofline_app.page.page import Page

LINK = "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&context=2k&profile=calibrated&drafter=eagle3&drafter=block&cap=16"
HEADER = "engine,model,gpu,gpus,batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token"
PLAIN = "sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,0,1,0.012"
DRAFTED = "sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,3,2.5,0.006"


@pytest.fixture(scope="module")
def built() -> Page:
    return Page(LINK)


@pytest.fixture
def page(built: Page) -> Page:
    for figure in ("speedup", "batch", "acceptance"):
        built.handle("show", {"figure": figure, "visible": True})
    built.handle("clear-points", None)
    built.handle("validation", False)
    built.handle("query", LINK)
    return built


def drop(page: Page, *contents: str | bytes, name: str = "runs.csv") -> list[str]:
    files = []
    for content in contents:
        raw = content.encode() if isinstance(content, str) else content
        files.append({"name": name, "content": base64.b64encode(raw).decode()})
    page.handle("files", files)
    return list(page.state()["notices"])


def own(page: Page, figure: str) -> list[tuple[float, float]]:
    data: dict[str, Any] = page.drawing.charts[figure].measured.source.data  # type: ignore[attr-defined]
    points = zip(data["x"], data["y"], data["shape"], strict=True)
    return [(x, y) for x, y, shape in points if shape == "square"]


def test_a_dropped_files_runs_are_points_on_three_figures(page: Page) -> None:
    notices = drop(page, f"{HEADER}\n{PLAIN}\n{DRAFTED}\n")
    assert "2 runs read" in notices[0]
    assert own(page, "speedup") == [(3.0, 2.0)]
    assert own(page, "batch") == [(8.0, 2.0)]
    assert own(page, "acceptance") == [(2.5, 2.0)]
    assert "Squares" in page.state()["notes"]["marks-speedup"]


def test_without_plain_decoding_in_the_file_the_computed_one_counts(page: Page) -> None:
    drop(page, f"{HEADER}\n{DRAFTED}\n")
    assert own(page, "speedup")[0][1] == pytest.approx(page.evaluation.step.seconds / 0.006)
    conditions = chart(page, "speedup").measured.source.data["conditions"]
    assert any("computed" in words for words in conditions)


def test_computed_plain_decoding_is_that_of_the_runs_batch(page: Page) -> None:
    evaluation = page.evaluation
    assert computed_seconds(8, evaluation) == evaluation.step.seconds
    rates = evaluation.best_by_batch.without.tokens_per_second_per_user
    assert computed_seconds(64, evaluation) == pytest.approx(1 / rates[6])
    assert 1 / rates[5] < computed_seconds(48, evaluation) < 1 / rates[6]


def test_runs_of_another_model_or_gpu_are_not_drawn(page: Page) -> None:
    drop(page, f"{HEADER}\n{DRAFTED.replace('Qwen3.5-27B', 'Qwen3-8B')}\n{DRAFTED.replace('B200', 'H100-SXM')}\n")
    assert own(page, "speedup") == []
    page.handle("query", LINK.replace("qwen3.5-27b", "qwen3-8b"))
    assert len(own(page, "speedup")) == 1


def test_points_stay_until_they_are_removed(page: Page) -> None:
    drop(page, f"{HEADER}\n{PLAIN}\n{DRAFTED}\n")
    page.handle("query", LINK.replace("batch=8", "batch=16"))
    assert own(page, "speedup") == []
    assert own(page, "batch") == [(8.0, 2.0)]
    assert len(page.state()["own_files"]) == 1
    page.handle("clear-points", None)
    assert own(page, "batch") == []
    assert len(page.state()["own_files"]) == 0


def test_several_files_are_read_and_each_is_said(page: Page) -> None:
    notices = drop(page, f"{HEADER}\n{PLAIN}\n", f"{HEADER}\n{DRAFTED}\n", "nonsense")
    assert len(notices) == 4
    assert "not used" in notices[2]
    assert "can be fitted" in notices[3]


def test_own_runs_stand_first_in_the_tables(page: Page) -> None:
    drop(page, f"{HEADER}\n{PLAIN}\n{DRAFTED}\n")
    page.handle("validation", True)
    table = page.state()["validation"][0]
    assert "2" in table["caption"]
    assert [row[3] for row in table["rows"]] == ["12.0 ms", "6.00 ms"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02\xff" * 40,
        b"{}",
        b"[" * 100_000,
        HOSTILE.encode(),
        f"{HEADER}\nsglang,m,g,1,nan,inf,3,9,NaN\n".encode(),
        b"x" * (LARGEST_BYTES + 1),
    ],
)
def test_a_hostile_file_is_refused_by_name_and_changes_nothing(page: Page, content: bytes) -> None:
    before = page.state()["query"]
    notices = drop(page, content, name=f"{HOSTILE}.json")
    assert "not used" in notices[0]
    assert "img src=x" in notices[0]
    assert page.state()["query"] == before
    assert len(page.state()["own_files"]) == 0


@pytest.mark.parametrize("given", [None, 3, "x", [None], [{}], [{"name": "a", "content": "%%%"}], {"name": "a"}])
def test_what_is_no_file_is_ignored_or_refused(page: Page, given: object) -> None:
    page.handle("files", given)
    assert len(page.state()["own_files"]) == 0


def test_a_hostile_name_in_a_file_stays_text(page: Page) -> None:
    drop(page, f"{HEADER},label\n{PLAIN},a\n{DRAFTED},{HOSTILE}\n")
    names = chart(page, "speedup").measured.source.data["name"]
    assert HOSTILE in names
    assert all(HOSTILE not in str(getattr(model, "tooltips", "")) for model in page.document.models)


def test_a_config_json_among_the_files_is_the_model(page: Page) -> None:
    notices = drop(page, json.dumps(CONFIG), name="config.json")
    assert "model=custom" in page.state()["query"]
    assert "config.json" in notices[0]
    assert config_text(b"[1]") == config_text(b'{"duration": 1}') == config_text(b"\xff") == ""
