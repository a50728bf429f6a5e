"""What the browsers' tests share: Chromium, the built site, and a page that is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from once import locked
from playwright.sync_api import Browser, sync_playwright
from tiny_site import compiler, pins, tiny_site, tiny_sources, wheel
from visit import CHROMIUM_FLAGS, Visit, served, visiting

import build

__all__ = ["compiler", "pins", "tiny_site", "tiny_sources", "wheel"]
HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is below this folder."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = build.chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of the built site; built here where a source has changed."""
    with locked(build.ROOT / "build" / "lock"):
        build.build()
    with served(Path(build.DIST)) as base:
        yield base


@pytest.fixture(scope="module")
def default_page(chromium: Browser, site: str) -> Iterator[Visit]:
    """The page as it opens without a link."""
    with visiting(chromium, site) as visit:
        visit.until_ready()
        yield visit
