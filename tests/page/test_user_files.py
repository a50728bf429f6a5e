"""A reader's files beside the shown setting: what differs, the offer to take it over, draft lengths, handing in."""

import base64
from typing import Any

import pytest
from page_samples import HOSTILE

from roofline_app.page.benchmarks.user_files import MOST_LISTED
from roofline_app.page.benchmarks.user_table import MOST_PREDICTED
from roofline_app.page.page import Page
from roofline_app.query import decode

LINK = "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&context=2k&profile=calibrated&drafter=eagle3&cap=16"
HEADER = "engine,model,gpu,gpus,batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token"
PLAIN = "sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,0,1,0.012"
DRAFTED = "sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,3,2.5,0.006"
UNKNOWN_LENGTH = "sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,,2.5,0.006"
OTHER = "vllm,Qwen/Qwen3-8B,H100-SXM,2,64,4096,3,2.5,0.006"


@pytest.fixture(scope="module")
def built() -> Page:
    page = Page(LINK)
    for figure in ("speedup", "batch"):
        page.handle("show", {"figure": figure, "visible": True})
    return page


@pytest.fixture
def page(built: Page) -> Page:
    built.handle("clear-points", None)
    built.handle("validation", True)
    built.handle("query", LINK)
    return built


def drop(page: Page, *rows: str, name: str = "runs.csv") -> list[str]:
    content = base64.b64encode("\n".join([HEADER, *rows]).encode()).decode()
    page.handle("files", [{"name": name, "content": content}])
    return list(page.state()["notices"])


def own(page: Page, figure: str) -> list[tuple[float, float]]:
    data: dict[str, Any] = page.drawing.charts[figure].measured.source.data  # type: ignore[attr-defined]
    points = zip(data["x"], data["y"], data["shape"], strict=True)
    return [(x, y) for x, y, shape in points if shape == "square"]


def test_a_file_of_the_shown_setting_has_nothing_beside_it(page: Page) -> None:
    drop(page, PLAIN, DRAFTED)
    [file] = page.state()["own_files"]
    assert file == {"name": "runs.csv: 2 runs", "differences": [], "setting": "", "asked": ""}


def test_a_file_of_another_setting_says_where_and_offers_its_own(page: Page) -> None:
    notices = drop(page, OTHER)
    [file] = page.state()["own_files"]
    assert [word in " ".join(file["differences"]) for word in ("Qwen3-8B", "H100-SXM", "vllm")] == [True] * 3
    assert any("take its setting over" in notice for notice in notices)
    taken = decode(file["setting"]).scenario
    assert (taken.model, taken.gpu, taken.gpus, taken.batch) == ("qwen3-8b", "h100-sxm", 2, 64)
    page.handle("query", file["setting"])
    assert page.state()["own_files"][0]["setting"] == ""
    assert [x for x, _ in own(page, "speedup")] == [3.0]


def test_a_missing_draft_length_is_asked_for_and_then_drawn(page: Page) -> None:
    notices = drop(page, PLAIN, UNKNOWN_LENGTH)
    assert any("do not state their draft length" in notice for notice in notices)
    assert page.state()["own_files"][0]["asked"].startswith("Runs without a stated draft length: 1.")
    assert own(page, "speedup") == []
    page.handle("draft-length", {"file": 0, "drafts": " 3 "})
    assert own(page, "speedup") == [(3.0, 2.0)]
    assert page.state()["own_files"][0]["asked"] == ""
    assert page.state()["notices"] == []


@pytest.mark.parametrize("typed", ["", "x", "0", "1.5", "-3", "99999999", HOSTILE])
def test_no_number_of_drafts_is_refused_and_asked_again(page: Page, typed: str) -> None:
    drop(page, UNKNOWN_LENGTH)
    page.handle("draft-length", {"file": 0, "drafts": typed})
    [said] = page.state()["notices"]
    assert "runs.csv" in said
    assert "draft_tokens" in said
    assert page.state()["own_files"][0]["asked"]


def test_a_length_that_cannot_commit_so_many_tokens_is_refused(page: Page) -> None:
    drop(page, UNKNOWN_LENGTH)
    page.handle("draft-length", {"file": 0, "drafts": "1"})
    assert "2.5" in page.state()["notices"][0]
    assert own(page, "speedup") == []


@pytest.mark.parametrize(
    "change", [None, 3, {}, {"file": 7, "drafts": "3"}, {"file": "0"}, {"file": -1, "drafts": "3"}]
)
def test_what_is_no_file_of_the_list_changes_nothing(page: Page, change: object) -> None:
    drop(page, UNKNOWN_LENGTH)
    before = page.state()["own_files"]
    page.handle("draft-length", change)
    assert page.state()["own_files"] == before


def test_the_plain_run_may_be_in_a_file_of_its_own(page: Page) -> None:
    drop(page, PLAIN, name="plain.csv")
    drop(page, DRAFTED, name="drafted.csv")
    assert own(page, "speedup") == [(3.0, 2.0)]


def test_a_prediction_takes_the_runs_own_acceptance(page: Page) -> None:
    """So that twice the tokens per round at twice the time per round is the same error."""
    drop(page, DRAFTED, DRAFTED.replace("2.5,0.006", "3.5,0.006"))
    cells = [row[4] for row in page.state()["validation"][0]["rows"]]
    first, second = (float(cell.split()[0]) for cell in cells)
    assert first / second == pytest.approx(3.5 / 2.5, rel=0.01)


def test_few_runs_are_predicted_and_that_is_said(page: Page) -> None:
    runs = [DRAFTED.replace("0.006", f"0.00{place}") for place in range(10, 10 + MOST_PREDICTED + 2)]
    drop(page, *runs)
    table = page.state()["validation"][0]
    assert [row[4] == "–" for row in table["rows"]] == [False] * MOST_PREDICTED + [True] * 2
    assert f"first {MOST_PREDICTED}" in table["caption"]


def test_the_runs_can_be_handed_in_as_the_text_of_an_issue(page: Page) -> None:
    page.handle("contribute", None)
    assert page.state()["file"] is None
    drop(page, PLAIN, DRAFTED, name=f"{HOSTILE}.csv")
    page.handle("contribute", None)
    file = page.state()["file"]
    assert file is not None
    assert file["name"] == "measurement.md"
    assert "rounds.csv" in file["text"]
    assert "Power cap" in file["text"]


def test_many_files_are_read_and_the_first_are_listed(page: Page) -> None:
    for number in range(MOST_LISTED + 2):
        drop(page, PLAIN, name=f"{number}.csv")
    assert len(page.state()["own_files"]) == MOST_LISTED


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_offer_is_in_the_pages_language(language: str) -> None:
    page = Page(LINK, language=language)
    drop(page, OTHER, UNKNOWN_LENGTH)
    [file] = page.state()["own_files"]
    chinese = [any("一" <= letter <= "鿿" for letter in text) for text in (*file["differences"], file["asked"])]
    assert set(chinese) == {language == "zh"}
