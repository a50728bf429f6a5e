"""The built page in Firefox and in WebKit: it opens, a control changes a curve, a link is restored, no error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from drivers import by_firefox, by_webkit, in_firefox, in_webkit, puppeteer_folder
from posts import LIVE, PICTURES, RACE, RACE_POSTER, SHOWN, THREE, check, published

import build
from roofline_app.site.single_file import NAME

LINK = "?batch=64"
SANDBOX = {"links": THREE[:1], "attributes": 'sandbox="allow-scripts"'}
RACING = {"links": [RACE], "pictures": [RACE_POSTER]}


@pytest.fixture(scope="session")
def puppeteer() -> Path:
    return puppeteer_folder()


def test_firefox_restores_the_page_and_keeps_it_for_the_next_visit(puppeteer: Path, site: str, tmp_path: Path) -> None:
    first, second = (in_firefox(puppeteer, tmp_path, site) for _ in range(2))
    assert (first["route"], first["stored"], second["route"]) == ("network", "files", "files")
    assert first["errors"] == second["errors"] == []
    assert first["answered"] > 0
    assert second["answered"] > 0


@pytest.mark.slow
def test_firefox_restores_a_link(puppeteer: Path, site: str, tmp_path: Path) -> None:
    visit = in_firefox(puppeteer, tmp_path, site + LINK)
    assert visit["route"] == "network"
    assert visit["errors"] == []


@pytest.mark.usefixtures("site")
def test_firefox_opens_the_site_as_one_file(puppeteer: Path, tmp_path: Path) -> None:
    visit = in_firefox(puppeteer, tmp_path, (build.DIST / NAME).as_uri())
    assert (visit["route"], visit["stored"], visit["errors"]) == ("network", "nowhere", [])
    assert visit["answered"] > 0


@pytest.mark.parametrize("link", ["", pytest.param(LINK, marks=pytest.mark.slow)])
def test_webkit_restores_the_page(site: str, link: str) -> None:
    visit = in_webkit(site + link)
    assert visit["route"] == "network"
    assert visit["errors"] == []


def check_embeds(visit: dict[str, Any], links: int) -> None:
    """Check a post's embeds: each shows its own setting, and one Python runs for all of them."""
    assert visit["workers"] == 1
    assert visit["errors"] == []
    assert len(visit["frames"]) == links
    for shown in visit["frames"]:
        check(shown)


@pytest.mark.usefixtures("site")
def test_firefox_runs_one_python_for_three_embeds(puppeteer: Path, tmp_path: Path) -> None:
    with published(build.DIST, tmp_path) as address:
        check_embeds(
            by_firefox(puppeteer, tmp_path / "profile", "embeds.mjs", address, LIVE, SHOWN, PICTURES), len(THREE)
        )


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_firefox_shows_an_embed_in_a_sandbox_without_an_origin(puppeteer: Path, tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, **SANDBOX) as address:
        visit = by_firefox(puppeteer, tmp_path / "profile", "embeds.mjs", address, LIVE, SHOWN, PICTURES)
    check_embeds(visit, 1)
    assert visit["frames"][0]["origin"] == "null"


def check_race(visit: dict[str, Any]) -> None:
    """Check a post's race: it is live, runs at its rates, and the picture that moves without a script is shown."""
    check_embeds(visit, 1)
    plain, fast = (float(rate.removesuffix(" tok/s").replace(",", "")) for rate in visit["frames"][0]["rates"])
    assert plain == pytest.approx(250, rel=0.1)
    assert fast == pytest.approx(1000, rel=0.1)
    assert all(visit["frames"][0]["counts"])
    assert visit["pictures"] == [[720, 378]]


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_firefox_races_in_a_post_and_shows_the_races_poster(puppeteer: Path, tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, **RACING) as address:
        check_race(by_firefox(puppeteer, tmp_path / "profile", "embeds.mjs", address, LIVE, SHOWN, PICTURES))


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_webkit_races_in_a_post_and_shows_the_races_poster(tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, **RACING) as address:
        check_race(by_webkit("webkit_embeds.py", address, LIVE, SHOWN, PICTURES))


@pytest.mark.usefixtures("site")
def test_webkit_runs_one_python_for_three_embeds(tmp_path: Path) -> None:
    with published(build.DIST, tmp_path) as address:
        check_embeds(by_webkit("webkit_embeds.py", address, LIVE, SHOWN, PICTURES), len(THREE))


@pytest.mark.slow
@pytest.mark.usefixtures("site")
def test_webkit_shows_an_embed_in_a_sandbox_without_an_origin(tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, **SANDBOX) as address:
        visit = by_webkit("webkit_embeds.py", address, LIVE, SHOWN, PICTURES)
    check_embeds(visit, 1)
    assert visit["frames"][0]["origin"] == "null"
