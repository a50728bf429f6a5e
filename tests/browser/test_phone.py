"""The page under a finger: swipes over sliders scroll, and a refused text is marked where it was typed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser
from visit import Visit, eventually, visiting

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@contextmanager
def on_a_phone(chromium: Browser, site: str, query: str = "") -> Iterator[Visit]:
    with visiting(chromium, site, query, **PHONE) as visit:
        visit.until_ready()
        yield visit


def swipe(visit: Visit, start: tuple[float, float], sideways: float, down: float) -> None:
    """Move one finger, as the browser itself gets it."""
    session = visit.page.context.new_cdp_session(visit.page)
    (x, y), steps = start, 12

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", start)
    for step in range(1, steps + 1):
        touch("touchMove", (x + sideways * step / steps, y + down * step / steps))
        visit.page.wait_for_timeout(16)
    touch("touchEnd")
    visit.page.wait_for_timeout(300)


def slider_at(visit: Visit, name: str) -> tuple[float, float]:
    """Bring a slider to the middle of the screen; return a point at the first third of its track."""
    visit.until(f"() => document.querySelector('[data-root={name}]').firstElementChild?.shadowRoot")
    visit.page.evaluate(f"() => document.querySelector('[data-root={name}]').scrollIntoView({{ block: 'center' }})")
    visit.page.wait_for_timeout(300)
    box = visit.page.locator(f"[data-root={name}] .noUi-target").bounding_box()
    assert box
    return box["x"] + box["width"] / 3, box["y"] + box["height"] / 2


def test_a_vertical_swipe_over_a_slider_scrolls_and_a_horizontal_one_sets_it(chromium: Browser, site: str) -> None:
    with on_a_phone(chromium, site) as visit:
        start = slider_at(visit, "acceptance-slider-1")
        before, top = visit.page.input_value("[data-root=acceptance-1] input"), visit.page.evaluate("scrollY")
        swipe(visit, start, 3, -200)
        assert visit.page.evaluate("scrollY") > top + 100
        assert visit.page.input_value("[data-root=acceptance-1] input") == before
        swipe(visit, slider_at(visit, "acceptance-slider-1"), 60, 3)
        box = visit.page.locator("[data-root=acceptance-1] input")
        assert eventually(lambda: box.input_value() != before)
        assert visit.errors == []


def test_a_refused_text_is_marked_where_it_was_typed(chromium: Browser, site: str) -> None:
    with on_a_phone(chromium, site) as visit:
        box = visit.page.locator("[data-root=acceptance-1] input")
        box.fill("abc")
        box.press("Enter")
        visit.until("() => document.querySelector('.refusal')")
        assert box.get_attribute("aria-invalid") == "true"
        assert box.input_value() == "abc"
        message = visit.page.locator(".refusal")
        assert "abc" in (message.text_content() or "")
        place, field = message.bounding_box(), box.bounding_box()
        assert place
        assert field
        assert 0 <= place["y"] - field["y"] < 60
        assert "abc" not in visit.page.inner_text(".notices")
        box.fill("0,6")
        box.press("Enter")
        visit.until("() => location.search.includes('acceptance=0.6,')")
        assert visit.page.locator(".refusal").count() == 0
        assert box.get_attribute("aria-invalid") is None
