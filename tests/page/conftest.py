"""A page that the tests share: building one takes longer than most of them."""

import pytest

from roofline_app.page.page import Page


@pytest.fixture(scope="module")
def built() -> Page:
    return Page("")


@pytest.fixture
def page(built: Page) -> Page:
    """Return a page as it is when it opens; building one takes longer than most of these tests."""
    built.handle("theme", "light")
    built.handle("narrow", False)
    built.handle("switch", {"name": "fixed-length", "on": False})
    for line in range(5):
        built.handle("hide", {"line": line, "hidden": False})
    for name in built.drawing.charts:
        built.handle("show", {"figure": name, "visible": True})
        built.handle("table", {"figure": name, "open": False})
    built.handle("query", "")
    return built
