"""How the page's figures are drawn: when, in which theme, and which of their lines."""

import numpy as np
from bokeh.models import AllIndices, AllLabels, UnionRenderers
from page_samples import TOO_LARGE, chart, source

from roofline_app import registry
from roofline_app.page.page import Page
from roofline_app.query import encode


def test_both_themes_draw_the_toy_model_in_the_lines_colour(page: Page) -> None:
    for theme in ("dark", "light"):
        page.handle("theme", theme)
        drawn = chart(page, "speedup")
        assert drawn.toy[1].glyph.line_color == drawn.lines[1].glyph.line_color == drawn.palette.drafters[1]
        assert drawn.toy[1].glyph.line_dash


def test_a_setting_beyond_memory_is_drawn_faint_and_said() -> None:
    page = Page(TOO_LARGE)
    assert chart(page, "speedup").lines[0].glyph.line_alpha < 1
    assert page.state()["notices"]


def test_a_hidden_figure_waits_until_it_is_shown(page: Page) -> None:
    page.handle("show", {"figure": "batch", "visible": False})
    before = np.array(source(page, "batch-1").data["speedup"])
    page.widgets["context"].value = "64k"
    assert np.array_equal(source(page, "batch-1").data["speedup"], before)
    page.handle("show", {"figure": "batch", "visible": True})
    assert np.array_equal(source(page, "batch-1").data["speedup"], page.evaluation.best_by_batch.drafters[1].speedup)


def test_what_is_not_on_the_screen_waits_until_it_is_shown(page: Page) -> None:
    page.handle("on-screen", ["speedup", "race", "no figure"])
    waiting, drawn = source(page, "batch-1"), source(page, "speedup-1")
    before = [np.array(one.data["speedup"]) for one in (waiting, drawn)]
    page.widgets["context"].value = "32k"
    assert np.array_equal(waiting.data["speedup"], before[0])
    assert not np.array_equal(drawn.data["speedup"], before[1])
    page.handle("show", {"figure": "batch", "visible": True})
    assert np.array_equal(waiting.data["speedup"], page.evaluation.best_by_batch.drafters[1].speedup)


def test_figures_share_models_that_keep_nothing_of_their_own(page: Page) -> None:
    kinds = [type(model) for chart in page.drawing.charts.values() for model in chart.plot.references()]
    for kind in (AllIndices, AllLabels, UnionRenderers):
        assert kind in kinds
        assert len({model.id for model in page.document.models if type(model) is kind}) == 1


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
    page.handle("switch", {"name": "fixed-length", "on": True})
    assert chart(page, "batch").lines[0].glyph.y == "speedup_at_this_draft_length"
    assert page.state()["switches"]["fixed-length"] is True


def test_a_hidden_line_is_not_drawn_and_keeps_its_data(page: Page) -> None:
    page.handle("hide", {"line": 0, "hidden": True})
    assert [line.visible for line in chart(page, "speedup").lines[:3]] == [False, True, True]
    assert len(source(page, "speedup-0").data["speedup"]) == 17
    assert page.state()["drafters"][0]["hidden"] is True
    page.handle("add-drafter", None)
    assert chart(page, "speedup").lines[0].visible


def test_a_phone_gets_shorter_labels(page: Page) -> None:
    assert chart(page, "speedup").ends.data["label"][2].startswith("γ*=16 (max), 3.00×")
    page.handle("narrow", True)
    assert chart(page, "speedup").ends.data["label"][2].startswith("γ*≥16, 3.00×")


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
