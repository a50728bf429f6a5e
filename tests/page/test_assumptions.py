"""Assumptions: engine, layout and experts, each with a line that says what it does; what a profile leaves."""

import pytest
from page_samples import HOSTILE

from roofline_app import registry
from roofline_app.page.forms.assumptions import remaining
from roofline_app.page.page import Page
from roofline_app.page.protocol import FieldWords


def change(page: Page, field: str, value: str) -> None:
    page.handle("field", {"form": "assumptions", "field": field, "value": value})


def fields(page: Page) -> dict[str, FieldWords]:
    return {str(field["key"]): field for field in page.state()["assumptions"]}


def test_every_assumption_has_a_line_that_says_what_it_does(page: Page) -> None:
    for profile in ("ideal", "calibrated", "vllm-hopper"):
        page.widgets["profile"].value = profile
        assert all(field["hint"] for field in page.state()["assumptions"])
        assert page.state()["notes"]["profile"]


def test_the_engine_is_asked_for_where_the_closest_profile_is_looked_for(page: Page) -> None:
    assert "engine" not in fields(page)
    page.widgets["profile"].value = "calibrated"
    assert "SGLang on Blackwell" in str(fields(page)["engine"]["hint"])
    change(page, "engine", "vllm")
    assert "vLLM on Blackwell" in str(fields(page)["engine"]["hint"])
    assert "vLLM on Blackwell" in page.state()["words"]["profile"]
    change(page, "engine", "")
    assert page.controls.scenario.engine == ""


def test_a_layout_says_what_it_does_and_the_usual_one_follows_the_profile(page: Page) -> None:
    assert "evenly" in str(fields(page)["layout"]["hint"])
    change(page, "layout", "dp+ep")
    assert page.controls.scenario.layout == "dp+ep"
    assert "whole experts" in str(fields(page)["layout"]["hint"])
    change(page, "layout", "")
    page.widgets["profile"].value = "calibrated"
    assert "every GPU" in str(fields(page)["layout"]["hint"])


def test_experts_are_chosen_under_the_ideal_profile_alone(page: Page) -> None:
    change(page, "experts", "correlated")
    assert page.controls.scenario.experts == "correlated"
    assert fields(page)["experts"]["control"] == "choice"
    page.widgets["profile"].value = "calibrated"
    assert fields(page)["experts"]["control"] == "note"


@pytest.mark.parametrize("name", ["engine", "layout", "experts"])
def test_an_unknown_assumption_changes_nothing_and_is_said(page: Page, name: str) -> None:
    before = page.state()["query"]
    change(page, name, HOSTILE)
    assert page.state()["query"] == before
    assert HOSTILE in page.state()["notices"][0]


def test_the_footer_follows_the_profile() -> None:
    assert "ideal roofline" in Page("").state()["footer"]
    seen = Page("model=qwen3.5-27b&gpus=1&profile=calibrated").state()["footer"]
    assert "SGLang on Blackwell" in seen
    assert "109 measured rows" in seen
    assert "none of" not in seen
    assert "none of DeepSeek-V4 Pro" in Page("profile=calibrated").state()["footer"]
    assert "without measurements of its own" in Page("profile=pooled").state()["footer"]


def test_the_error_that_is_left_is_the_models_own_where_it_was_measured() -> None:
    profile = registry.profile("sglang-blackwell")
    own = next(error for error in profile.errors if (error.model, error.quantity) == ("qwen3.5-27b", "step"))
    assert remaining(profile, "qwen3.5-27b") == pytest.approx((own.median, own.unseen_median))
    others = [error.median for error in profile.errors if error.quantity == "step"]
    assert min(others) < remaining(profile, "deepseek-v4-pro")[0] < max(others)
    assert remaining(registry.profile("pooled"), "qwen3.5-27b") == (0.0, 0.0)
