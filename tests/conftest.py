"""What all tests share: hypothesis profiles, a browser, and a site made of one slider and one curve."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from installed import built_wheel
from playwright.sync_api import Browser, sync_playwright
from visit import Visit, served, visiting

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import build  # noqa: E402 (found by the line above)
from roofline_app.site import assemble, compilation, fetch  # noqa: E402

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = build.chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pins() -> fetch.Pins:
    return fetch.Pins.read(ROOT / "pyproject.toml")


@pytest.fixture(scope="session")
def compiler(pins: fetch.Pins) -> compilation.Compiler:
    node, npm = build.node_and_npm()
    return compilation.Compiler(node=node, pyodide=fetch.pyodide_files(pins, npm), cache=fetch.cache_folder())


@pytest.fixture(scope="session")
def tiny_sources(
    tmp_path_factory: pytest.TempPathFactory, pins: fetch.Pins, compiler: compilation.Compiler
) -> assemble.Sources:
    """Sources of the smallest page: the product's loader, worker and link around one slider and one curve."""
    folder = tmp_path_factory.mktemp("tiny")
    tiny = ROOT / "tests" / "site" / "tiny"
    package = folder / "roofline_app"
    (package / "page" / "runtime").mkdir(parents=True)
    (package / "__init__.py").touch()
    for name in (
        "__init__.py",
        "runtime/__init__.py",
        *(f"runtime/{stem}.py" for stem in ("browser", "panel_shims", "reseed", "sync")),
    ):
        shutil.copy(ROOT / "roofline_app" / "page" / name, package / "page" / name)
    shutil.copy(tiny / "page.py", package / "page" / "page.py")
    shutil.copytree(tiny / "static", folder / "static")
    shutil.copytree(ROOT / "static" / "worker", folder / "static" / "worker")
    for path in (ROOT / "static").glob("*.js"):
        if path.name not in {"page.js", "render.js"}:
            shutil.copy(path, folder / "static" / path.name)
    wheel = fetch.numpy_wheel(pins, compiler.pyodide)
    _, npm = build.node_and_npm()
    return assemble.Sources(
        package=package,
        static=folder / "static",
        wheel=wheel,
        decoder=fetch.zstandard_decoder(pins, npm),
        esbuild=fetch.esbuild(pins, npm),
        pins=pins,
    )


@pytest.fixture(scope="session")
def tiny_site(
    tmp_path_factory: pytest.TempPathFactory, tiny_sources: assemble.Sources, compiler: compilation.Compiler
) -> Path:
    """Folder of the built tiny site."""
    folder = tmp_path_factory.mktemp("site")
    assemble.write(assemble.site_files(tiny_sources, compiler), folder)
    return folder


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel."""
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Address of the built site; built here where a source has changed."""
    build.build()
    with served(Path(build.DIST)) as base:
        yield base


@pytest.fixture(scope="module")
def default_page(chromium: Browser, site: str) -> Iterator[Visit]:
    """The page as it opens without a link."""
    with visiting(chromium, site) as visit:
        visit.until_ready()
        yield visit
