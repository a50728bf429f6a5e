"""The restored page: where it comes from, and that nothing wrong with it costs more than time."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext
from visit import PYTHON, Visit, served, visiting

ROUTE = "() => document.documentElement.dataset.route"
STORED = "() => document.documentElement.dataset.stored"


def only(folder: Path, pattern: str) -> Path:
    [path] = folder.glob(pattern)
    return path


def prepared(folder: Path, part: str, language: str = "en") -> Path:
    """The file of a site's snapshot of a language: its settings or its pages."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    manifest = json.loads(re.findall(r'id="build">(.*?)</script>', page)[0])
    return folder / str(manifest["prepared"][language]["snapshot"][part])


def with_settings(folder: Path, **changes: object) -> None:
    """Change the settings of a site's snapshot."""
    path = prepared(folder, "settings")
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def damage(folder: Path, at: float) -> None:
    path = prepared(folder, "pages")
    content = bytearray(path.read_bytes())
    content[int(len(content) * at)] ^= 1
    path.write_bytes(content)


def cut(folder: Path) -> None:
    path = prepared(folder, "pages")
    path.write_bytes(path.read_bytes()[:-5000])


def break_wiring(folder: Path) -> None:
    """Make Emscripten fail where nobody waits for it, once its memory is to be filled from a snapshot."""
    path = only(folder, "pyodide-*/pyodide.asm.js")
    wiring = "function receiveInstance(instance,module){"
    text = path.read_text(encoding="utf-8")
    assert text.count(wiring) == 1
    fault = 'if(Module["INITIAL_MEMORY"])throw new Error("wired wrongly");'
    path.write_text(text.replace(wiring, wiring + fault), encoding="utf-8")


def works(visit: Visit) -> bool:
    """Whether the page answers to a control with the right curve."""
    visit.set_widget("slope", 7)
    visit.until("() => log.states.at(-1)?.slope === 7")
    return visit.source("curve")["y"] == [7.0 * x for x in range(1, 17)]


@pytest.mark.parametrize(("language", "other"), [("en", "zh"), ("zh", "en")])
def test_python_comes_from_the_snapshot_of_the_language_and_the_drawn_document_stays(
    chromium: Browser, tiny_site: Path, language: str, other: str
) -> None:
    with served(tiny_site) as base, visiting(chromium, base, f"?lang={language}") as visit:
        visit.until("() => document.documentElement.dataset.drawn")
        visit.page.evaluate("() => { globalThis.drawnCurve = Bokeh.documents[0].get_model_by_name('curve'); }")
        visit.until_ready()
        assert visit.page.evaluate(ROUTE) == "network"
        assert works(visit)
        assert visit.page.evaluate("() => Bokeh.documents.length === 1 && drawnCurve.data.y[0] === 7")
        asked = {request.rpartition("/")[2] for request in visit.requests}
        assert prepared(tiny_site, "pages", language).name in asked
        assert prepared(tiny_site, "pages", other).name not in asked
        assert visit.errors == []


def test_what_a_reader_sets_before_python_is_there_is_not_lost(chromium: Browser, tiny_site: Path) -> None:
    with served(tiny_site) as base, visiting(chromium, base, hold=PYTHON) as visit:
        visit.until("() => document.documentElement.dataset.drawn")
        for value in (8, 3, 6):
            visit.set_widget("slope", value)
        visit.page.evaluate("() => channel.send('note', 'early')")
        assert visit.page.evaluate("() => document.documentElement.dataset.python") == "starting"
        visit.release()
        visit.until("() => log.states.at(-1).slope === 6 && log.states.at(-1).note === 'early'")
        assert visit.source("curve")["y"][0] == 6.0


def test_a_link_never_shows_the_words_of_the_default(chromium: Browser, tiny_site: Path) -> None:
    with served(tiny_site) as base, visiting(chromium, base, "?slope=5", hold=PYTHON) as visit:
        visit.until("() => document.documentElement.dataset.drawn")
        assert visit.page.evaluate("() => document.documentElement.dataset.link") == "pending"
        visit.release()
        visit.until_ready()
        assert visit.page.evaluate("() => log.states.map(({ slope }) => slope)") == [5]
        assert visit.page.evaluate("() => document.documentElement.dataset.link ?? null") is None
        assert visit.source("curve")["y"][0] == 5.0


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda site: damage(site, 0.5), id="a flipped bit"),
        pytest.param(lambda site: damage(site, 0.0), id="failing decompression", marks=pytest.mark.slow),
        pytest.param(cut, id="cut short", marks=pytest.mark.slow),
        pytest.param(lambda site: with_settings(site, sum=[1, 2]), id="settings of another build"),
        pytest.param(
            lambda site: with_settings(site, tables=[1, 2, 3]), id="other function tables", marks=pytest.mark.slow
        ),
        pytest.param(lambda site: with_settings(site, heapBytes=65536), id="too little memory", marks=pytest.mark.slow),
        pytest.param(break_wiring, id="an exception in the wiring"),
        pytest.param(
            lambda site: only(site, "assets/_umath_linalg.*").unlink(), id="a missing library", marks=pytest.mark.slow
        ),
    ],
)
def test_a_snapshot_that_does_not_fit_costs_only_time(
    chromium: Browser, tiny_site: Path, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    site = tmp_path / "site"
    shutil.copytree(tiny_site, site)
    spoil(site)
    with served(site) as base, visiting(chromium, base, "?slope=4") as visit:
        visit.until("() => document.documentElement.dataset.drawn")
        visit.page.evaluate("() => channel.send('note', 'early')")
        visit.until_ready()
        assert visit.page.evaluate(ROUTE) == "plain"
        visit.until("() => log.states.at(-1).note === 'early'")
        assert visit.page.evaluate("() => log.states[0].slope") == 4
        assert visit.page.evaluate("() => log.errors") == []
        assert works(visit)


def second_visit(context: BrowserContext, base: str) -> tuple[str, str]:
    """Where a first visit stored the pages, and where a second one had them from."""
    for number in range(2):
        page = context.new_page()
        page.goto(base)
        visit = Visit(page, base)
        visit.until_ready()
        route = str(page.evaluate(ROUTE))
        if number == 0:
            stored = str(visit.until(STORED))
        assert works(visit)
        page.close()
    return stored, route


def with_worker(site: Path, script: str) -> None:
    """Put a script before a site's worker."""
    path = only(site, "assets/*/worker.js")
    path.write_text(f"{script}\n{path.read_text()}")


NO_FILES = "navigator.storage.getDirectory = () => Promise.reject(new Error('refused'));"
FULL_FILES = "FileSystemSyncAccessHandle.prototype.write = () => 0;"
NO_CACHE = "caches.open = () => Promise.reject(new Error('refused'));"


@pytest.mark.parametrize(
    ("script", "stored", "route"),
    [
        pytest.param("", "files", "files", id="private files"),
        pytest.param(NO_FILES, "cache", "cache", id="private files refused", marks=pytest.mark.slow),
        pytest.param(FULL_FILES, "cache", "cache", id="private files full", marks=pytest.mark.slow),
        pytest.param(NO_FILES + NO_CACHE, "nowhere", "network", id="all storage refused"),
        pytest.param(FULL_FILES + NO_CACHE, "nowhere", "network", id="all storage full", marks=pytest.mark.slow),
    ],
)
def test_a_second_visit_takes_the_pages_from_this_device_where_it_may(
    chromium: Browser, tiny_site: Path, tmp_path: Path, script: str, stored: str, route: str
) -> None:
    shutil.copytree(tiny_site, tmp_path / "site")
    with_worker(tmp_path / "site", script)
    context = chromium.new_context()
    with served(tmp_path / "site") as base:
        assert second_visit(context, base) == (stored, route)
    context.close()


def test_damaged_pages_on_the_device_are_removed(chromium: Browser, tiny_site: Path, tmp_path: Path) -> None:
    context = chromium.new_context(service_workers="block")  # it would keep the settings that are spoilt here
    shutil.copytree(tiny_site, tmp_path / "site")
    with served(tmp_path / "site") as base:
        assert second_visit(context, base)[1] == "files"
        with_settings(tmp_path / "site", sum=[1, 2])
        page = context.new_page()
        settings = prepared(tmp_path / "site", "settings")
        page.route(f"**/{settings.name}", lambda route: route.fulfill(path=settings))
        page.goto(base)
        Visit(page, base).until_ready()
        assert page.evaluate(ROUTE) == "plain"
        names = page.evaluate(
            "async () => { const names = []; for await (const n of (await navigator.storage.getDirectory()).keys()) "
            "names.push(n); return names; }"
        )
        assert names == []
    context.close()
