"""The finder of models: words in any order, over id, name and Hugging Face repository; Enter takes the first."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from visit import Visit, visiting

BOX = "#model-search"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Qwen3 32B", "qwen3-32b"),
        ("qwen 32", "qwen3-32b"),
        ("deepseek r1", "deepseek-r1"),
        ("70b llama", "llama-3.1-70b"),
        ("llama-3.3", "llama-3.3-70b"),
        ("gpt oss", "gpt-oss-20b"),
        ("Qwen/Qwen3-32B", "qwen3-32b"),
        ("ｑｗｅｎ３　３２ｂ", "qwen3-32b"),
    ],
)
def test_words_in_any_order_find_a_model_and_enter_takes_the_first(default_page: Visit, typed: str, found: str) -> None:
    page = default_page.page
    page.click("[data-open=model]")
    page.fill(BOX, typed)
    shown = page.eval_on_selector_all("[data-model]:not([hidden])", "(all) => all.map((b) => b.dataset.model)")
    assert found in shown
    assert len(shown) <= 12
    page.press(BOX, "Enter")
    default_page.until(f"() => location.search.includes('model={shown[0]}&')")
    assert page.evaluate("document.activeElement.dataset.open") == "model"
    assert default_page.errors == []


def test_each_model_is_listed_with_its_size_and_kind(default_page: Visit) -> None:
    page = default_page.page
    assert "32.8B, dense · measured" in (page.text_content("[data-model='qwen3-32b']") or "")
    assert "671B, 37B active, sparse" in (page.text_content("[data-model='deepseek-r1']") or "")


def test_a_name_that_finds_nothing_leads_to_the_config(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.page.click("[data-open=model]")
        visit.page.fill(BOX, "Owner/New-Model")
        assert "config.json" in (visit.page.text_content("#models-found") or "")
        assert visit.page.locator("[data-model]:visible").count() == 0
        visit.page.press(BOX, "Enter")
        visit.until("() => document.querySelector('.refusal')")
        assert "Owner/New-Model" in (visit.page.text_content(".refusal") or "")
        assert visit.page.get_attribute(BOX, "aria-invalid") == "true"


def test_leaving_an_open_panel_closes_it(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.page.click("[data-open=batch]")
        for _ in range(4):
            visit.page.keyboard.press("Tab")
        assert visit.page.locator(".popover:visible").count() == 0
        assert visit.page.get_attribute("[data-open=batch]", "aria-expanded") == "false"
