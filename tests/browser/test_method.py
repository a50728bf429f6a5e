"""The page of the method in a browser, from the built site and from a Panel server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from visit import visiting

SCHEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(19, 21, 23)"}


@pytest.mark.parametrize("name", ["method.html", "method-zh.html"])
@pytest.mark.parametrize(("scheme", "background"), SCHEMES.items())
def test_it_wears_the_readers_colours_and_fits_a_phone(
    chromium: Browser, site: str, scheme: str, background: str, name: str
) -> None:
    with visiting(chromium, site, name, color_scheme=scheme) as visit:
        visit.page.set_viewport_size({"width": 375, "height": 700})
        assert visit.page.evaluate("getComputedStyle(document.body).backgroundColor") == background
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 375
        assert visit.errors == []


def test_its_own_links_lead_on(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "method.html") as visit:
        addresses = visit.page.eval_on_selector_all("a", "links => links.map((a) => a.href)")
        own = [address for address in addresses if address.startswith(site)]
        assert len(own) >= 4
        for address in own:
            assert visit.page.request.get(address).ok


def test_a_page_in_chinese_leads_to_the_lesson_in_chinese(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "?lang=zh") as visit:
        visit.until_ready()
        visit.page.get_by_role("link", name="工作原理").click()
        visit.page.wait_for_url(f"{site}method-zh.html")
        assert visit.page.locator("html").get_attribute("lang") == "zh-Hans"
        visit.page.get_by_role("link", name="English").click()
        visit.page.wait_for_url(f"{site}method.html")
        answer = visit.page.locator("details").first
        answer.locator("summary").click()
        assert answer.locator("p").is_visible()
