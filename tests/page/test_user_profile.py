"""A profile fitted to a reader's own points: offered when they suffice, told in words and tables, never drawn."""

import base64
import json
import re
from dataclasses import fields

import pytest
from page_samples import HOSTILE

from roofline_app.calibration.benchmarks import import_file
from roofline_app.page.benchmarks.user_profile import UserProfile
from roofline_app.page.page import Page
from roofline_app.scenario import CUSTOM, Scenario
from roofline_app.text import LANGUAGES
from roofline_app.timing.profiles import SHARES, Calibration

LINK = "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&context=2k&profile=calibrated&drafter=eagle3"
HEADER = "engine,model,gpu,gpus,batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token,label"
RUN = "sglang,Qwen/Qwen3.5-27B,B200,1"
PLAIN = [f"{RUN},1,2048,0,1,0.020,one", f"{RUN},8,2048,0,1,0.021,{HOSTILE}", f"{RUN},32,2048,0,1,0.024,many"]
DRAFTED = f"{RUN},8,2048,3,2.5,0.006,drafted"


@pytest.fixture(scope="module")
def fitted() -> Page:
    page = Page(LINK)
    drop(page, *PLAIN, DRAFTED)
    page.handle("fit-points", None)
    return page


def drop(page: Page, *runs: str) -> list[str]:
    text = "\n".join([HEADER, *runs])
    page.handle("files", [{"name": "runs.csv", "content": base64.b64encode(text.encode()).decode()}])
    return list(page.state()["notices"])


def share(cell: str) -> int:
    return abs(int(cell.split("(")[1].rstrip("%)").replace("−", "-")))


def test_without_points_nothing_is_offered() -> None:
    page = Page(LINK)
    page.handle("fit-points", None)
    offer = page.state()["own_fit"]
    assert not offer["offered"]
    assert offer["hint"] == ""
    assert offer["tables"] == []
    assert offer["said"] == []


def test_without_plain_runs_nothing_is_fitted() -> None:
    page = Page(LINK)
    notices = drop(page, DRAFTED)
    page.handle("fit-points", None)
    offer = page.state()["own_fit"]
    assert offer["offered"]
    assert not offer["ready"]
    assert "0 of yours" in offer["hint"]
    assert offer["tables"] == []
    assert not any("fitted to them" in notice for notice in notices)


def test_plain_runs_are_enough_and_said_when_they_are_dropped() -> None:
    page = Page(LINK)
    notices = drop(page, *PLAIN)
    assert "can be fitted" in notices[-1]
    offer = page.state()["own_fit"]
    assert offer["ready"]
    assert offer["tables"] == []


def test_runs_of_no_model_of_the_data_cannot_be_used() -> None:
    profile = UserProfile("en")
    text = "\n".join([HEADER, *(run.replace("Qwen/Qwen3.5-27B", "mine") for run in PLAIN)])
    file = import_file("runs.csv", text.encode())
    assert profile.look_at([file], Scenario(model=CUSTOM, config="{}")) == 0
    assert profile.look_at([file], Scenario()) == len(PLAIN)


def test_every_point_stands_beside_both_profiles_and_the_fitted_one_is_nearer(fitted: Page) -> None:
    errors, _ = fitted.state()["own_fit"]["tables"]
    assert [row[0] for row in errors["rows"]] == ["one", HOSTILE, "many"]
    assert [row[2] for row in errors["rows"]] == ["20.0 ms", "21.0 ms", "24.0 ms"]
    assert all(share(row[4]) < share(row[3]) for row in errors["rows"])


def test_the_constants_are_plain_numbers_with_meaning_and_unit(fitted: Page) -> None:
    _, constants = fitted.state()["own_fit"]["tables"]
    assert [row[0] for row in constants["rows"]] == [field.name for field in fields(Calibration)]
    for name, closest, value, unit, meaning in constants["rows"]:
        assert float(closest) >= 0
        assert float(value) >= 0
        assert meaning.endswith(".")
        assert unit == ("share of 1" if name in SHARES else "multiple" if name == "grouped_matmul" else "µs")


def test_the_fit_is_said_and_the_figures_keep_their_profile(fitted: Page) -> None:
    offer = fitted.state()["own_fit"]
    left, note = offer["said"]
    assert not offer["ready"]
    assert "fitted to 3" in offer["hint"]
    assert "SGLang" in left
    assert "3 points" in left
    assert "figures keep their profile" in note
    assert fitted.evaluation.profile.id == "sglang-blackwell"


def test_the_fit_stays_while_what_it_was_made_of_does(fitted: Page) -> None:
    fitted.handle("query", LINK.replace("batch=8", "batch=16"))
    assert fitted.state()["own_fit"]["tables"]
    assert json.loads(json.dumps(fitted.state()["own_fit"])) == fitted.state()["own_fit"]
    fitted.handle("query", LINK.replace("gpus=1", "gpus=2"))
    assert fitted.state()["own_fit"]["tables"] == []
    fitted.handle("query", LINK)
    fitted.handle("clear-points", None)
    assert not fitted.state()["own_fit"]["offered"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_tells_the_fit(language: str) -> None:
    page = Page(LINK, language=language)
    drop(page, *PLAIN)
    page.handle("fit-points", None)
    offer = page.state()["own_fit"]
    assert len(offer["tables"]) == len(offer["said"]) == 2
    assert "{" not in json.dumps(offer["said"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_are_said_where_they_cut_something(language: str) -> None:
    run = [f"{RUN},8,2048,0,1,{0.02 + number * 1e-6:.6f},run {number}" for number in range(2003)]
    drafted = [f"{RUN},8,2048,3,2.5,0.006,draft {number}" for number in range(403)]
    page = Page(LINK, language=language)
    drop(page, *run, *drafted)
    page.handle("validation", True)
    state = page.state()
    hint, caption = state["own_fit"]["hint"], state["validation"][0]["caption"]
    assert "2,000" in hint
    assert re.search(r"\b3\b", hint.split("2,000")[-1])
    assert "200" in caption
    assert "2,406" in caption
    assert "400" in caption
    assert len(state["validation"][0]["rows"]) == 200
    few = Page(LINK, language=language)
    drop(few, *PLAIN)
    few.handle("validation", True)
    assert "2,000" not in few.state()["own_fit"]["hint"]
    assert "200" not in few.state()["validation"][0]["caption"]
