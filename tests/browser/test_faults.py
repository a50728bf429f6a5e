"""Files that are missing, damaged or of another build, and what hosts refuse: never silent, never wrong."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route
from visit import Visit, served, visiting

import build

DEFAULT_MODEL = "DeepSeek"
WASM = re.compile(r"/pyodide\.asm\.wasm$")
HTML = "<!doctype html><title>Not here</title>"


def answered(kind: str, route: Route) -> None:
    """Answer as a broken host does."""
    if kind == "missing":
        route.fulfill(status=404, body="")
    elif kind == "aborted":
        route.abort()
    elif kind == "html":
        route.fulfill(status=200, content_type="text/html", body=HTML)
    else:
        body = route.fetch().body()
        damaged = body[: len(body) // 2] if kind == "cut" else b"\xff!(" + body[3:]
        route.fulfill(status=200, headers={"Content-Type": "application/octet-stream"}, body=damaged)


@contextmanager
def broken(
    chromium: Browser, site: str, query: str, files: re.Pattern[str], kind: str, times: int | None = None
) -> Iterator[Visit]:
    """Open a page some of whose files come broken, all the time or so often."""
    context = chromium.new_context(service_workers="block")
    page = context.new_page()
    page.route(files, lambda route: answered(kind, route), times=times)
    page.goto(site + query)
    yield Visit(page, site)
    context.close()


def until_failed(visit: Visit) -> None:
    """Wait until the page says so, however often it is loaded anew meanwhile."""
    visit.page.locator("html[data-python=failed]").wait_for(state="attached", timeout=60_000)


def check_said(visit: Visit, *, reload: bool = True) -> str:
    """Check that the page says in a sentence what has failed; return its words."""
    until_failed(visit)
    trouble = visit.page.locator(".notices .trouble")
    assert trouble.count() == 1
    words = str(trouble.evaluate("(one) => (one.querySelector('span') ?? one).textContent"))
    assert not re.search(r"Error|undefined|http|Failed|expected", words), words
    assert trouble.locator("button").count() == int(reload)
    assert DEFAULT_MODEL not in visit.page.locator(".say").inner_text()
    return words


@pytest.mark.parametrize("kind", ["missing", "aborted", "html", "cut", "damaged"])
def test_an_interpreter_that_does_not_come_whole_is_said(chromium: Browser, site: str, kind: str) -> None:
    with broken(chromium, site, "?preset=dense", WASM, kind) as visit:
        assert "A file of this page" in check_said(visit)
        assert visit.page.locator("img.poster").count() > 0  # the picture of this link stays
        assert visit.page.evaluate(
            "() => document.querySelector('.say').inert && document.querySelector('aside').inert"
        )
        visit.page.locator(".trouble summary").click()
        assert visit.page.locator(".trouble code").inner_text()


def test_an_interpreter_that_fails_once_comes_by_the_other_route(chromium: Browser, site: str) -> None:
    with broken(chromium, site, "?preset=dense", WASM, "missing", times=1) as visit:
        visit.until_ready()


def test_what_fails_is_said_in_the_readers_language(chromium: Browser, site: str) -> None:
    with broken(chromium, site, "?preset=dense&lang=zh", WASM, "missing") as visit:
        assert "文件" in check_said(visit)


def test_a_host_that_forbids_webassembly_is_named(chromium: Browser, site: str) -> None:
    assert site
    policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:"
    with (
        served(Path(build.DIST), {"Content-Security-Policy": policy}) as base,
        visiting(chromium, base, "?preset=dense", service_workers="block") as visit,
    ):
        assert "WebAssembly" in check_said(visit, reload=False)


@pytest.mark.parametrize("kind", ["missing", "html", "damaged"])
@pytest.mark.parametrize("file", ["early", "page", "(early|page)", "(worker|bokeh[^/]*)"])
def test_a_script_that_does_not_come_whole_is_said(chromium: Browser, site: str, file: str, kind: str) -> None:
    with broken(chromium, site, "?preset=dense", re.compile(rf"/{file}\.js$"), kind) as visit:
        assert "A file of this page" in check_said(visit) or file.startswith("(worker")


@pytest.mark.parametrize("file", ["early", "page"])
def test_a_script_that_does_not_come_once_is_asked_for_again(chromium: Browser, site: str, file: str) -> None:
    with broken(chromium, site, "?preset=dense", re.compile(rf"/{file}\.js$"), "missing", times=1) as visit:
        visit.page.locator("html[data-python=ready]").wait_for(state="attached", timeout=60_000)


@pytest.mark.parametrize("path", ["", "?preset=dense", "p/dense/"])
def test_a_page_of_another_build_than_its_files_is_said(
    chromium: Browser, site: str, tmp_path: Path, path: str
) -> None:
    assert site
    shutil.copytree(build.DIST, tmp_path / "site")
    shutil.rmtree(tmp_path / "site" / "assets")
    with served(tmp_path / "site") as base, visiting(chromium, base, path, service_workers="block") as visit:
        until_failed(visit)
        assert visit.page.locator(".trouble button").count() == 1
        assert (DEFAULT_MODEL in visit.page.locator(".say").inner_text()) == (not path)


@pytest.mark.parametrize("lacking", ["Worker", "matchMedia", "URLSearchParams"])
def test_an_old_browser_gets_one_sentence(chromium: Browser, site: str, lacking: str) -> None:
    context = chromium.new_context(service_workers="block")
    context.add_init_script(f"delete globalThis.{lacking};")
    visit = Visit(context.new_page(), site)
    visit.page.goto(site + "?preset=dense")
    check_said(visit, reload=False)
    context.close()
