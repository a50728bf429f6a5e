"""The loader, the worker and the link, around the smallest page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from visit import Visit, served, visiting


@pytest.fixture(scope="module")
def visit(chromium: Browser, tiny_site: Path) -> Iterator[Visit]:
    with served(tiny_site) as base, visiting(chromium, base, "?slope=3") as opened:
        opened.until_ready()
        yield opened


def test_the_page_opens_without_an_error_under_its_policy(visit: Visit) -> None:
    assert visit.errors == []


def test_nothing_is_asked_of_another_origin(visit: Visit) -> None:
    assert len(visit.requests) > 10
    assert visit.foreign_requests == []


def test_the_address_decides_the_first_rendering(visit: Visit) -> None:
    assert visit.page.evaluate("() => log.states[0].slope") == 3


def test_progress_goes_up_and_reaches_its_end(visit: Visit) -> None:
    steps = visit.page.evaluate(
        "() => log.progress.filter(([s]) => s === 'download').map(([, done, all]) => [done, all])"
    )
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert steps[-1][0] == steps[-1][1]
    assert visit.page.evaluate("() => log.progress.some(([s, done]) => s === 'draw' && done === 1)")


def test_moving_a_control_changes_the_curve_and_the_words(visit: Visit) -> None:
    visit.set_widget("slope", 7)
    visit.until("() => log.states.at(-1).slope === 7")
    assert visit.source("curve")["y"] == [7.0 * x for x in range(1, 17)]


def test_what_the_page_says_reaches_the_widgets(visit: Visit) -> None:
    visit.page.evaluate("() => channel.send('slope', 4)")
    visit.until("() => Bokeh.documents[0].get_model_by_name('slope').value === 4")
    assert visit.source("curve")["y"][0] == 4.0


def test_a_dragged_control_ends_at_its_last_value(visit: Visit) -> None:
    before = visit.page.evaluate("() => log.states.length")
    for value in (1, 2, 3, 5, 6, 8, 9):
        visit.set_widget("slope", value)
    visit.until("() => log.states.at(-1).slope === 9")
    assert visit.page.evaluate("() => log.states.length") - before <= 7


def test_an_exception_is_said_in_words_and_the_page_lives_on(chromium: Browser, tiny_site: Path) -> None:
    with served(tiny_site) as base, visiting(chromium, base) as visit:
        visit.until_ready()
        visit.page.evaluate("() => channel.send('slope', '<b>steep</b>')")
        text = visit.until("() => log.errors[0]")
        assert text.startswith("ValueError: invalid literal")
        assert "Traceback" not in text
        visit.set_widget("slope", 5)
        visit.until("() => log.states.at(-1).slope === 5")


def test_the_site_works_from_a_folder_with_wrong_types(chromium: Browser, tiny_site: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_site, tmp_path / "some" / "folder")
    address = "some/folder/?slope=2"
    with served(tmp_path, wasm="text/html", bin="text/plain") as base, visiting(chromium, base, address) as visit:
        visit.until_ready()
        assert visit.source("curve")["y"][0] == 2.0
        assert visit.errors == []


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: 'slow-2g'}"])
def test_on_a_metered_link_python_waits_for_a_touch(chromium: Browser, tiny_site: Path, connection: str) -> None:
    context = chromium.new_context()
    context.add_init_script(f"Object.defineProperty(navigator, 'connection', {{ value: {connection} }})")
    with served(tiny_site) as base:
        page = context.new_page()
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.goto(base)
        visit = Visit(page, base)
        visit.until("() => document.documentElement.dataset.drawn")
        page.wait_for_timeout(500)
        assert [name for name in requests if name.endswith((".wasm", ".bin", "worker.js"))] == []
        page.mouse.click(5, 5)
        visit.until_ready()
        assert visit.source("curve")["y"][0] == 2.0
    context.close()


def test_a_missing_file_is_named_instead_of_a_page_that_waits_forever(
    chromium: Browser, tiny_site: Path, tmp_path: Path
) -> None:
    shutil.copytree(tiny_site, tmp_path / "site")
    for kind in ("packages", "pages"):
        for path in (tmp_path / "site" / "assets").glob(f"{kind}.*"):
            path.unlink()
    with served(tmp_path / "site") as base, visiting(chromium, base) as visit:
        visit.until("() => document.documentElement.dataset.python === 'failed'", 30)
        assert "packages." in visit.page.evaluate("() => log.errors[0]")
