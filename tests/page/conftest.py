"""A page that the tests share: building one takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shared_page import SharedPage

from roofline_app.page.page import Page


@pytest.fixture(scope="module")
def link() -> str:
    """The link that the page opens with; modules have their own."""
    return ""


@pytest.fixture(scope="module")
def shared() -> Iterator[list[SharedPage]]:
    """The page that is in use, where there is one."""
    pages: list[SharedPage] = []
    yield pages
    pages.clear()


@pytest.fixture
def page(shared: list[SharedPage], link: str) -> Page:
    """Return a page as it is when it opens: the last test's put back, or a fresh one where that isn't certain."""
    if not shared or not shared[0].put_back():
        shared[:] = [SharedPage(link)]
    return shared[0]
