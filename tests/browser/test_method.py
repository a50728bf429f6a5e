"""The page of the method in a browser, from the built site and from a Panel server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from visit import visiting

SCHEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(19, 21, 23)"}


@pytest.mark.parametrize(("scheme", "background"), SCHEMES.items())
def test_it_wears_the_readers_colours_and_fits_a_phone(
    chromium: Browser, site: str, scheme: str, background: str
) -> None:
    with visiting(chromium, site, "method.html", color_scheme=scheme) as visit:
        visit.page.set_viewport_size({"width": 375, "height": 700})
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == background
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 375
        assert visit.errors == []


def test_its_own_links_lead_on(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "method.html") as visit:
        for address in visit.page.eval_on_selector_all("a", "links => links.map((a) => a.href)"):
            assert visit.page.request.get(address).ok
