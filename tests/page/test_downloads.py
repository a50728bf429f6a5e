"""What a reader takes along: files of values, and how they were computed."""

import csv
import io
import json

import pytest
from page_samples import TOO_LARGE, evaluation_of, shown_of
from shown import offered_file

from roofline_app import export
from roofline_app.page.downloads import file_of
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.working import Working, sayer
from roofline_app.page.page import Page
from roofline_app.query import encode
from roofline_app.results import Evaluation
from roofline_app.text import LANGUAGES

LINKS = ["", TOO_LARGE, "cap=1&drafter=ngram", "gpu.bandwidth=1e12&model=qwen3-8b&gpus=1&drafter=mtp,length=2.58@3"]
LINKS += ["preset=own-gpus", "profile=calibrated&kernels=fused", "profile=calibrated&engine=vllm&layout=tp"]
EVERYWHERE = pytest.mark.parametrize("link", LINKS)


def workings(figure: str, evaluation: Evaluation, language: str) -> list[Working]:
    return FIGURES[figure].working(evaluation, sayer(language), language)


def rows_of(figure: str, link: str) -> list[dict[str, str]]:
    shown = shown_of(link)
    file = file_of(figure, "csv", shown.evaluation, FIGURES[figure].rows(shown))
    assert file
    return list(csv.DictReader(io.StringIO(file["text"])))


@EVERYWHERE
def test_the_csv_of_the_first_figure_holds_the_evaluation_in_full_precision(link: str) -> None:
    evaluation = evaluation_of(link)
    rows = rows_of("speedup", link)
    for result in evaluation.drafters:
        own = [row for row in rows if row["drafter"] == result.name]
        assert [float(row["speedup"]) for row in own] == result.speedup.tolist()
        assert [int(row["draft_tokens"]) for row in own] == result.draft_tokens.tolist()


@EVERYWHERE
@pytest.mark.parametrize("figure", [name for name, figure in FIGURES.items() if not figure.work and name != "payoff"])
def test_csv_and_json_hold_the_same_rows(link: str, figure: str) -> None:
    shown = shown_of(link)
    file = file_of(figure, "json", shown.evaluation, FIGURES[figure].rows(shown))
    assert file
    content = json.loads(file["text"])
    assert content["query"] == encode(shown.evaluation.scenario)
    rows = rows_of(figure, link)
    assert [list(row) for row in rows] == [list(row) for row in content["rows"]]
    assert len({tuple(row) for row in content["rows"]}) == 1


def test_bars_in_the_file_add_up_to_the_seconds_per_committed_token() -> None:
    evaluation = evaluation_of("")
    for result in evaluation.drafters:
        seconds = [float(row["seconds_per_token"]) for row in rows_of("time", "") if row["drafter"] == result.name]
        assert sum(seconds) == pytest.approx(result.best.seconds_per_round / result.best.tokens_per_round)


def test_the_whole_evaluation_is_what_the_command_line_prints() -> None:
    evaluation = evaluation_of("")
    file = file_of("evaluation", "json", evaluation, [])
    assert file
    assert json.loads(file["text"]) == json.loads(json.dumps(export.as_json(evaluation)))


def test_a_name_that_a_spreadsheet_would_run_is_marked_as_text() -> None:
    rows = rows_of("batch", "drafter=mtp,name=%253DHYPERLINK(1)")
    assert rows[0]["drafter"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize(("figure", "kind"), [("speedup", "exe"), ("../x", "csv"), ("evaluation", "csv")])
def test_there_are_no_other_files(figure: str, kind: str) -> None:
    assert file_of(figure, kind, evaluation_of(""), []) is None


def test_the_page_hands_over_a_file_until_the_setting_changes() -> None:
    page = Page("")
    page.handle("save", {"figure": "batch", "kind": "csv"})
    first = offered_file(page)
    assert first["name"] == "speculation-roofline-batch.csv"
    page.handle("show", {"figure": "rates", "visible": True})
    assert offered_file(page) == first
    page.handle("save", {"figure": "batch", "kind": "csv"})
    assert offered_file(page)["number"] == first["number"] + 1
    page.handle("save", {"figure": "nothing", "kind": "csv"})
    assert page.state()["file"] is None
    page.handle("save", "x")
    page.widgets["batch"].value = "64"
    assert page.state()["file"] is None


@EVERYWHERE
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_says_how_it_is_computed(link: str, language: str, figure: str) -> None:
    lines = workings(figure, evaluation_of(link), language)
    assert len(lines) > 1
    for line in lines:
        assert "{" not in line.text
        assert bool(line.source) == line.address.startswith("https://")


def test_the_layouts_recipe_has_its_source() -> None:
    lines = workings("time", evaluation_of("profile=calibrated"), "en")
    (recipe,) = [line for line in lines if line.source == "the engine’s recipe"]
    assert "tensor parallel" in recipe.text


def test_the_numbers_in_the_formula_are_the_settings_own() -> None:
    said = [line.text for line in workings("speedup", evaluation_of(""), "en")]
    assert any(line.startswith("Block, γ = 16: 7.84 × 5.74 ms / (14.4 ms + 574 µs) = 3.00×") for line in said)
    assert any("MTP: T_draft(6) = draft passes × cost × T_step = 6 × 0.1" in line for line in said)
    assert any("1 + α + α² + … + α^16 = 7.84 with α = 0.89" in line for line in said)


def test_an_acceptance_that_is_not_one_number_is_called_stated() -> None:
    said = [line.text for line in workings("speedup", evaluation_of("drafter=mtp,survival=0.8:0.5"), "en")]
    assert any("from the stated acceptance" in line for line in said)


def test_a_calculation_is_sent_while_it_is_open() -> None:
    page = Page("")
    assert page.state()["workings"] == {}
    page.handle("working", {"figure": "memory", "open": True})
    assert page.state()["workings"]["memory"][0]["text"].startswith("needed =")
    page.handle("working", {"figure": "memory", "open": False})
    page.handle("working", "x")
    assert page.state()["workings"] == {}
