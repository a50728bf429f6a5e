"""The panel of commands: there when asked for, those of the page's setting, gone when it is closed."""

from __future__ import annotations

from typing import Any

from roofline_app import query
from roofline_app.flags import ENGINES, serving_flags
from roofline_app.page.page import Page

LINK = "model=qwen3-32b&gpu=h200-sxm&gpus=4&batch=8&drafter=eagle3"


def use(page: Page) -> Any:
    return page.state()["use"]


def test_nothing_is_worked_out_until_the_panel_is_open() -> None:
    page = Page(LINK)
    assert use(page) is None
    page.handle("use", "vllm")
    assert use(page)["engine"] == "vllm"
    page.handle("use", "")
    assert use(page) is None


def test_every_engine_shows_the_commands_of_the_command_line() -> None:
    page = Page(LINK)
    scenario = query.decode(LINK).scenario
    for engine in ENGINES:
        page.handle("use", engine)
        found = serving_flags(scenario, engine)
        assert [step["command"] for step in use(page)["steps"]] == [s.command for s in (found.serve, *found.measure)]
        assert use(page)["sources"] == list(found.sources)


def test_commands_follow_the_setting() -> None:
    page = Page(LINK)
    page.handle("use", "sglang")
    before = use(page)["steps"]
    page.handle("query", LINK.replace("gpus=4", "gpus=8"))
    assert use(page)["steps"] != before


def test_an_unknown_engine_is_ignored() -> None:
    page = Page(LINK)
    page.handle("use", "<b>")
    assert use(page) is None
