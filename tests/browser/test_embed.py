"""Embeds in other pages: one Python for all of them, as high as what they show, and never another setting's chart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame
from posts import LIVE, SHOWN, THREE, WIDTHS, check, headline, post, published
from visit import CHROMIUM_FLAGS, Visit, visiting

import build
from roofline_app import format as fmt, query
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.text import LANGUAGES
from roofline_app.verdict import answer

START_SECONDS = 120.0
OWN_FEATURES = "--disable-features=MediaRouter"  # in the place of Playwright's list


@contextmanager
def host(chromium: Browser, site: str, *queries: str, height: int = 900) -> Iterator[Visit]:
    """Open a page with embeds; it may still be starting."""
    content = post(site, queries, [1000] * len(queries))
    with visiting(chromium, "about:blank", service_workers="block") as visit:
        address = f"{site}host.html"
        visit.page.route(address, lambda route: route.fulfill(body=content, content_type="text/html"))
        visit.page.set_viewport_size({"width": 1000, "height": height})
        visit.page.goto(address)
        yield visit


def embeds(visit: Visit) -> list[Frame]:
    return [frame for frame in visit.page.frames if "embed.html" in frame.url]


@pytest.fixture(scope="module")
def partitioned(chromium: Browser) -> Iterator[Browser]:
    """Chromium as readers have it: what third parties store is kept apart for each site; Playwright turns that off."""
    browser = chromium.browser_type.launch(executable_path=build.chromium(), args=[*CHROMIUM_FLAGS, OWN_FEATURES])
    yield browser
    browser.close()


def test_an_embed_is_live_when_its_figure_is_drawn(chromium: Browser, site: str) -> None:
    plain = evaluate(query.decode("preset=122b-race").scenario).economics.without
    with host(chromium, site, "preset=122b-race&figure=race", "preset=loses&figure=sensitivity") as visit:
        shown = """(element) => new Promise((tell) => {
          const { contentWindow } = element.shadowRoot.querySelector("iframe");
          element.addEventListener("live", () => {
            const models = [...contentWindow.Bokeh.documents.at(-1)._all_models.values()];
            const rows = models.find(({ name, type }) => name === "sensitivity" && type === "ColumnDataSource").length;
            tell([contentWindow.document.querySelector(".race .rate").textContent, rows]);
          });
        })"""
        visit.until("() => document.querySelectorAll('speculation-roofline')[0].shadowRoot?.querySelector('iframe')")
        race, strip = visit.page.locator("speculation-roofline").all()
        assert race.evaluate(shown)[0] == fmt.rate(plain.tokens_per_second_per_user)
        strip.scroll_into_view_if_needed()
        if not strip.evaluate("(element) => element.shadowRoot.querySelector('.live')"):
            assert strip.evaluate(shown)[1] > 8
        assert visit.errors == []


def test_an_embed_below_the_screen_is_live_only_when_its_figure_is_drawn(chromium: Browser, site: str) -> None:
    with host(chromium, site, "preset=loses&figure=time", "preset=loses&figure=sensitivity", height=300) as visit:
        below = visit.page.locator("speculation-roofline").nth(1)
        below.locator(".live").wait_for(timeout=START_SECONDS * 1000, state="attached")
        assert visit.page.evaluate("() => scrollY") == 0
        rows = below.evaluate(
            """({ shadowRoot }) => {
              const [drawn] = shadowRoot.querySelector("iframe").contentWindow.Bokeh.documents.slice(-1);
              const models = [...drawn._all_models.values()];
              return models.find(({ name, type }) => name === "sensitivity" && type === "ColumnDataSource").length;
            }"""
        )
        assert rows > 8
        assert visit.errors == []


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("browser", "workers"), [("partitioned", 1), ("chromium", len(THREE))], ids=["kept", "refused"]
)
def test_embeds_of_a_post_share_one_python_unless_they_may_store_nothing(
    browser: str, workers: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    chosen: Browser = request.getfixturevalue(browser)
    with published(build.DIST, tmp_path) as address, visiting(chosen, address) as visit:
        visit.until(LIVE, START_SECONDS)
        assert len(visit.page.workers) == workers
        assert len(embeds(visit)) == len(THREE)
        for frame in embeds(visit):
            check(frame.evaluate(SHOWN))
        assert visit.errors == []


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(
    ("link", "width"),
    [
        pytest.param(THREE[0], WIDTHS[0], id="preset"),
        pytest.param(THREE[1], WIDTHS[1], id="setting", marks=pytest.mark.slow),
        pytest.param(THREE[2], WIDTHS[2], id="more", marks=pytest.mark.slow),
    ],
)
def test_an_embed_works_in_a_sandbox_without_an_origin(
    link: str, width: int, chromium: Browser, tmp_path: Path
) -> None:
    sandboxed = {"links": [link], "widths": [width], "attributes": 'sandbox="allow-scripts"'}
    with published(build.DIST, tmp_path, **sandboxed) as address, visiting(chromium, address) as visit:
        visit.until(LIVE, START_SECONDS)
        shown = embeds(visit)[0].evaluate(SHOWN)
        assert shown["origin"] == "null"
        check(shown)
        assert visit.errors == []


@pytest.mark.usefixtures("site")
def test_an_embed_obeys_the_policy_that_it_is_given_by_a_script(chromium: Browser, tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, links=THREE[:1]) as address, visiting(chromium, address) as visit:
        visit.until(LIVE, START_SECONDS)
        refused = embeds(visit)[0].evaluate(
            """async () => {
              const refused = [];
              document.addEventListener("securitypolicyviolation", (event) => refused.push(event.effectiveDirective));
              await fetch("https://example.org/").catch(() => {});
              document.body.append(Object.assign(document.createElement("script"), { textContent: "leaked = 1" }));
              await new Promise((resolve) => setTimeout(resolve));
              return [...refused.sort(), typeof leaked];
            }"""
        )
        assert refused == ["connect-src", "script-src-elem", "undefined"]


def test_the_next_frame_takes_over_where_the_leading_one_goes(chromium: Browser, site: str) -> None:
    with host(chromium, site, *THREE[:2]) as visit:
        visit.until(LIVE, START_SECONDS)
        leading = next(
            frame
            for frame in embeds(visit)
            if frame.evaluate("() => document.documentElement.dataset.route") != "shared"
        )
        gone = leading.url.partition("?")[2]
        (left,) = [frame for frame in embeds(visit) if frame != leading]
        visit.page.evaluate("(link) => document.querySelector(`speculation-roofline[query='${link}']`).remove()", gone)
        left.evaluate("() => { delete document.documentElement.dataset.route; }")
        visit.until("() => document.querySelectorAll('speculation-roofline').length === 1")
        for _ in range(600):
            if left.evaluate("() => document.documentElement.dataset.route"):
                break
            visit.page.wait_for_timeout(100)
        assert left.evaluate("() => document.documentElement.dataset.python") == "ready"
        assert len(visit.page.workers) == 1


@pytest.mark.parametrize(
    ("link", "picture"),
    [
        ("preset=article", "posters/article-speedup-light.svg"),
        ("preset=article&figure=time&theme=dark", "posters/article-time-dark.svg"),
        ("preset=article&lang=zh", "posters/article-speedup-light-zh.svg"),
        ("preset=article&lang=zh-CN", "posters/article-speedup-light-zh.svg"),
        ("preset=article&lang=en", "posters/article-speedup-light.svg"),
        ("preset=article&batch=64", None),
        ("model=qwen3-8b", None),
    ],
)
def test_a_poster_is_that_of_the_very_setting_or_none(
    chromium: Browser, site: str, link: str, picture: str | None
) -> None:
    with host(chromium, site, link) as visit:
        found = visit.until(
            """() => {
              const { shadowRoot } = document.querySelector("speculation-roofline");
              return shadowRoot && [shadowRoot.querySelector("img")?.src];
            }"""
        )
        assert found == [picture and site + picture]


def test_without_a_poster_in_its_language_an_element_shows_the_english_one(chromium: Browser, site: str) -> None:
    with host(chromium, site, "preset=article&lang=tlh") as visit:
        shown = """() => {
          const { shadowRoot } = document.querySelector("speculation-roofline");
          const picture = shadowRoot?.querySelector("img");
          return picture?.complete && picture.naturalWidth > 0 && picture.src;
        }"""
        assert visit.until(shown) == f"{site}posters/article-speedup-light.svg"


def test_a_preset_has_an_address_of_its_own(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "p/large-batch/") as visit:
        wanted = query.encode(query.decode("preset=large-batch").scenario)
        assert visit.page.locator("[data-head=big]").text_content() == headline("preset=large-batch")
        visit.until_ready()
        visit.until(f"() => location.search === '?{wanted}'")
        assert visit.page.url == f"{site}?{wanted}"
        assert visit.errors == []


def test_readers_without_scripts_see_the_poster_and_the_numbers(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "p/dense/", java_script_enabled=False) as visit:
        visit.page.set_viewport_size({"width": 360, "height": 800})
        assert visit.page.evaluate("() => document.documentElement.scrollWidth") == 360
        scenario = query.decode("preset=dense").scenario
        for language in LANGUAGES:
            said = answer(evaluate(scenario), language).headline
            assert visit.page.locator(".scriptless").get_by_text(said).is_visible()
        pictures = visit.page.locator(".scriptless img")
        assert pictures.count() == len(FIGURES) * len(LANGUAGES)
        assert pictures.first.evaluate("(image) => image.naturalWidth") == 720
        assert visit.page.locator(".scriptless td").count() > scenario.cap


def test_the_post_is_live_from_the_race_to_the_end(chromium: Browser, site: str) -> None:
    with visiting(chromium, site, "examples/post.html", service_workers="block") as visit:
        first = visit.page.locator("speculation-roofline").first
        assert first.get_attribute("figure") == "race"
        for one in visit.page.locator("speculation-roofline").all():
            one.scroll_into_view_if_needed()
            one.locator(".live").wait_for(timeout=START_SECONDS * 1000, state="attached")
        assert len(visit.page.workers) == 1
        assert visit.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        for frame in embeds(visit):
            assert frame.locator(".notices p").count() == 0
        assert visit.errors == []
