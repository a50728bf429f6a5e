"""A kind of drafter that is added by tables of data alone has its place in menus, cards and figures."""

from __future__ import annotations

from typing import Any

import pytest
from added_kinds import package_with_more_kinds
from package_copy import printed

SCRIPT = """
import json
from roofline_app.page.forms.drafter_controls import with_kind
from roofline_app.page.forms.widgets import line_widgets
from roofline_app.page.page import Page
from roofline_app.scenario import Scenario

page = Page("model=qwen3-8b&gpus=1&drafter=nova&drafter=comet,cost=physical", "light", "zh")
state = page.state()
print(json.dumps({
    "menus": {language: line_widgets(0, language)["kind"].options for language in ("en", "zh")},
    "cards": state["drafters"],
    "headline": state["headline"]["big"],
    "written": [with_kind(Scenario(), 0, kind).drafters[0].block for kind in ("nova", "comet")],
}))
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("package")
    package_with_more_kinds(folder)
    found: dict[str, Any] = printed(folder, SCRIPT)
    return found


def test_it_stands_in_the_menu_of_every_language(page: dict[str, Any]) -> None:
    assert page["menus"]["en"].items() >= {"Nova": "nova", "Comet": "comet"}.items()
    assert page["menus"]["zh"].items() >= {"新星": "nova", "彗星": "comet"}.items()
    assert page["written"] == [4, 8]


def test_its_card_offers_what_it_can_do(page: dict[str, Any]) -> None:
    share, trained = page["cards"]
    offered = [{field["key"] for field in card["form"]} for card in (share, trained)]
    assert (share["description"], trained["description"]) == ("多头。", "彗星。")
    assert share["block"]
    assert trained["block"]
    # Both draft in blocks that can be passed over again; only described weights have a cost and a place of their own,
    # and can be drawn.
    assert all({"passes", "relax"} <= keys for keys in offered)
    assert offered[1] - offered[0] == {
        "own-work",
        "cost-as",
        "drafter",
        "placement",
        "design-config",
        "design-start",
    }


def test_the_page_draws_it(page: dict[str, Any]) -> None:
    assert page["headline"].endswith("×")
