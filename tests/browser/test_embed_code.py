"""The code that embeds a figure: its poster is there, in the theme and language asked for; its alt says the finding."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser
from visit import visiting


@pytest.mark.parametrize(
    ("look", "poster"),
    [
        ("theme=dark", "dense-batch-dark.svg"),
        ("theme=light&lang=zh", "dense-batch-light-zh.svg"),
        ("lang=en", "dense-batch-{theme}.svg"),
    ],
)
def test_a_code_has_the_poster_of_its_looks_and_the_finding(
    chromium: Browser, site: str, look: str, poster: str
) -> None:
    with visiting(chromium, site, f"?preset=dense&{look}") as visit:
        visit.until_ready()
        visit.page.evaluate("navigator.clipboard.writeText = async (text) => { globalThis.taken = text; }")
        section = visit.page.locator("[data-figure=batch]")
        section.locator(".save summary").click()
        section.locator("[data-embed-code=element]").click()
        code = str(visit.until("globalThis.taken"))
        (address,) = re.findall(r'poster="([^"]*)"', code)
        assert address.endswith(f"/posters/{poster}")
        assert visit.page.request.get(address.replace("{theme}", "dark")).ok
        (alt,) = re.findall(r'alt="([^"]*)"', code)
        assert "×" in alt
        assert visit.errors == []
