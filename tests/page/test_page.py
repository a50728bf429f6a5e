"""The page without a browser: set a control, read a figure's source."""

import json
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest
from bokeh.events import Tap
from bokeh.models import ColumnDataSource
from page_samples import HOSTILE, HOSTILE_LINK, TOO_LARGE

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.page.page import Page
from roofline_app.page.views.map import CONTEXTS
from roofline_app.query import decode, encode
from roofline_app.verdict import best_drafter

CONFIG = {
    "model_type": "qwen3",
    "hidden_size": 1024,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 3072,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}


@pytest.fixture(scope="module")
def built() -> Page:
    return Page("")


@pytest.fixture
def page(built: Page) -> Page:
    """Return a page as it is when it opens; building one takes longer than most of these tests."""
    built.handle("theme", "light")
    built.handle("narrow", False)
    built.handle("fixed-length", False)
    for line in range(5):
        built.handle("hide", {"line": line, "hidden": False})
    for name in built.drawing.charts:
        built.handle("show", {"figure": name, "visible": True})
        built.handle("table", {"figure": name, "open": False})
    built.handle("query", "")
    return built


def source(page: Page, name: str) -> ColumnDataSource:
    found = [model for model in page.document.models if model.name == name and isinstance(model, ColumnDataSource)]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("preset", registry.presets())
def test_figures_hold_what_evaluate_returns_for_every_preset(page: Page, preset: str) -> None:
    page.handle("preset", preset)
    expected = evaluate(decode(registry.presets()[preset].query).scenario)
    assert page.state()["query"] == expected.query
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
        ("model", "Qwen3 · 8B", "model", "qwen3-8b"),
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
    assert page.widgets["batch"].value == "32"
    assert "batch=32" in str(state["query"])
    assert HOSTILE in state["notices"][0]
    page.widgets["batch"].value = "64"
    assert page.state()["notices"] == []


def test_drafters_are_added_and_removed(page: Page) -> None:
    page.handle("add-drafter", None)
    assert len(page.state()["drafters"]) == 4
    page.handle("remove-drafter", 0)
    assert page.state()["drafters"][0]["name"] == "MTP"
    page.handle("remove-drafter", 17)
    page.handle("remove-drafter", "x")
    assert len(page.state()["drafters"]) == 3


def test_a_dropped_config_is_used_and_named(page: Page) -> None:
    page.handle("config", json.dumps(CONFIG))
    state = page.state()
    assert "model=custom" in str(state["query"])
    assert "config=" in str(state["query"])
    assert "config.json" in state["notices"][0]
    other = Page(str(state["query"]))
    assert other.evaluation.model.parameters == page.evaluation.model.parameters


@pytest.mark.parametrize(
    "text", ["", "not json", "[]", "{}", '{"model_type": "<b>unknown</b>"}', json.dumps({**CONFIG, "hidden_size": -1})]
)
def test_a_config_that_cannot_be_read_changes_nothing_and_is_refused_in_one_line(page: Page, text: str) -> None:
    before = page.state()["query"]
    page.handle("config", text)
    assert page.state()["query"] == before
    notice = page.state()["notices"][0]
    assert notice.startswith("This config.json is not used")
    assert "\n" not in notice


def test_a_link_too_long_to_share_is_said(page: Page) -> None:
    noise = {f"unused_{index}": f"{index * 7919:x}{index * 104729:x}{index**3:x}" for index in range(2000)}
    page.handle("config", json.dumps({**CONFIG, **noise}))
    assert any("characters" in notice for notice in page.state()["notices"])


def test_unknown_events_and_ids_are_ignored(page: Page) -> None:
    before = page.state()
    for name, value in (
        ("nothing", 1),
        ("preset", "no"),
        ("model", "no"),
        ("theme", "no"),
        ("show", 3),
        ("hide", 9),
        ("hide", {"line": "x"}),
        ("table", "x"),
    ):
        page.handle(name, value)
    assert page.state() == before


def test_a_hostile_link_is_shown_as_text_and_said() -> None:
    page = Page(HOSTILE_LINK)
    assert page.state()["drafters"][0]["name"] == HOSTILE
    assert any("<script>" in notice for notice in page.state()["notices"])
    for model in page.document.models:
        for tooltip in [getattr(model, "tooltips", None)]:
            assert HOSTILE not in str(tooltip)


def test_a_setting_beyond_memory_is_drawn_faint_and_said() -> None:
    page = Page(TOO_LARGE)
    assert page.drawing.speedup.lines[0].glyph.line_alpha < 1
    assert page.state()["notices"]


def test_both_themes_draw_the_toy_model_in_the_lines_colour(page: Page) -> None:
    for theme in ("dark", "light"):
        page.handle("theme", theme)
        chart = page.drawing.speedup
        assert chart.toy[1].glyph.line_color == chart.lines[1].glyph.line_color == chart.palette.drafters[1]
        assert chart.toy[1].glyph.line_dash


def test_a_hidden_figure_waits_until_it_is_shown(page: Page) -> None:
    page.handle("show", {"figure": "batch", "visible": False})
    before = np.array(source(page, "batch-1").data["speedup"])
    page.widgets["context"].value = "64k"
    assert np.array_equal(source(page, "batch-1").data["speedup"], before)
    page.handle("show", {"figure": "batch", "visible": True})
    assert np.array_equal(source(page, "batch-1").data["speedup"], page.evaluation.best_by_batch.drafters[1].speedup)


def test_figures_further_down_are_drawn_when_they_are_first_shown() -> None:
    page = Page("")
    assert len(source(page, "rates-plain").data["batch"]) == 0
    page.handle("show", {"figure": "rates", "visible": True})
    page.handle("show", {"figure": "acceptance", "visible": True})
    without = page.evaluation.best_by_batch.without
    assert np.array_equal(
        source(page, "rates-plain").data["tokens_per_second_per_gpu"], without.tokens_per_second_per_gpu
    )
    assert len(page.state()["keys"]["rates"]) == 4
    for index, result in enumerate(page.evaluation.drafters):
        assert source(page, "acceptance-own").data["y"][index] == result.best.speedup


def test_a_table_is_sent_while_it_is_open(page: Page) -> None:
    assert page.state()["tables"] == {}
    page.handle("table", {"figure": "speedup", "open": True})
    assert len(page.state()["tables"]["speedup"]["rows"]) == 17
    page.handle("table", {"figure": "speedup", "open": False})
    assert page.state()["tables"] == {}


def test_the_batch_figure_switches_to_this_draft_length(page: Page) -> None:
    page.handle("fixed-length", True)
    assert page.drawing.batch.lines[0].glyph.y == "speedup_at_this_draft_length"
    assert page.state()["fixed_length"] is True


def test_a_hidden_line_is_not_drawn_and_keeps_its_data(page: Page) -> None:
    page.handle("hide", {"line": 0, "hidden": True})
    assert [line.visible for line in page.drawing.speedup.lines[:3]] == [False, True, True]
    assert len(source(page, "speedup-0").data["speedup"]) == 17
    assert page.state()["drafters"][0]["hidden"] is True
    page.handle("add-drafter", None)
    assert page.drawing.speedup.lines[0].visible


def test_a_phone_gets_shorter_labels(page: Page) -> None:
    assert page.drawing.speedup.marks.data["label"][2].startswith("γ*=16 (max), 2.9")
    page.handle("narrow", True)
    assert page.drawing.speedup.marks.data["label"][2].startswith("γ*≥16, 2.9")


def test_figures_are_never_rebuilt(page: Page) -> None:
    before = {model.id for model in page.document.models}
    for preset in registry.presets():
        page.handle("preset", preset)
    page.handle("theme", "dark")
    assert {model.id for model in page.document.models} == before


def test_a_change_that_changes_nothing_sends_nothing(page: Page) -> None:
    events: list[object] = []
    page.document.on_change(events.append)
    page.handle("query", encode(page.controls.scenario))
    assert events == []


def test_the_verdict_is_in_the_pages_language() -> None:
    page = Page("", "light", "zh")
    assert "批大小" in page.state()["verdict"]
    assert page.state()["headline"]["big"] == Page("").state()["headline"]["big"]


def test_a_chinese_page_says_its_presets_and_controls_in_chinese() -> None:
    page = Page("lang=zh", "light", "zh")
    assert page.state()["presets"][1]["title"] == "稠密模型"
    assert page.widgets["batch"].label == "批大小"
    assert "草稿长度" in str(page.drawing.speedup.plot.xaxis.axis_label)


def test_a_preset_keeps_how_the_reader_looks_at_the_page(page: Page) -> None:
    page.handle("query", "lang=zh&theme=dark")
    assert page.state()["preset"] == "article"
    page.handle("preset", "dense")
    assert str(page.state()["query"]).endswith("theme=dark&lang=zh")
    assert page.state()["preset"] == "dense"


def test_a_pinned_setting_stays_while_the_current_one_changes(page: Page) -> None:
    page.handle("pin", True)
    before = page.evaluation
    page.widgets["batch"].value = "256"
    assert "DeepSeek-V4 Pro" in page.state()["pinned"]
    assert "compare=" in str(page.state()["query"])
    behind = source(page, "speedup-pinned").data
    assert behind["y"] == [result.speedup.tolist() for result in before.drafters]
    assert source(page, "batch-pinned").data["y"][1] == before.best_by_batch.drafters[1].speedup.tolist()
    assert not np.array_equal(source(page, "speedup-1").data["speedup"], before.drafters[1].speedup)
    page.handle("preset", "dense")
    assert page.state()["preset"] == "dense"
    assert page.state()["pinned"]
    page.handle("pin", False)
    assert page.state()["pinned"] == ""
    assert source(page, "speedup-pinned").data["y"] == []
    assert "compare=" not in str(page.state()["query"])


def test_swapping_twice_is_where_one_was(page: Page) -> None:
    page.handle("swap", None)
    assert page.state()["pinned"] == ""
    page.handle("pin", True)
    page.widgets["context"].value = "64k"
    before = page.state()["query"]
    page.handle("swap", None)
    assert page.evaluation.context == 4096
    page.handle("swap", None)
    assert page.state()["query"] == before


def test_a_link_with_a_pinned_setting_shows_both() -> None:
    page = Page("batch=64&compare=" + quote("model=qwen3-8b&gpus=1&drafter=ngram"))
    page.handle("show", {"figure": "rates", "visible": True})
    assert "Qwen3 8B" in page.state()["pinned"]
    assert source(page, "speedup-pinned").data["name"] == ["Pinned: N-gram"]
    assert len(source(page, "rates-pinned").data["y"]) == 2


def fill_map(page: Page) -> int:
    page.handle("show", {"figure": "map", "visible": True})
    rows = 0
    while page.state()["map"]["waits"]:
        page.handle("advance", page.state()["map"]["revision"])
        rows += 1
    return rows


def test_the_map_is_computed_row_by_row_and_only_while_it_is_on_the_screen() -> None:
    page = Page("")
    assert page.state()["map"]["waits"] == 0
    assert fill_map(page) == len(CONTEXTS)
    cells = source(page, "map").data
    for batch, context in ((1, 128), (64, 32768), (4096, 1048576)):
        (cell,) = [
            i for i in range(len(cells["batch"])) if (cells["batch"][i], cells["context"][i]) == (batch, context)
        ]
        best = best_drafter(evaluate(decode(f"batch={batch}&context={context}").scenario))
        assert cells["speedup"][cell] == pytest.approx(best.best.speedup, rel=1e-12)
        assert cells["draft_tokens"][cell] == best.best.draft_tokens
        assert cells["name"][cell] == best.name


def test_a_newer_setting_cancels_the_rows_of_the_last_one() -> None:
    page = Page("")
    page.handle("show", {"figure": "map", "visible": True})
    before = page.state()["map"]
    page.handle("advance", before["revision"])
    page.widgets["gpu"].value = "h200-sxm"
    page.handle("advance", before["revision"])
    after = page.state()["map"]
    assert after["waits"] == len(CONTEXTS)
    assert after["revision"] > before["revision"]


def test_the_map_of_another_batch_is_the_same_map() -> None:
    page = Page("")
    fill_map(page)
    page.widgets["batch"].value = "8"
    assert page.state()["map"]["waits"] == 0
    assert page.drawing.map.now.data["x"] == [3.0]


def test_a_cell_of_the_map_is_a_setting_and_a_click_takes_it() -> None:
    page = Page("")
    fill_map(page)
    page.document.callbacks.trigger_event(Tap(page.drawing.map.plot, x=6.2, y=2.9))
    assert (page.evaluation.batch, page.evaluation.context) == (64, 1024)
    page.document.callbacks.trigger_event(Tap(page.drawing.map.plot, x=99, y=0))
    page.document.callbacks.trigger_event(Tap(page.drawing.map.plot, x=None, y=None))
    assert page.evaluation.batch == 64


def test_the_map_has_a_table_and_a_file_and_names_draft_lengths() -> None:
    page = Page("")
    page.handle("save", {"figure": "map", "kind": "csv"})
    assert page.state()["file"] is None
    fill_map(page)
    page.handle("table", {"figure": "map", "open": True})
    table = page.state()["tables"]["map"]
    assert [row[0] for row in table["rows"]][:2] == ["128", "256"]
    assert len(table["header"]) == 14
    page.handle("save", {"figure": "map", "kind": "csv"})
    assert page.state()["file"]["text"].startswith("context,batch,drafter,draft_tokens,speedup,fits\n128,1,")
    page.handle("map-lengths", True)
    cells = source(page, "map").data
    assert cells["text"][0] == str(cells["draft_tokens"][0])
    page.handle("narrow", True)
    assert set(source(page, "map").data["text"]) == {""}


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
    assert page.state()["file"]["text"].count("\n") == 3
    page.handle("field", {"form": "payoff", "field": "after", "value": ""})
    assert "&after=" not in str(page.state()["query"])
    page.handle("save", {"figure": "payoff", "kind": "csv"})
    assert page.state()["file"] is None


def test_the_state_is_json(page: Page) -> None:
    assert json.loads(json.dumps(page.state())) == page.state()


def test_the_page_has_one_place_for_every_root(page: Page) -> None:
    html = (Path(__file__).resolve().parents[2] / "static" / "index.html").read_text(encoding="utf-8")
    for root in page.document.roots:
        assert html.count(f'data-root="{root.name}"') == 1
    assert html.count("data-root=") == len(page.document.roots)
