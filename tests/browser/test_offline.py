"""Visits without a network, and a new build over an old one that a browser holds."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error
from visit import Visit, served

import build
from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.site import assemble, compilation
from roofline_app.verdict import answer

KEPT = "() => document.documentElement.dataset.offline"
TITLE = "<title>One line</title>"
FOR_NOW = {"Connection": "close"}  # else a browser's open connections would outlive the server


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context()
    yield context
    context.close()


def opened(context: BrowserContext, base: str, address: str = "") -> Visit:
    page = context.new_page()
    visit = Visit(page, base)
    page.on("console", lambda m: visit.errors.append(m.text) if m.type == "error" else None)
    page.on("request", lambda request: visit.requests.append(request.url))
    page.goto(base + address)
    visit.until_ready()
    return visit


def works(visit: Visit) -> bool:
    visit.set_widget("slope", 7)
    visit.until("() => log.states.at(-1)?.slope === 7")
    return bool(visit.source("curve")["y"][0] == 7.0)


def deploy(files: dict[str, bytes], folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    assemble.write(files, folder)


def test_the_page_opens_without_a_network_after_one_visit(context: BrowserContext, tiny_site: Path) -> None:
    with served(tiny_site, FOR_NOW) as base:
        first = opened(context, base)
        assert first.until(KEPT, 60) == "kept"
    visit = opened(context, base)  # the server is gone
    assert works(visit)
    assert visit.errors == []


EMBED = "embed.html?preset=dense&figure=batch&lang=en"


@pytest.mark.usefixtures("site")
def test_embeds_and_presets_open_without_a_network_too(context: BrowserContext) -> None:
    with served(build.DIST, FOR_NOW) as base:
        first = opened(context, base)
        assert first.until(KEPT, 60) == "kept"
        online = opened(context, base, EMBED).page.locator("body").inner_text()
    embed = opened(context, base, EMBED)  # the server is gone
    assert embed.page.locator("html[data-embed]").count() == 1
    assert embed.page.locator("body").inner_text() == online
    wanted = answer(evaluate(query.decode("preset=dense").scenario))
    for address in ("p/dense/?lang=en", "p/dense?lang=en", "p/dense/index.html?lang=en"):
        preset = opened(context, base, address)
        assert preset.page.locator(".verdict").text_content() == wanted.verdict
        preset.until("() => location.search.includes('qwen3.5-27b')")
        assert "lang=en" in preset.page.url
        assert preset.errors == []
        preset.page.close()
    for one in (embed, first):
        assert one.errors == []


def test_what_is_not_kept_is_not_answered_with_the_page(context: BrowserContext, tiny_site: Path) -> None:
    with served(tiny_site, FOR_NOW) as base:
        assert opened(context, base).until(KEPT, 60) == "kept"
    page = context.new_page()
    with pytest.raises(Error, match=r"ERR_FAILED|ERR_CONNECTION_REFUSED"):
        page.goto(f"{base}examples/post.html")


@pytest.mark.parametrize("offline", [True, False], ids=["a new build", "the kill switch"])
def test_a_new_build_takes_over_from_one_that_the_browser_holds(
    context: BrowserContext,
    tiny_sources: assemble.Sources,
    compiler: compilation.Compiler,
    tmp_path: Path,
    offline: bool,
) -> None:
    folder = tmp_path / "site"
    old = assemble.site_files(tiny_sources, compiler)
    deploy(old, folder)
    static = tmp_path / "static"
    shutil.copytree(tiny_sources.static, static)
    for name, text in (("index.html", "<title>Two</title>"), ("page.js", "globalThis.build = 2;")):
        path = static / name
        path.write_text(path.read_text().replace(TITLE, text) if name == "index.html" else path.read_text() + text)
    pins = replace(tiny_sources.pins, offline=offline)
    new = assemble.site_files(replace(tiny_sources, static=static, pins=pins), compiler)
    with served(folder, FOR_NOW) as base:
        first = opened(context, base)
        assert first.until(KEPT, 60) == "kept"
        first.page.close()
        deploy(new, folder)
        visit = opened(context, base)
        assert visit.page.title() == "Two"
        assert visit.page.evaluate("() => build") == 2
        names = {request.removeprefix(base) for request in visit.requests if request.startswith(base)}
        assert not (names & (old.keys() - new.keys()))
        assert works(visit)
        assert visit.until(KEPT, 60) == ("kept" if offline else "removed")
        assert visit.errors == []
        left = visit.page.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length")
        assert left == int(offline)
