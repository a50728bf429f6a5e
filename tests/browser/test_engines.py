"""The built page in Firefox and in WebKit: it opens, a control changes a curve, a link is restored, no error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from posts import LIVE, SHOWN, THREE, check, published

import build
from roofline_app.site.single_file import NAME

SANDBOX = {"links": THREE[:1], "attributes": 'sandbox="allow-scripts"'}
HERE = Path(__file__).parent
WIDGET, SOURCE = "batch-slider", "speedup-0"
LINK = "?batch=64"


@pytest.fixture(scope="session")
def puppeteer() -> Path:
    """Folder of the pinned driver of Firefox."""
    folder = build.ENVIRONMENT / "puppeteer"
    pin = build.project()["tool"]["roofline-node"]["firefox"]
    stamp = folder / str(pin).replace("@", "-")
    if not stamp.is_file():
        _, npm = build.node_and_npm()
        folder.mkdir(exist_ok=True)
        (folder / "package.json").write_text("{}", encoding="utf-8")
        command = [*npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), str(pin)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        stamp.touch()
    return folder


def in_firefox(puppeteer: Path, profile: Path, address: str) -> dict[str, Any]:
    return by_firefox(puppeteer, profile, "firefox.mjs", address, WIDGET, SOURCE)


def by_firefox(puppeteer: Path, profile: Path, script: str, *arguments: str) -> dict[str, Any]:
    node, _ = build.node_and_npm()
    command = [node, str(HERE / script), str(puppeteer), build.firefox(), str(profile), *arguments]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=200)
    visit: dict[str, Any] = json.loads(answer.stdout)
    return visit


def in_webkit(address: str) -> dict[str, Any]:
    return by_webkit("webkit.py", address, WIDGET, SOURCE)


def by_webkit(script: str, *arguments: str) -> dict[str, Any]:
    command = ["xvfb-run", "-a", sys.executable, str(HERE / script), *arguments]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=200)
    visit: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    return visit


def test_firefox_restores_the_page_and_keeps_it_for_the_next_visit(puppeteer: Path, site: str, tmp_path: Path) -> None:
    first, second = (in_firefox(puppeteer, tmp_path, site) for _ in range(2))
    assert (first["route"], first["stored"], second["route"]) == ("network", "files", "files")
    assert first["errors"] == second["errors"] == []
    assert first["answered"] > 0
    assert second["answered"] > 0


def test_firefox_restores_a_link(puppeteer: Path, site: str, tmp_path: Path) -> None:
    visit = in_firefox(puppeteer, tmp_path, site + LINK)
    assert visit["route"] == "network"
    assert visit["errors"] == []


@pytest.mark.usefixtures("site")
def test_firefox_opens_the_site_as_one_file(puppeteer: Path, tmp_path: Path) -> None:
    visit = in_firefox(puppeteer, tmp_path, (build.DIST / NAME).as_uri())
    assert (visit["route"], visit["stored"], visit["errors"]) == ("network", "nowhere", [])
    assert visit["answered"] > 0


@pytest.mark.parametrize("link", ["", LINK])
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
        check_embeds(by_firefox(puppeteer, tmp_path / "profile", "embeds.mjs", address, LIVE, SHOWN), len(THREE))


@pytest.mark.usefixtures("site")
def test_firefox_shows_an_embed_in_a_sandbox_without_an_origin(puppeteer: Path, tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, **SANDBOX) as address:
        visit = by_firefox(puppeteer, tmp_path / "profile", "embeds.mjs", address, LIVE, SHOWN)
    check_embeds(visit, 1)
    assert visit["frames"][0]["origin"] == "null"


@pytest.mark.usefixtures("site")
def test_webkit_runs_one_python_for_three_embeds(tmp_path: Path) -> None:
    with published(build.DIST, tmp_path) as address:
        check_embeds(by_webkit("webkit_embeds.py", address, LIVE, SHOWN), len(THREE))


@pytest.mark.usefixtures("site")
def test_webkit_shows_an_embed_in_a_sandbox_without_an_origin(tmp_path: Path) -> None:
    with published(build.DIST, tmp_path, **SANDBOX) as address:
        visit = by_webkit("webkit_embeds.py", address, LIVE, SHOWN)
    check_embeds(visit, 1)
    assert visit["frames"][0]["origin"] == "null"
