"""Fixtures of the build: its inputs, a site made of one slider and one curve, and the project's wheel."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from installed import ROOT, built_wheel
from once import made_once

import build
from roofline_app.site import assemble, compilation, fetch, publish

TINY = ROOT / "tests" / "site" / "tiny"


@pytest.fixture(scope="session")
def pins() -> fetch.Pins:
    return fetch.Pins.read(ROOT / "pyproject.toml")


@pytest.fixture(scope="session")
def compiler(pins: fetch.Pins) -> compilation.Compiler:
    return publish.compiler(pins, *build.node_and_npm())


@pytest.fixture(scope="session")
def tiny_sources(tmp_path_factory: pytest.TempPathFactory, compiler: compilation.Compiler) -> assemble.Sources:
    """Sources of the smallest page: the product's loader, worker and link around one slider and one curve."""
    folder = tmp_path_factory.mktemp("tiny")
    package = folder / "roofline_app"
    (package / "page" / "runtime").mkdir(parents=True)
    (package / "__init__.py").touch()
    for name in (
        "__init__.py",
        "runtime/__init__.py",
        *(f"runtime/{stem}.py" for stem in ("browser", "panel_shims", "reseed", "sync")),
    ):
        shutil.copy(ROOT / "roofline_app" / "page" / name, package / "page" / name)
    shutil.copy(TINY / "page.py", package / "page" / "page.py")
    shutil.copytree(TINY / "static", folder / "static")
    shutil.copytree(ROOT / "static" / "worker", folder / "static" / "worker")
    for path in (ROOT / "static").glob("*.js"):
        if path.name not in {"page.js", "render.js"}:
            shutil.copy(path, folder / "static" / path.name)
    whole = publish.sources(ROOT, compiler, build.node_and_npm()[1])
    return replace(whole, package=package, static=folder / "static")


@pytest.fixture(scope="session")
def tiny_site(
    tmp_path_factory: pytest.TempPathFactory, tiny_sources: assemble.Sources, compiler: compilation.Compiler
) -> Path:
    """Folder of the built tiny site."""

    def make(folder: Path) -> None:
        assemble.write(assemble.site_files(tiny_sources, compiler), folder)

    return made_once(tmp_path_factory, "tiny-site", make)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel."""

    def make(folder: Path) -> None:
        built_wheel(folder)

    (path,) = made_once(tmp_path_factory, "wheel", make).glob("*.whl")
    return path
