"""The site as one file: opened from a folder, without a server, it is as live as the site and asks for nothing."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest
from evaluated import differences, native, shown_query
from playwright.sync_api import Browser
from visit import Visit, eventually, visiting

import build
from roofline_app.site.single_file import NAME

ROUTE = "() => document.documentElement.dataset.route"
FIGURES = """() => [...document.querySelectorAll("[data-figure]")].map((figure) => figure.dataset.figure)
  .filter((name) => document.querySelector(`[data-root="figure-${name}"]`))"""
DRAWN = """(name) => {
  document.querySelector(`[data-figure="${name}"]`).scrollIntoView();
  const [root] = [...Bokeh.index.roots].filter(({ model }) => model.name === `figure-${name}`);
  return root?.el.getBoundingClientRect().height > 50;
}"""


@pytest.fixture(scope="module")
def single(site: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file, alone in a folder."""
    assert site
    path = tmp_path_factory.mktemp("alone") / NAME
    path.write_bytes((build.DIST / NAME).read_bytes())
    return path


def inlined(path: Path) -> dict[str, str]:
    """The files in the file, as it holds them."""
    [found] = re.findall(r'id="inlined">(.*?)</script>', path.read_text(encoding="utf-8"), re.DOTALL)
    files: dict[str, str] = json.loads(found)
    return files


def show_all(visit: Visit) -> None:
    """Scroll to each figure and wait until it is drawn; those off the screen wait."""
    figures = visit.page.evaluate(FIGURES)
    assert len(figures) > 5
    for figure in figures:
        visit.until(f"() => ({DRAWN})({json.dumps(figure)})")


def works(visit: Visit) -> bool:
    """Whether a moved control moves the curves to what a native process computes."""
    batch = visit.page.evaluate("() => Bokeh.documents[0].get_model_by_name('batch-slider').value")
    visit.until("() => location.search.includes('v=1')")
    before = shown_query(visit)
    visit.set_widget("batch-slider", batch + 1)
    visit.until(f"() => location.search.slice(1) !== {json.dumps(before)}")
    computed = native(shown_query(visit))
    show_all(visit)
    return eventually(lambda: differences(visit, computed) == [])


def test_a_double_click_opens_a_live_page_that_asks_for_nothing(chromium: Browser, single: Path) -> None:
    with visiting(chromium, single.as_uri()) as visit:
        visit.until_ready()
        assert visit.page.evaluate(ROUTE) == "network"
        assert works(visit)
        visit.until("() => document.documentElement.dataset.offline")
        assert visit.page.evaluate("() => document.documentElement.dataset.stored") == "nowhere"
        assert visit.errors == []
        assert [r for r in visit.requests if not r.startswith(("data:", "blob:"))] == [single.as_uri()]


def test_links_and_dark_colours_work_in_it(chromium: Browser, single: Path) -> None:
    with visiting(chromium, single.as_uri(), "?model=qwen3.5-27b&gpu=b200&gpus=1&batch=4&theme=dark") as visit:
        visit.until_ready()
        visit.until("() => location.search.includes('v=1')")
        computed = native(shown_query(visit).partition("&theme")[0])
        show_all(visit)
        assert eventually(lambda: differences(visit, computed) == [])
        assert visit.page.evaluate("() => document.querySelector('#language').href").startswith(single.as_uri() + "?")
        assert visit.errors == []


def test_it_starts_python_without_a_damaged_snapshot(chromium: Browser, single: Path, tmp_path: Path) -> None:
    files = inlined(single)
    [pages] = [name for name in files if "/pages." in name]
    damaged = tmp_path / NAME
    damaged.write_text(single.read_text(encoding="utf-8").replace(files[pages], files[pages][:4000]), encoding="utf-8")
    with visiting(chromium, damaged.as_uri()) as visit:
        visit.until_ready()
        assert visit.page.evaluate(ROUTE) == "plain"
        assert works(visit)
        assert visit.errors == []


def test_it_holds_the_very_files_of_the_site(single: Path) -> None:
    files = inlined(single)
    assert len(files) > 6
    for name, text in files.items():
        content, shipped = base64.b64decode(text), (build.DIST / name).read_bytes()
        assert content == shipped or gzip.decompress(content) == shipped


def test_it_leads_to_no_file_that_lies_beside_the_site_alone(single: Path) -> None:
    footer = single.read_text(encoding="utf-8").partition("<footer>")[2].partition("</footer>")[0]
    assert footer
    assert "method.html" not in footer


def test_its_policy_allows_its_own_scripts_alone(single: Path) -> None:
    page = single.read_text(encoding="utf-8")
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert {"base-uri 'none'", "form-action 'none'"} <= set(policy.split("; "))
    assert "unsafe-eval" not in policy.replace("wasm-unsafe-eval", "")
    assert not re.search(r'<(script|link|img)[^>]* (src|href)="(?!data:)', page.partition('id="worker"')[0])
