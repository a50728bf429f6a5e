"""Measurements in the built page: a dropped benchmark, published points, what moves the speedup."""

from __future__ import annotations

from playwright.sync_api import Browser
from visit import Visit, eventually, visiting

LINK = "?model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&context=2k&profile=calibrated&drafter=mtp&drafter=block"
DROP = """(text) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "<b>runs</b>.csv", { type: "text/csv" }));
  dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""
RUNS = """engine,model,gpu,gpus,batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token
sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,0,1,0.012
sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,3,2.5,0.006
"""


def squares(visit: Visit) -> list[float]:
    """Draft lengths of the reader's own points on the first figure."""
    points = visit.source("speedup-measured")
    return [x for x, shape in zip(points["x"], points["shape"], strict=True) if shape == "square"]


def test_a_dropped_benchmark_becomes_points_and_its_name_stays_text(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, LINK) as visit:
        visit.until_ready()
        visit.page.evaluate(DROP, RUNS)
        visit.until("() => document.querySelector('.notices').textContent.includes('<b>runs</b>.csv: 2 runs')")
        points = visit.source("speedup-measured")
        own = [index for index, shape in enumerate(points["shape"]) if shape == "square"]
        assert [(points["x"][index], points["y"][index]) for index in own] == [(3.0, 2.0)]
        assert "diamond" in points["shape"]
        visit.page.evaluate("() => { document.querySelector('#validation').open = true; }")
        visit.until("() => document.querySelectorAll('#validation table').length === 4")
        assert visit.page.query_selector(".notices b, #validation b") is None
        assert visit.errors == []
        assert visit.foreign_requests == []


def test_a_profile_is_fitted_to_dropped_runs_and_told_as_text(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, LINK) as visit:
        visit.until_ready()
        visit.page.evaluate("() => { document.querySelector('#validation').open = true; }")
        assert visit.page.locator("#own-fit").is_hidden()
        visit.page.evaluate(DROP, RUNS)
        visit.until("() => document.querySelector('#own-fit-hint').textContent.includes('1 of your runs')")
        more = [RUNS.splitlines()[0], *(f"sglang,Qwen/Qwen3.5-27B,B200,1,{batch},2048,0,1,0.02" for batch in (1, 32))]
        visit.page.evaluate(DROP, "\n".join(more))
        visit.until("() => document.querySelector('#own-fit-hint').textContent.includes('3 of your runs')")
        visit.page.locator("#own-fit").click()
        visit.until("() => document.querySelectorAll('#own-profile tbody tr').length === 3 + 15")
        assert "3 points" in visit.page.locator("#own-profile .said").inner_text()
        assert visit.errors == []


def test_a_pasted_text_is_read_its_setting_taken_and_its_draft_length_asked_for(chromium: Browser, site: str) -> None:
    text = RUNS.replace("2048,3,2.5", "2048,,2.5").replace("<b>", "")
    with visiting(chromium, site, "?model=qwen3-8b") as visit:
        visit.until_ready()
        visit.page.evaluate(
            """(text) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", text);
              dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            }""",
            text,
        )
        visit.until("() => document.querySelector('.notices').textContent.includes('pasted text: 2 runs')")
        visit.page.locator("#validation summary").first.click()
        visit.page.locator("[data-take]").click()
        visit.until("() => location.search.includes('model=qwen3.5-27b')")
        visit.page.locator("#own-list input").fill("3")
        visit.page.locator("#own-list input").press("Enter")
        visit.until("() => document.querySelector('#own-list input') === null")
        visit.page.evaluate("() => scrollTo(0, 0)")  # a figure out of sight is not drawn
        assert eventually(lambda: squares(visit) == [3.0])
        with visit.page.expect_download() as saved:
            visit.page.locator("#own-contribute").click()
        assert saved.value.suggested_filename == "measurement.md"
        assert visit.errors == []


def test_a_text_pasted_into_a_field_stays_there(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.page.locator("#validation summary").first.click()
        visit.page.locator("#own-text").evaluate(
            """(field, text) => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", text);
              field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, composed: true }));
            }""",
            RUNS,
        )
        visit.page.wait_for_timeout(500)
        assert visit.page.locator("#own-list li").count() == 0
        visit.page.locator("#own-text").fill(RUNS)
        visit.page.locator("#own-use").click()
        visit.until("() => document.querySelectorAll('#own-list li').length === 1")
        assert visit.errors == []


def test_an_unlisted_repository_has_a_link_to_its_config_and_no_request(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "?model=Owner/New-Model") as visit:
        visit.until_ready()
        link = visit.page.locator(".notices a")
        assert link.get_attribute("href") == "https://huggingface.co/Owner/New-Model/raw/main/config.json"
        assert visit.foreign_requests == []


def test_a_measured_acceptance_is_found_by_name(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.set_widget("form-1", "measured")
        visit.until("() => document.querySelector('[data-line=\"1\"] [data-field=measured]')")
        field = visit.page.locator('[data-line="1"] [data-field=measured]')
        field.fill("DeepSeek-V4-Pro MTP, thinking off")
        visit.until("() => location.search.includes('preset=deepseek-v4-pro-mtp-thinking-off')")
        assert visit.errors == []


def test_a_search_that_has_begun_stays_empty_when_an_answer_comes(chromium: Browser, site: str) -> None:
    """The name that the box showed would else stand before what is typed next."""
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.set_widget("form-1", "measured")
        visit.until("() => document.querySelector('[data-line=\"1\"] [data-field=measured]')")
        field = visit.page.locator('[data-line="1"] [data-field=measured]')
        field.focus()
        visit.page.evaluate("() => { globalThis.before = location.search; }")
        visit.set_widget("batch", "8")
        visit.until("() => location.search !== before")
        assert field.input_value() == ""
        visit.page.keyboard.type("deepseek-v4-pro-mtp-thinking-off")
        visit.page.keyboard.press("Enter")
        visit.until("() => location.search.includes('preset=deepseek-v4-pro-mtp-thinking-off')")


def test_what_moves_the_speedup_is_computed_when_it_is_seen(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, LINK) as visit:
        visit.until_ready()
        assert visit.source("sensitivity")["y"] == []
        visit.page.locator("[data-figure=sensitivity]").scroll_into_view_if_needed()
        visit.until(
            "() => [...Bokeh.documents[0]._all_models.values()]"
            ".find((m) => m.name === 'sensitivity' && m.type === 'ColumnDataSource')?.get_array('y').length > 10"
        )
        assert visit.errors == []
