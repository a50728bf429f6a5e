"""Changes as steps: undone and redone by buttons, by keys and by the browser's Back; each with a title of its own."""

from __future__ import annotations

from playwright.sync_api import Browser
from visit import Visit, visiting

SETTLED_MS = 1000


def change(visit: Visit, control: str, value: str, written: str) -> None:
    """Type into a box of the page, and wait until the step has settled."""
    visit.set_widget(control, value)
    visit.until(f"() => location.search.includes('{written}')")
    visit.page.wait_for_timeout(SETTLED_MS)


def test_each_settled_change_is_undone_and_redone(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "?preset=dense") as visit:
        visit.until_ready()
        visit.until("() => location.search.includes('batch=32&')")
        page = visit.page
        assert "A dense model" in page.title()
        assert page.is_disabled("#undo")
        change(visit, "batch", "64", "batch=64&")
        assert "Batch 64" in page.title()
        change(visit, "batch", "128", "batch=128&")
        page.click("#undo")
        visit.until("() => location.search.includes('batch=64&') && document.title.includes('Batch 64')")
        page.go_back()
        visit.until("() => location.search.includes('batch=32&') && document.title.includes('A dense model')")
        assert page.is_disabled("#undo")
        page.click("#redo")
        visit.until("() => document.title.includes('Batch 64')")
        page.keyboard.press("Control+Shift+Z")
        visit.until("() => document.title.includes('Batch 128')")
        page.wait_for_timeout(SETTLED_MS)
        assert page.is_disabled("#redo")
        page.keyboard.press("Control+Z")
        visit.until("() => document.title.includes('Batch 64')")
        assert visit.errors == []


def test_what_is_changed_on_and_on_is_one_step(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        visit.until("() => location.search.includes('batch=32&')")
        before = visit.page.evaluate("history.length")
        for position in range(12, 18):
            visit.set_widget("batch-slider", position)
            visit.page.wait_for_timeout(100)
        visit.page.wait_for_timeout(SETTLED_MS)
        assert visit.page.evaluate("history.length") == before + 1
        visit.page.go_back()
        visit.until("() => location.search.includes('batch=32&')")


def test_a_settled_change_is_announced_once(chromium: Browser, site: str) -> None:
    with visiting(chromium, site) as visit:
        visit.until_ready()
        assert visit.page.text_content(".announcement") == ""
        visit.page.evaluate(
            """() => {
              window.said = [];
              const note = () => window.said.push(document.querySelector(".announcement").textContent);
              new MutationObserver(note).observe(document.querySelector(".announcement"), { childList: true });
            }"""
        )
        for position in range(12, 17):
            visit.set_widget("batch-slider", position)
            visit.page.wait_for_timeout(100)
        visit.until("() => window.said.length")
        visit.page.wait_for_timeout(1500)
        [said] = visit.page.evaluate("window.said")
        assert "draft length" in said
