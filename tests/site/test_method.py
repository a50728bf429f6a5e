"""The page of the method: readable without a script, in the site's look, under the page's policy."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from roofline_app import format as fmt, registry
from roofline_app.evaluation import evaluate
from roofline_app.page.markup import METHOD, POLICY
from roofline_app.page.method import method_pages
from roofline_app.page.method.numbers import turns, values
from roofline_app.scenario import Scenario
from roofline_app.speculation.acceptance import constant_survival, tokens_per_round
from roofline_app.timing.experts import distinct_experts

STATIC = Path(__file__).resolve().parents[2] / "static"
FOLDER = "assets/0123/"
PAGES = method_pages(STATIC, FOLDER)
each_page = pytest.mark.parametrize("text", PAGES.values(), ids=PAGES.keys())
VOID = {"meta", "link", "br", "img"}


class Page(HTMLParser):
    """Collects what is open where, and every address."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.paths: list[str] = []
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a tag and its addresses."""
        self.paths.append("/".join([*self.open, tag]))
        self.addresses += [value for name, value in attrs if name in {"href", "src"} and value]
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Leave a tag, which must be the innermost open one."""
        assert self.open.pop() == tag


@each_page
def test_it_has_a_title_one_heading_and_one_main_part(text: str) -> None:
    page = Page(text)
    assert page.open == []
    for path in ("html/head/title", "html/body/main", "html/body/main/h1"):
        assert page.paths.count(path) == 1
    assert page.paths.count("html/body/main/section/h2") == page.paths.count("html/body/main/section") >= 12
    assert len(page.ids) == len(set(page.ids))


@each_page
def test_it_stands_under_the_pages_policy_and_has_no_script(text: str) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert unescape(policy) == POLICY
    assert "<script" not in text
    assert not re.search(r"\son\w+=", text)


@each_page
def test_its_links_lead_to_files_of_the_site(text: str) -> None:
    papers = {"https://arxiv.org/abs/2211.17192"}
    pages = {"./", "examples/post.html", *papers, *PAGES, *(f"p/{preset}/" for preset in registry.presets())}
    for address in Page(text).addresses:
        style = address.startswith(FOLDER) and (STATIC / address.removeprefix(FOLDER)).is_file()
        assert style or address in pages or address.startswith("data:"), address


def test_it_wears_the_colours_of_the_page() -> None:
    look, own = ((STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "method.css"))
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r"(?m)^:root[^{]*\{([^}]*)\}", look)[:2]
    )
    mixed = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", own)
    assert len(mixed) >= 6
    for name, by_day, by_night in mixed:
        assert (by_day, by_night) == (light[name], dark[name])


def test_the_page_leads_to_it() -> None:
    assert re.search(
        rf'<footer>.*<a href="{METHOD}" data-text="method" ', (STATIC / "index.html").read_text(encoding="utf-8")
    )


# The lesson

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((STATIC / "method").glob("*.md"))}


def test_every_language_has_the_same_lesson() -> None:
    for pattern in (r"(?m)^## ", r"(?m)^- ", r"(?m)^\d\. ", r"(?m)^> ", r"(?m)^::: "):
        assert len({len(re.findall(pattern, text)) for text in SOURCES.values()}) == 1
    for pattern in (r"(?<!\{)\{\w+\}", r"\{\{.*?\}\}", r"https://[^)]+"):
        assert len({tuple(sorted(set(re.findall(pattern, text)))) for text in SOURCES.values()}) == 1


def test_nothing_is_left_to_be_filled_in() -> None:
    assert not [name for name, text in PAGES.items() if re.search(r"\{\w|\w\}\}|:::", text.partition("<main>")[2])]


def test_every_language_leads_to_the_others() -> None:
    for name, text in PAGES.items():
        assert PAGES.keys() - set(Page(text).addresses) == {name}


@pytest.mark.parametrize("text", SOURCES.values(), ids=SOURCES.keys())
def test_it_explains_its_words_before_it_counts(text: str) -> None:
    assert text.index("{{words}}") < min(text.index(field) for field in ("γ", "α", "{three_tokens}"))


def test_the_worked_example_is_the_evaluations() -> None:
    shown = evaluate(Scenario())
    mtp, told = shown.drafters[1], values()
    assert mtp.name == "MTP"
    assert told["three_speedup"] == fmt.speedup(mtp.speedup[3])
    assert float(told["three_round"]) == pytest.approx(mtp.tokens_per_round[3] / mtp.speedup[3], abs=0.005)
    assert float(told["three_verify"]) == pytest.approx(mtp.verifying_seconds[3] / shown.step.seconds, abs=0.005)


def test_a_sparse_models_curve_falls_rises_and_falls_and_a_dense_ones_falls() -> None:
    curve = evaluate(Scenario()).best_by_batch.drafters[2].speedup
    valley, top = turns(curve.tolist())
    assert 0 < valley < top < len(curve) - 1
    for part, sign in ((curve[: valley + 1], -1), (curve[valley : top + 1], 1), (curve[top:], -1)):
        assert np.all(np.diff(part) * sign > 0)
    dense = evaluate(Scenario(model="qwen3.5-27b", gpus=1)).best_by_batch.drafters[2].speedup
    assert np.all(np.diff(dense) <= 1e-9)


def test_answers_of_the_exercises_hold() -> None:
    told = values()
    assert told["exercise_tokens"] == f"{float(tokens_per_round(constant_survival(0.8, 4))[-1]):.2f}"
    experts = [told["exercise_step_experts"], told["exercise_verify_experts"]]
    assert experts == [f"{float(distinct_experts(128, 8, tokens)):.0f}" for tokens in (16, 64)]
    assert float(told["exercise_sampled"]) == pytest.approx(1 - (0.2 + 0.2) / 2)  # 1 − half of Σ |p − q|
    needed = float(told["exercise_needed"])
    assert float(tokens_per_round(constant_survival(needed, 1))[-1]) == pytest.approx(1.5 + 0.1)
    assert told["exercise_whole"] == fmt.speedup(12 / (2 + 10 / 3))
    for batch, nearly_free in ((32, True), (256, False)):
        shown = evaluate(Scenario(model="qwen3.5-27b", gpus=1, batch=batch))
        steps = float(shown.drafters[1].verifying_seconds[3] / shown.step.seconds)
        assert float(told[f"dense_verify_{batch}"]) == pytest.approx(steps, abs=0.005)
        assert (steps < 1.25) is nearly_free
    assert float(told["block_draft"]) < float(told["mtp_long_draft"]) / 10
