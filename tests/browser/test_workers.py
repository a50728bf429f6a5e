"""Workers that end: another takes their place, with the setting and with the change that was in flight."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from posts import LIVE, published
from visit import Visit

import build

# Keeps every worker of a page or an embed in reach of the test.
KEEP_WORKERS = """
globalThis.workers = [];
const Native = Worker;
globalThis.Worker = class extends Native {
  constructor(...given) {
    super(...given);
    globalThis.workers.push(this);
    this.addEventListener("message", ({ data }) => {
      if (globalThis.endsAll && data.type === "held") this.terminate();
    });
  }
};
"""
END_WORKER = "() => workers.at(-1).terminate()"
LIVE_PYTHON = "() => document.documentElement.dataset.python === 'ready'"
NOTICED_SECONDS = 2.0
RESTARTED_SECONDS = 40.0


@contextmanager
def context_of(chromium: Browser, width: int = 1240, height: int = 900) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": width, "height": height})
    context.add_init_script(KEEP_WORKERS)
    yield context
    context.close()


@contextmanager
def opened(chromium: Browser, base: str, query: str = "", *, ready: bool = True) -> Iterator[Visit]:
    with context_of(chromium) as context:
        page = context.new_page()
        visit = Visit(page, base)
        page.on("pageerror", lambda error: visit.errors.append(str(error)))
        page.goto(base + query)
        if ready:
            visit.until_ready()
        yield visit
        assert visit.errors == []


def says_batch(visit: Visit, batch: int, seconds: float = RESTARTED_SECONDS) -> None:
    """Wait until the page says a batch."""
    visit.until(f"() => document.querySelector('[data-open=batch]').textContent === '{batch}'", seconds)


def test_a_worker_that_ends_in_use_is_replaced_with_the_setting_kept(chromium: Browser, site: str) -> None:
    with opened(chromium, site, "?preset=dense") as visit:
        visit.set_widget("batch", "48")
        says_batch(visit, 48)
        visit.page.evaluate("() => document.querySelector('[data-hide=\"0\"]').click()")
        visit.until("() => document.querySelector('.hidden-line')")
        visit.page.evaluate(END_WORKER)
        visit.until("() => document.documentElement.dataset.python === 'starting'", NOTICED_SECONDS)
        visit.until(LIVE_PYTHON, RESTARTED_SECONDS)
        says_batch(visit, 48)
        visit.set_widget("context", "8k")
        visit.until("() => document.querySelector('[data-open=context]').textContent === '8k'")
        says_batch(visit, 48)
        assert visit.page.evaluate("() => document.querySelectorAll('.hidden-line').length") == 1
        assert visit.page.locator(".notices").text_content() == ""


def test_a_change_that_was_in_flight_when_the_worker_ended_is_done(chromium: Browser, site: str) -> None:
    with opened(chromium, site, "?preset=dense") as visit:
        visit.page.evaluate(END_WORKER)
        visit.set_widget("batch", "65")
        says_batch(visit, 65)
        assert visit.page.evaluate("() => Bokeh.documents[0].get_model_by_name('batch').value") == "65"


def test_a_worker_that_ends_at_every_start_is_given_up_with_a_sentence_and_a_button(
    chromium: Browser, site: str
) -> None:
    with opened(chromium, site, "?preset=dense") as visit:
        visit.page.evaluate("() => { globalThis.endsAll = true; workers.at(-1).terminate(); }")
        visit.until("() => document.documentElement.dataset.python === 'failed'", RESTARTED_SECONDS)
        assert visit.page.evaluate("() => workers.length") <= 4
        assert visit.page.locator(".notices .trouble button").count() == 1


@pytest.mark.parametrize("after", [100, 400, 900])
def test_a_worker_that_ends_while_it_loads_is_replaced(chromium: Browser, site: str, after: int) -> None:
    with opened(chromium, site, "?preset=dense&batch=7", ready=False) as visit:
        visit.page.wait_for_timeout(after)
        visit.page.evaluate(END_WORKER)
        visit.until_ready()
        says_batch(visit, 7)


def test_embeds_go_on_where_their_worker_ends_and_lose_no_change(chromium: Browser, site: str, tmp_path: Path) -> None:
    assert site
    links = tuple(f"preset={name}&controls=batch&lang=en" for name in ("article", "dense", "loses"))
    with (
        published(Path(build.DIST), tmp_path, links=links) as address,
        context_of(chromium, height=2600) as context,
    ):
        page = context.new_page()
        page.goto(address)
        Visit(page, address).until(LIVE, 90)
        frames = [Visit(frame, address) for frame in page.frames if "embed.html" in frame.url]
        leaders = [one for one in frames if one.page.evaluate("() => workers.length")]
        assert len(leaders) in {1, len(frames)}  # where a browser shares nothing between frames, each has its own
        leaders[0].page.evaluate(END_WORKER)
        for one in frames:
            one.set_widget("batch", "65")
        for one in frames:
            says_batch(one, 65)


@pytest.mark.parametrize("goes", ["frame", "worker"])
def test_a_change_made_while_the_leading_frame_goes_is_not_lost(chromium: Browser, site: str, goes: str) -> None:
    with context_of(chromium, width=700) as context:
        visits = []
        for _ in range(3):
            visits.append(Visit(context.new_page(), site))
            visits[-1].page.goto(f"{site}embed.html?preset=dense&controls=batch")
            visits[-1].until_ready()
        leading, *others = visits
        assert [one.page.evaluate("() => workers.length") for one in visits] == [1, 0, 0]
        if goes == "frame":
            leading.page.close()
        else:
            leading.page.evaluate(END_WORKER)
        for index, one in enumerate(others):
            one.set_widget("batch", str(65 + index))
        for index, one in enumerate(others):
            says_batch(one, 65 + index)


def test_a_page_that_is_left_ends_its_worker_and_lives_again_when_one_comes_back(chromium: Browser, site: str) -> None:
    with opened(chromium, site) as visit:
        for name in ("pagehide", "pageshow"):
            visit.page.evaluate("(name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true }))", name)
        visit.set_widget("batch", "65")
        says_batch(visit, 65)
        assert visit.page.evaluate("() => workers.length") == 2
