"""The race on the built page: rates, buttons, seed, a reader's own run, and the poster that needs no script."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from benchmark_samples import VLLM_SERVING
from playwright.sync_api import Browser
from visit import Visit, visiting

from roofline_app import format as fmt, query
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.race.view import race_view

RACE = "?preset=122b-race&figure=race"
DROP = """(text) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([text], "<b>mine</b>.json", { type: "application/json" }));
  dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""
COUNTS = "() => [...document.querySelectorAll('.race .count')].map((count) => count.textContent)"
POSTER = "<!doctype html><body style='margin:0'><img src='{address}' width='720' height='378'>"


@contextmanager
def racing(chromium: Browser, site: str, link: str = RACE, **context: Any) -> Iterator[Visit]:
    """Open a page on the race alone, when it has begun."""
    with visiting(chromium, site, link, **context) as visit:
        visit.until_ready()
        visit.until(f"() => ({COUNTS})().every(Boolean)")
        yield visit


def written(visit: Visit) -> list[int]:
    """Tokens that stand in each column."""
    numbers = [re.match(r"[\d,]+", count) for count in visit.page.evaluate(COUNTS)]
    return [int(number[0].replace(",", "")) for number in numbers if number]


def rates(visit: Visit) -> list[float]:
    texts: list[str] = visit.page.evaluate(
        "() => [...document.querySelectorAll('.race .rate')].map((r) => r.textContent)"
    )
    return [float(text.removesuffix(" tok/s").replace(",", "")) for text in texts]


def slowly_from_the_start(visit: Visit) -> None:
    visit.page.select_option("#race-speed", "0.1")
    visit.page.click("#race-again")


def test_the_preset_races_a_thousand_tokens_a_second_against_some_250(chromium: Browser, site: str) -> None:
    with racing(chromium, site) as visit:
        plain, fast = rates(visit)
        assert plain == pytest.approx(250, rel=0.1)
        assert fast == pytest.approx(1000, rel=0.1)
        assert "1,000 tok/s would take" in visit.page.inner_text("[data-note=race]")
        assert visit.errors == []


def test_both_columns_run_at_their_rates_in_slow_motion(chromium: Browser, site: str) -> None:
    evaluation = evaluate(query.decode("preset=122b-race").scenario)
    gain = evaluation.best_drafter.best.speedup
    with racing(chromium, site) as visit:
        slowly_from_the_start(visit)
        begun = time.monotonic()
        visit.until(f"() => parseInt(({COUNTS})()[1]) > 200")
        plain, fast = written(visit)
        passed = time.monotonic() - begun
        assert fast / plain == pytest.approx(gain, rel=0.15)
        # A tenth of the real time: the clock of this machine and that of the page start a little apart.
        assert plain == pytest.approx(0.1 * passed / evaluation.step.seconds, rel=0.3)
        assert visit.errors == []


def test_it_pauses_goes_on_and_starts_again(chromium: Browser, site: str) -> None:
    with racing(chromium, site) as visit:
        slowly_from_the_start(visit)
        visit.until(f"() => parseInt(({COUNTS})()[0]) > 20")
        visit.page.click("#race-run")
        assert visit.page.inner_text("#race-run") == "Play"
        paused = written(visit)
        visit.page.wait_for_timeout(700)
        assert written(visit) == paused
        visit.page.click("#race-run")
        visit.until(f"() => parseInt(({COUNTS})()[0]) > {paused[0] + 10}")
        visit.page.click("#race-again")
        assert written(visit)[0] < paused[0]
        visit.page.select_option("#race-speed", "1")
        visit.until(f"() => ({COUNTS})().every((count) => count.startsWith('320 tokens in'))")
        assert visit.page.inner_text("#race-run") == "Play"


def test_without_motion_it_stands_at_the_moment_the_faster_is_done_and_a_link_is_a_race(
    chromium: Browser, site: str
) -> None:
    evaluation = evaluate(query.decode("preset=article").scenario)
    ends = {seed: race_view(evaluation, seed, "en").columns[1].finished("en") for seed in range(3, 20)}
    other = next(seed for seed, end in ends.items() if end != ends[3])
    for seed in (3, 3, other):
        with racing(chromium, site, f"?preset=article&figure=race&seed={seed}", reduced_motion="reduce") as visit:
            stands = visit.page.evaluate(COUNTS)
            visit.page.wait_for_timeout(700)
            assert visit.page.evaluate(COUNTS) == stands
            assert stands[0].endswith("/ 320")
            assert stands[1] == ends[seed]
            assert visit.page.inner_text("#race-run") == "Play"
            visit.page.click("#race-again")  # who asks for it gets motion
            visit.until(f"() => ({COUNTS})()[0].startsWith('320 tokens in')")


def test_a_dropped_run_can_be_raced_and_its_name_stays_text(chromium: Browser, site: str) -> None:
    with racing(chromium, site) as visit:
        assert visit.page.locator(".lane-choice").first.is_hidden()
        visit.page.evaluate(DROP, json.dumps({**VLLM_SERVING, "itls": [[0.01] * 100], "output_lens": [101]}))
        visit.until("() => document.querySelector('.notices').textContent.includes('can be replayed')")
        choice = visit.page.locator(".lane-choice").first
        assert choice.locator("option").all_inner_texts()[0] == "Plain decoding, computed"
        choice.select_option(index=1)
        visit.until("() => document.querySelector('.race .rate').textContent === '100 tok/s'")
        assert "<b>mine</b>.json" in visit.page.inner_text("[data-note=race]")
        visit.until(f"() => ({COUNTS})()[0].startsWith('100 tokens in')")
        assert visit.page.query_selector(".race b, [data-note=race] b") is None
        visit.page.evaluate(DROP, json.dumps({**VLLM_SERVING, "itls": [[0.01, -1]]}))
        visit.until("() => document.querySelector('.notices').textContent.includes('itls.0.1: -1 is impossible')")
        assert visit.errors == []


def test_the_race_has_the_tools_of_every_figure(chromium: Browser, site: str, tmp_path: Path) -> None:
    plain = evaluate(query.decode("preset=122b-race").scenario).step.seconds
    with racing(chromium, site) as visit:
        figure = visit.page.locator("[data-figure=race]")
        figure.locator(".twin summary").click()
        table = figure.get_by_role("table", name="The race as it is shown")
        table.get_by_role("cell", name=fmt.seconds(320 * plain)).wait_for()
        figure.locator(".working summary").click()
        figure.get_by_text("Each round draws").wait_for()
        figure.locator(".save summary").click()
        saved = {}
        for kind in ("CSV", "JSON", "PNG", "SVG"):
            with visit.page.expect_download() as download:
                figure.get_by_role("button", name=kind, exact=True).click()
            assert download.value.suggested_filename == f"speculation-roofline-race.{kind.lower()}"
            download.value.save_as(tmp_path / kind)
            saved[kind] = (tmp_path / kind).read_bytes()
        assert saved["CSV"].startswith(b"column,name,seconds,burst_tokens,tokens\n1,Plain decoding,")
        assert json.loads(saved["JSON"])["rows"][-1]["tokens"] == 320
        assert saved["PNG"].startswith(b"\x89PNG")
        assert [int.from_bytes(saved["PNG"][at : at + 4]) for at in (16, 20)] == [1440, 756]
        assert b"@keyframes" in saved["SVG"]
        assert figure.get_by_role("button", name="Copy link to this figure").is_visible()
        assert visit.errors == []


@pytest.mark.parametrize(("end", "moves"), [("", True), ("#still", False)])
def test_the_poster_moves_without_a_script_unless_it_is_asked_to_stand_still(
    chromium: Browser, site: str, end: str, moves: bool
) -> None:
    with visiting(chromium, site, "embed.js", java_script_enabled=False) as visit:
        address = f"{site}poster.html"
        body = POSTER.format(address=f"posters/122b-race-race-light.svg{end}")
        visit.page.route(address, lambda route: route.fulfill(body=body, content_type="text/html"))
        visit.page.goto(address)
        visit.page.wait_for_timeout(1500)
        first = visit.page.screenshot()
        visit.page.wait_for_timeout(1500)
        assert (visit.page.screenshot() != first) is moves
