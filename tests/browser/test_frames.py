"""The code of a frame of fixed height: nothing is cut, and little is left empty, at every width."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from visit import Visit, visiting

WIDTHS = (320, 600, 1000)
MOST_EMPTY = 90
FIGURES = ("speedup", "race", "memory", "sensitivity")


@pytest.fixture(scope="module")
def codes(chromium: Browser, site: str) -> Iterator[dict[str, str]]:
    """What the page copies for each figure of a setting with long words."""
    query = "?preset=122b-race"
    with visiting(chromium, site, query, permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.until_ready()
        copied = {}
        for figure in FIGURES:
            section = visit.page.locator(f"[data-figure={figure}]")
            section.locator(".save summary").click()
            visit.until(f"() => document.querySelector('[data-figure={figure}] .note').textContent")
            section.locator("[data-embed-code=iframe]").click()
            visit.until("async () => (await navigator.clipboard.readText()).includes('<iframe')")
            copied[figure] = visit.page.evaluate("() => navigator.clipboard.readText()")
            visit.page.evaluate("() => navigator.clipboard.writeText('')")
        assert visit.errors == []
        yield copied


def empty(visit: Visit) -> tuple[int, int]:
    """Pixels below the embed's content and beside it, negative where something is cut."""
    (frame,) = (frame for frame in visit.page.frames if "embed.html" in frame.url)
    below, beside = frame.evaluate(
        """() => {
          const { height } = document.body.getBoundingClientRect();
          return [innerHeight - Math.ceil(height), document.documentElement.clientWidth - document.body.scrollWidth];
        }"""
    )
    return int(below), int(beside)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_frame_is_as_high_as_its_figure_needs(
    chromium: Browser, site: str, codes: dict[str, str], figure: str
) -> None:
    with visiting(chromium, site, "embed.js", service_workers="block") as visit:
        address = f"{site}host.html"
        body = f"<!doctype html><body style='margin:0'>{codes[figure]}"
        visit.page.route(address, lambda route: route.fulfill(body=body, content_type="text/html"))
        visit.page.goto(address)
        inside = visit.page.frame_locator("iframe")
        inside.locator("html[data-python=ready]").wait_for(timeout=90_000, state="attached")
        for width in WIDTHS:
            visit.page.set_viewport_size({"width": width, "height": 900})
            visit.page.wait_for_timeout(800)
            below, beside = empty(visit)
            assert 0 <= below <= MOST_EMPTY, (width, below)
            assert beside >= 0, width


def test_a_frame_names_a_height_for_browsers_without_container_units(codes: dict[str, str]) -> None:
    for code in codes.values():
        assert re.search(r' height="\d{3,4}"', code)
        assert "container-type:inline-size" in code
