"""The built page in the browser: it shows what a separate native process computes, and takes what readers do to it."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, quote

import pytest
from evaluated import SAME, differences, native, shown_query
from installed import ROOT
from playwright.sync_api import Browser
from visit import Visit, eventually, visiting

from roofline_app import registry
from roofline_app.query.vocabulary import figure_ids

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}
# Of the presets; the slow tests take the others.
TYPICAL = {"article", "measured-drafters", "own-gpus", "two-groups"}
DROP = """(text) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "config.json", { type: "application/json" }));
  dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""


def notices(visit: Visit) -> str:
    """The page's notices."""
    return str(visit.page.evaluate("() => document.querySelector('.notices').textContent"))


def test_the_page_opens_without_an_error_under_its_policy(default_page: Visit) -> None:
    assert default_page.errors == []


def test_a_document_that_is_replaced_while_it_is_drawn_is_left_in_peace(default_page: Visit) -> None:
    # As an embed does that shares the Python of another one: its own page takes the place of the prepared one.
    module = (ROOT / "static" / "draw-document.js").read_text(encoding="utf-8")
    default_page.page.route(
        "**/draw-document.js", lambda route: route.fulfill(body=module, content_type="text/javascript")
    )
    drawn = default_page.page.evaluate(
        """async () => {
          const { drawDocument } = await import("./draw-document.js");
          const { documents, roots } = JSON.parse(document.getElementById("opening-light").textContent);
          const late = { "figure-payoff": roots["figure-payoff"] }; // below the screen
          const names = [];
          const drawer = new AbortController();
          const opening = { documents, roots: late };
          const onDrawn = (name) => names.push(name);
          const { drawn, rest } = await drawDocument(opening, onDrawn, drawer.signal, Promise.resolve());
          drawer.abort();
          drawn.clear();
          await rest;
          return names;
        }"""
    )
    assert drawn == []


def test_nothing_is_asked_of_another_origin(default_page: Visit) -> None:
    assert len(default_page.requests) > 10
    assert default_page.foreign_requests == []


@pytest.mark.parametrize(
    "preset",
    [
        pytest.param(preset, marks=[] if preset in TYPICAL else pytest.mark.slow)
        for preset in sorted(registry.presets())
    ],
)
def test_the_figures_of_a_link_hold_what_a_native_process_computes(chromium: Browser, site: str, preset: str) -> None:
    query = registry.presets()[preset].query
    with visiting(chromium, site, f"?{query}") as visit:
        visit.until_ready()
        computed = native(query)
        assert eventually(lambda: differences(visit, computed) == []), differences(visit, computed)
        assert visit.errors == []


def test_a_moved_control_changes_the_curve_the_words_and_the_address(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        before = visit.source("speedup-1")["speedup"]
        visit.set_widget("acceptance-slider-1", 0.5)
        visit.until("() => location.search.includes('acceptance=0.5')")
        after = visit.source("speedup-1")["speedup"]
        assert after[-1] < before[-1]
        assert after == pytest.approx(native(shown_query(visit))["drafters"][1]["speedup"], rel=SAME)
        assert visit.errors == []


def test_a_shared_link_opens_what_was_shared(chromium: Browser, site: str) -> None:
    query = "model=qwen3-32b&gpu=h100-sxm&gpus=4&batch=4&context=2048&cap=7&drafter=eagle3,acceptance=0.6,name=Mine"
    with visiting(chromium, site, f"?{query}") as visit:
        visit.until_ready()
        visit.until("() => location.search.includes('kv=')")
        computed = native(query)
        assert eventually(lambda: differences(visit, computed) == []), differences(visit, computed)
        written = parse_qs(shown_query(visit))
        assert written["batch"] == ["4"]
        assert written["drafter"] == ["eagle3,acceptance=0.6,cost=0.1,name=Mine"]
        assert "Mine" in visit.page.inner_text("main")


def test_a_preset_is_one_click_and_back_is_one_more(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.page.click("[data-preset=dense]")
        visit.until("() => document.querySelector('[data-open=model]').textContent.includes('Qwen3.5')")
        visit.until("() => location.search.includes('qwen3.5-27b')")
        visit.page.go_back()
        visit.until("() => document.querySelector('[data-open=model]').textContent.includes('DeepSeek')")
        assert visit.errors == []


def test_a_dropped_config_is_read(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.page.evaluate(DROP, json.dumps(CONFIG))
        visit.until("() => location.search.includes('model=custom')")
        evaluation = native(shown_query(visit))
        # Meta's model card of Llama 3.2 1B, whose shape this is: 1.24 billion parameters.
        assert evaluation["model"]["parameters"] == pytest.approx(1.24e9, rel=0.01)
        visit.until(f"() => document.querySelector('.notices').textContent.length > {0}")


def test_a_broken_config_is_refused_by_field_and_changes_nothing(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        before = visit.source("speedup-0")
        visit.page.evaluate(DROP, json.dumps({**CONFIG, "hidden_size": "<img src=x>"}))
        visit.until("() => document.querySelector('.notices').textContent.includes('hidden_size')")
        assert "Traceback" not in notices(visit)
        assert visit.source("speedup-0") == before
        assert visit.page.query_selector("img") is None
        assert visit.errors == []


@pytest.mark.parametrize(
    ("query", "named"),
    [
        pytest.param("batch=-5", "batch", id="negative batch"),
        pytest.param("batch=" + quote("<img src=x onerror=alert(1)>"), "batch", id="markup as batch"),
        pytest.param(quote("<script>alert(1)</script>") + "=1", "<script>", id="markup as key"),
        pytest.param("model=" + quote("<b>mine</b>"), "<b>mine</b>", id="markup as model"),
        pytest.param("model=custom&config=AAAA", "config", id="a config that is none"),
    ],
)
def test_a_hostile_link_gets_a_notice_and_no_markup(chromium: Browser, site: str, query: str, named: str) -> None:
    with visiting(chromium, site, f"?{query}") as visit:
        visit.until_ready()
        assert named in notices(visit)
        assert visit.page.query_selector("main img, main script, .notices b") is None
        assert visit.errors == []


def test_a_readers_name_for_a_line_is_text(chromium: Browser, site: str) -> None:
    name = quote(quote("<i>x</i>"))
    with visiting(chromium, site, f"?drafter=mtp,name={name}") as visit:
        visit.until_ready()
        assert "<i>x</i>" in visit.page.inner_text("main")
        assert visit.page.query_selector("main .card b, main td i, .verdict i") is None
        assert visit.errors == []


def test_a_chinese_browser_gets_a_chinese_page_and_can_switch(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "?batch=8", locale="zh-CN") as visit:
        visit.until_ready()
        answer = visit.page.inner_text("#answer")
        assert "批大小为 8 时" in answer
        assert "draft length" not in answer
        assert visit.page.evaluate("() => document.documentElement.lang") == "zh-Hans"
        before = visit.source("speedup-1")
        visit.page.click("#language")
        visit.until("() => document.documentElement.lang === 'en'")
        visit.until_ready()
        assert "lang=en" in shown_query(visit)
        assert "batch=8" in shown_query(visit)
        assert "draft length" in visit.page.inner_text("#answer")
        assert visit.source("speedup-1")["speedup"] == before["speedup"]
        assert visit.errors == []


@pytest.mark.parametrize("kind", ["csv", "png", "svg"])
def test_a_figure_is_saved(chromium: Browser, site: str, kind: str) -> None:
    with visiting(chromium, site, accept_downloads=True) as visit:
        visit.until_ready()
        visit.page.click("[data-figure=speedup] .save summary")
        with visit.page.expect_download() as download:
            visit.page.click(f"[data-figure=speedup] [data-save={kind}], [data-figure=speedup] [data-picture={kind}]")
        content = Path(download.value.path()).read_bytes()
        start = {"csv": b"drafter,draft_tokens,speedup", "png": b"\x89PNG", "svg": b"<svg"}[kind]
        assert content.startswith(start)
        assert len(content) > 2000
        assert visit.errors == []


def test_a_link_to_one_figure_shows_that_figure_alone(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "?figure=time&controls=batch&batch=8") as visit:
        visit.until_ready()
        shown = "() => [...document.querySelectorAll('[data-figure]:not([hidden])')].map((f) => f.dataset.figure)"
        assert visit.page.evaluate(shown) == ["time"]
        enabled = "() => [...document.querySelectorAll('[data-open]:enabled')].map((b) => b.dataset.open)"
        assert visit.page.evaluate(enabled) == ["batch"]
        visit.until("() => location.search.includes('figures=time')")
        visit.until("() => document.querySelector('#whole a').search.includes('batch=8')")
        visit.page.click("#whole a")
        visit.until_ready()
        assert len(visit.page.evaluate(shown)) > 5
        assert visit.errors == []


def test_the_map_fills_when_it_is_seen_and_a_click_takes_its_setting(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "?model=qwen3-8b&gpus=1") as visit:
        visit.until_ready()
        visit.page.locator("[data-figure=map]").scroll_into_view_if_needed()
        visit.until("() => [...Bokeh.documents[0]._all_models.values()].find((m) => m.name === 'map').length === 182")
        cells = visit.source("map")
        cell = next(i for i in range(182) if (cells["batch"][i], cells["context"][i]) == (64, 2048))
        expected = native("model=qwen3-8b&gpus=1&batch=64&context=2048")
        real = [line["best"]["speedup"] for line in expected["drafters"] if line["kind"] != "ideal"]
        assert cells["speedup"][cell] == pytest.approx(max(real), rel=SAME)
        box = visit.page.locator("[data-figure=map] .plot").bounding_box()
        assert box
        visit.page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.5)
        visit.until("() => !location.search.includes('batch=32&context=4096')")
        assert visit.errors == []


def test_a_pinned_setting_is_drawn_behind_the_current_one(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        before = visit.source("speedup-1")["speedup"]
        visit.page.click("#pin")
        visit.until("() => location.search.includes('compare=')")
        visit.page.click("[data-preset=dense]")
        visit.until("() => document.querySelector('[data-open=model]').textContent.includes('Qwen3.5')")
        assert [list(line) for line in visit.source("speedup-pinned")["y"]][1] == before
        assert "DeepSeek" in visit.page.inner_text(".pinned")
        visit.until("() => location.search.includes('qwen3.5-27b') && location.search.includes('compare=')")
        speedups = native(shown_query(visit))["drafters"][1]["speedup"]
        assert visit.source("speedup-1")["speedup"] == pytest.approx(speedups, rel=SAME)
        assert visit.errors == []


@pytest.mark.parametrize(
    ("link", "posters"),
    [
        ("?preset=dense", len(figure_ids())),
        ("?preset=dense&lang=zh", len(figure_ids())),
        ("?preset=dense&batch=2", 0),
        ("?preset=unknown", 0),
    ],
)
def test_a_presets_pictures_stand_for_its_figures_until_python_is_there(
    chromium: Browser, site: str, link: str, posters: int
) -> None:
    context = chromium.new_context(viewport={"width": 1240, "height": 900})
    page = context.new_page()
    page.route("**/*.wasm", lambda _: None)  # Python never comes
    page.goto(site + link)
    visit = Visit(page, site)
    visit.until("() => document.documentElement.dataset.python")
    displayed = page.evaluate("() => [...document.querySelectorAll('.poster')].map((p) => getComputedStyle(p).display)")
    assert displayed == ["block"] * posters
    if posters:
        assert visit.until("() => document.querySelector('[data-figure=speedup] .poster').naturalWidth > 0")
    context.close()
