"""Parts of a page's state that are not always there."""

from __future__ import annotations

from roofline_app.page.page import Page
from roofline_app.page.protocol import NumberedFile, RaceWords


def race_of(page: Page) -> RaceWords:
    """The race that a page shows."""
    race = page.state()["race"]
    assert race is not None
    return race


def offered_file(page: Page) -> NumberedFile:
    """The file that a page offers."""
    file = page.state()["file"]
    assert file is not None
    return file
