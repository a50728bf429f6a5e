"""The page without a browser: set a control, read a figure's source."""

import json
from pathlib import Path

import numpy as np
import pytest
from page_samples import HOSTILE, HOSTILE_LINK, chart, source
from shown import offered_file

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.page.markup import whole_page
from roofline_app.page.page import Page
from roofline_app.query import decode, encode


@pytest.mark.parametrize("preset", registry.presets())
def test_figures_hold_what_evaluate_returns_for_every_preset(page: Page, preset: str) -> None:
    page.handle("preset", preset)
    expected = evaluate(decode(registry.presets()[preset].query).scenario)
    assert page.state()["query"] == encode(expected.scenario)
    for index, result in enumerate(expected.drafters):
        shown = source(page, f"speedup-{index}").data
        assert np.array_equal(shown["speedup"], result.speedup)
        assert np.array_equal(shown["tokens_per_round"], result.tokens_per_round)
        by_batch = source(page, f"batch-{index}").data
        assert np.array_equal(by_batch["speedup"], expected.best_by_batch.drafters[index].speedup)
    for index in range(len(expected.drafters), 5):
        assert len(source(page, f"speedup-{index}").data["speedup"]) == 0


def test_a_link_is_shown_at_once() -> None:
    page = Page("model=qwen3-8b&batch=7&gpus=2")
    assert page.widgets["batch"].value == "7"
    assert page.widgets["gpus"].value == "2"
    assert page.state()["words"]["model"] == "Qwen3 8B"


@pytest.mark.parametrize(
    ("control", "value", "key", "text"),
    [
        ("batch", "64", "batch", "64"),
        ("batch-slider", 0, "batch", "1"),
        ("context", "8k", "context", "8192"),
        ("cap", "8", "cap", "8"),
        ("cap-slider", 20, "cap", "20"),
        ("gpu", "h200-sxm", "gpu", "h200-sxm"),
        ("gpus", "4", "gpus", "4"),
        ("bandwidth", "4", "gpu.bandwidth", "4000000000000"),
        ("price", "2.5", "price", "2.5"),
        ("kv", "bf16", "kv", "bf16"),
        ("kv-read", "add", "kv-read", "add"),
        ("experts", "fp8", "weights", "fp8"),
        ("acceptance-1", "0.6", "drafter", "acceptance=0.6"),
        ("acceptance-slider-1", 0.5, "drafter", "acceptance=0.5"),
        ("cost-slider-1", 0.2, "drafter", "cost=0.2"),
        ("block-2", "8", "drafter", "block=8"),
        ("kind-1", "eagle3", "drafter", "eagle3"),
        ("name-1", "Mine", "drafter", "name=Mine"),
        ("colour-1", "#ff0000", "drafter", "colour=ff0000"),
        ("form-1", "length", "drafter", "length="),
    ],
)
def test_a_control_changes_the_link_and_the_figure(
    page: Page, control: str, value: object, key: str, text: str
) -> None:
    before = str(page.state()["query"])
    page.widgets[control].value = value
    after = str(page.state()["query"])
    assert after != before
    assert key in after
    assert text in after
    expected = evaluate(decode(after).scenario)
    assert np.array_equal(source(page, "speedup-1").data["speedup"], expected.drafters[1].speedup)


def test_every_control_shows_the_scenario_after_a_preset(page: Page) -> None:
    page.handle("query", "batch=100&context=100000&drafter=block,block=8&cap=5")
    assert page.widgets["batch"].value == "100"
    assert page.widgets["context"].value == "100,000"
    assert page.widgets["cap-slider"].value == 5
    assert page.widgets["kind-0"].value == "block"
    assert page.widgets["block-0"].value == "8"


def test_what_is_not_understood_stays_and_is_said(page: Page) -> None:
    page.widgets["batch"].value = HOSTILE
    state = page.state()
    assert page.widgets["batch"].value == HOSTILE  # to be mended
    assert "batch=32" in str(state["query"])
    assert HOSTILE in state["notices"][0]
    assert state["refused"] == {"field": "batch", "text": state["notices"][0]}
    page.widgets["batch"].value = "64"
    assert page.state()["notices"] == []
    assert page.state()["refused"] is None


def test_what_is_not_understood_gives_way_to_the_next_change(page: Page) -> None:
    page.widgets["gpus"].value = "many"
    page.handle("query", "batch=32")
    assert page.widgets["gpus"].value == "8"


@pytest.mark.parametrize(
    ("control", "typed", "written"),
    [
        ("batch", "１６", "batch=16&"),
        ("batch", "1,024", "batch=1024&"),
        ("context", "８k", "context=8192&"),
        ("price", "2,5", "price=2.5&"),
        ("bandwidth", "4,8", "gpu.bandwidth=4800000000000&"),
        ("acceptance-1", "0,6", "acceptance=0.6,"),
        ("acceptance-1", "７５％", "acceptance=0.75,"),
        ("cost-1", "0,05", "cost=0.05"),
    ],
)
def test_numbers_are_taken_as_keyboards_of_other_countries_write_them(
    page: Page, control: str, typed: str, written: str
) -> None:
    page.handle("query", "")
    page.widgets[control].value = typed
    assert page.state()["notices"] == []
    assert written in str(page.state()["query"])


def test_an_acceptance_of_positions_takes_decimal_commas(page: Page) -> None:
    page.handle("query", "drafter=mtp")
    page.widgets["form-0"].value = "survival"
    page.widgets["acceptance-0"].value = "0,8 : 0,6"
    assert "survival=0.8:0.6" in str(page.state()["query"])
    page.widgets["acceptance-0"].value = "0.7,0.5"
    assert "survival=0.7:0.5" in str(page.state()["query"])
    page.handle("query", "")


def test_drafters_are_added_and_removed(page: Page) -> None:
    page.handle("add-drafter", None)
    assert len(page.state()["drafters"]) == 4
    page.handle("remove-drafter", 0)
    assert page.state()["drafters"][0]["name"] == "MTP"
    page.handle("remove-drafter", 17)
    page.handle("remove-drafter", "x")
    assert len(page.state()["drafters"]) == 3


def test_unknown_events_and_ids_are_ignored(page: Page) -> None:
    before = page.state()
    for name, value in (
        ("nothing", 1),
        ("preset", "no"),
        ("theme", "no"),
        ("show", 3),
        ("hide", 9),
        ("hide", {"line": "x"}),
        ("table", "x"),
    ):
        page.handle(name, value)
    assert page.state() == before


@pytest.mark.parametrize("typed", ["Qwen3 · 8B", "Qwen/Qwen3-8B", "qwen3-8b", " qwen/qwen3-8b "])
def test_a_model_is_found_by_label_id_and_repository(page: Page, typed: str) -> None:
    page.handle("query", "model=llama-2-7b")
    page.handle("model", typed)
    assert page.controls.scenario.model == "qwen3-8b"


def test_an_unlisted_repository_is_said_with_its_config_and_changes_nothing(page: Page) -> None:
    page.handle("query", "model=llama-2-7b")
    page.handle("model", "Owner/New-Model")
    refused = page.state()["refused"]
    assert refused is not None
    assert refused["field"] == "model-search"
    assert "https://huggingface.co/Owner/New-Model/raw/main/config.json" in page.state()["notices"][0]
    assert page.controls.scenario.model == "llama-2-7b"
    page.handle("query", "")


def test_a_hostile_link_is_shown_as_text_and_said() -> None:
    page = Page(HOSTILE_LINK)
    assert page.state()["drafters"][0]["name"] == HOSTILE
    assert any("<script>" in notice for notice in page.state()["notices"])
    for model in page.document.models:
        for tooltip in [getattr(model, "tooltips", None)]:
            assert HOSTILE not in str(tooltip)


def test_the_verdict_is_in_the_pages_language() -> None:
    page = Page("", "light", "zh")
    assert "批大小" in page.state()["verdict"]
    assert page.state()["headline"]["big"] == Page("").state()["headline"]["big"]


def test_a_chinese_page_says_its_presets_and_controls_in_chinese() -> None:
    page = Page("lang=zh", "light", "zh")
    assert page.state()["presets"][1]["title"] == "稠密模型"
    assert page.widgets["batch"].label == "批大小"
    assert page.widgets["kind-0"].options["理想"] == "ideal"
    assert "草稿长度" in str(chart(page, "speedup").plot.xaxis.axis_label)


def test_a_preset_keeps_how_the_reader_looks_at_the_page(page: Page) -> None:
    page.handle("query", "lang=zh&theme=dark")
    assert page.state()["preset"] == "article"
    page.handle("preset", "dense")
    assert str(page.state()["query"]).endswith("theme=dark&lang=zh")
    assert page.state()["preset"] == "dense"


def test_the_payoff_takes_what_the_reader_states(page: Page) -> None:
    for field, value in (("traffic", "2b"), ("after", "9"), ("training", "$1,000")):
        page.handle("field", {"form": "payoff", "field": field, "value": value})
    state = page.state()
    assert "traffic=2000000000&after=9&training=1000" in str(state["query"])
    assert [field["value"] for field in state["payoff"]] == ["2,000,000,000", "9", "1000"]
    assert "paid back" in state["notes"]["payoff"]
    page.handle("field", {"form": "payoff", "field": "after", "value": HOSTILE})
    assert HOSTILE in page.state()["notices"][0]
    assert "after=9" in str(page.state()["query"])
    page.handle("save", {"figure": "payoff", "kind": "csv"})
    assert offered_file(page)["text"].count("\n") == 3
    page.handle("field", {"form": "payoff", "field": "after", "value": ""})
    assert "&after=" not in str(page.state()["query"])
    page.handle("save", {"figure": "payoff", "kind": "csv"})
    assert page.state()["file"] is None


def test_the_state_is_json(page: Page) -> None:
    assert json.loads(json.dumps(page.state())) == page.state()


def test_the_page_has_one_place_for_every_root(page: Page) -> None:
    index = Path(__file__).resolve().parents[2] / "static" / "index.html"
    html = whole_page(index.read_text(encoding="utf-8"))
    for root in page.document.roots:
        assert html.count(f'data-root="{root.name}"') == 1
    assert html.count("data-root=") == len(page.document.roots)
