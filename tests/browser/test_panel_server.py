"""The page on a Panel server, from the installed wheel: the same page, the same figures, the same links."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from installed import ROOT, install, with_all
from playwright.sync_api import Browser
from visit import Visit, visiting

LINK = "?model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&lang=en"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Iterator[str]:
    """Address of the server that the wheel's command starts."""
    folder = tmp_path_factory.mktemp("panel")
    python = with_all(folder / "environment")
    install(python, wheel, "serve")
    command = [str(python.parent / "roofline_app"), "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip()
        running.terminate()


def evaluated(link: str) -> list[dict[str, list[float]]]:
    """Return a separate process's numbers of a link's drafters."""
    command = [sys.executable, "-m", "roofline_app", "evaluate", link]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    drafters: list[dict[str, list[float]]] = json.loads(printed)["drafters"]
    return drafters


def shows(visit: Visit, link: str) -> None:
    """Check the first figure's data against a separate process's."""
    for number, drafter in enumerate(evaluated(link)):
        source = visit.source(f"speedup-{number}")
        for column in ("draft_tokens", "speedup", "tokens_per_round"):
            assert source[column] == pytest.approx(drafter[column], rel=1e-12)


def batch_of(visit: Visit) -> str:
    return parse_qs(urlsplit(visit.page.url).query).get("batch", [""])[0]


def test_a_link_opens_and_a_control_changes_figures_words_and_address(chromium: Browser, served: str) -> None:
    with visiting(chromium, served, LINK) as visit:
        visit.until_ready()
        shows(visit, LINK[1:])
        visit.set_widget("batch", "64")
        visit.until("() => document.querySelector('[data-open=batch]').textContent === '64'")
        shows(visit, LINK[1:].replace("batch=8", "batch=64"))
        visit.until("() => location.search.includes('batch=64')")
        assert "lang=en" in visit.page.url
        assert visit.errors == []
        assert [r for r in visit.foreign_requests if not r.startswith("ws://127.0.0.1")] == []


def test_presets_and_the_way_back_work_as_on_the_site(chromium: Browser, served: str) -> None:
    with visiting(chromium, served, LINK) as visit:
        visit.until_ready()
        visit.page.locator("[data-preset=large-batch]").click()
        visit.until("() => document.querySelector('[data-preset=large-batch]').ariaCurrent === 'true'")
        shows(visit, "preset=large-batch")
        visit.page.go_back()
        visit.until("() => document.querySelector('[data-open=batch]').textContent === '8'")
        shows(visit, LINK[1:])
        assert visit.errors == []


def test_a_preset_has_an_address_of_its_own_as_on_the_site(chromium: Browser, served: str) -> None:
    for address in ("p/large-batch", "p/large-batch/", "p/large-batch/index.html"):
        with visiting(chromium, served, f"{address}?lang=en&theme=dark") as visit:
            visit.until_ready()
            shows(visit, "preset=large-batch")
            assert visit.page.locator("html").get_attribute("data-theme") == "dark"
            assert visit.errors == []
            assert visit.page.request.get(f"{served}p/none/").status == 404


def test_a_hostile_link_is_told_and_never_markup(chromium: Browser, served: str) -> None:
    link = "?model=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E&batch={{7*7}}&lang=en"
    with visiting(chromium, served, link) as visit:
        visit.until_ready()
        notices = visit.page.locator(".notices").text_content() or ""
        assert "<img src=x" in notices
        assert "{{7*7}}" in notices
        assert visit.errors == []


def test_each_reader_has_a_session_of_their_own(chromium: Browser, served: str) -> None:
    with visiting(chromium, served, LINK) as one, visiting(chromium, served, LINK) as other:
        one.until_ready()
        other.until_ready()
        one.set_widget("batch", "64")
        one.until("() => location.search.includes('batch=64')")
        assert "batch=64" not in other.page.url
        shows(other, LINK[1:])


def test_the_server_speaks_the_readers_language_and_wears_their_colours(chromium: Browser, served: str) -> None:
    with visiting(chromium, served, "", locale="zh-CN", color_scheme="dark") as visit:
        visit.until_ready()
        assert visit.page.locator("html").get_attribute("lang") == "zh-Hans"
        assert visit.page.locator("html").get_attribute("data-theme") == "dark"
        assert "步" in (visit.page.locator(".verdict").text_content() or "")
        assert visit.errors == []


def test_an_embed_code_of_the_served_page_leads_to_the_server(chromium: Browser, served: str) -> None:
    with visiting(chromium, served, "embed.html?preset=dense&figure=batch&lang=en") as visit:
        visit.until_ready()
        assert visit.page.locator("[data-figure=batch]").is_visible()
        assert not visit.page.locator("[data-figure=speedup]").is_visible()
        assert visit.page.request.get(f"{served}embed.js").ok
        assert visit.errors == []


def test_the_method_is_served_in_its_styles(chromium: Browser, served: str) -> None:
    with visiting(chromium, served, LINK) as visit:
        visit.page.get_by_role("link", name="How it works").click()
        visit.page.wait_for_url(f"{served}method.html")
        assert visit.page.evaluate("document.styleSheets.length") >= 2
        assert visit.page.evaluate("[...document.styleSheets].every((sheet) => sheet.cssRules.length)")
        assert visit.errors == []


def test_a_taken_port_is_refused_in_one_line(served: str) -> None:
    port = str(urlsplit(served).port)
    command = [sys.executable, "-m", "roofline_app", "serve", "--port", port]
    finished = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=60)
    assert finished.returncode == 2
    assert finished.stderr.count("\n") == 1
    assert port in finished.stderr
