"""The built site, served once for all of these tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from visit import Visit, served, visiting

import build


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of the built site; built here where a source has changed."""
    build.build()
    with served(Path(build.DIST)) as base:
        yield base


@pytest.fixture(scope="module")
def default_page(chromium: Browser, site: str) -> Iterator[Visit]:
    """The page as it opens without a link."""
    with visiting(chromium, site) as visit:
        visit.until_ready()
        yield visit
