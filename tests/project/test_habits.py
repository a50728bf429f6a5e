"""The papers of an open project: all there, in step with the code, and nothing else at the top."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TOP = {"README.md", "build.py", "pyproject.toml", "roofline_app", "static", "tests"}
PAPERS = {"CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "SECURITY.md"}
DOCUMENTS = [*sorted(ROOT.glob("*.md")), ROOT / "roofline_app/data/README.md", *sorted(ROOT.glob(".github/**/*.md"))]
WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yml"))
MOST_NAMES_OF_THE_PACKAGE = 28


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def versioned(folder: str) -> set[str]:
    """Names in a folder that belong to the project: neither hidden nor what `.gitignore` names."""
    ignored = [line.rstrip("/") for line in text(".gitignore").split()]
    names = {path.name for path in (ROOT / folder).iterdir() if not path.name.startswith(".")}
    return {name for name in names if not any(fnmatch(name, pattern) for pattern in ignored)}


def test_the_top_holds_the_project_its_papers_and_nothing_else() -> None:
    assert versioned(".") - {"PKG-INFO"} == TOP | PAPERS


def test_the_package_has_few_names_at_its_top() -> None:
    assert len(versioned("roofline_app")) <= MOST_NAMES_OF_THE_PACKAGE


def test_licence_version_and_authors_are_the_same_everywhere() -> None:
    citation = text("CITATION.cff")
    assert PROJECT["license"] == "Apache-2.0"
    assert "\nlicense: Apache-2.0\n" in citation
    assert text("LICENSE").count("Apache License") >= 1
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert re.findall(r"^## \[(\d[^]]*)\]", text("CHANGELOG.md"), re.MULTILINE)[0] == PROJECT["version"]
    (author,) = PROJECT["authors"]
    assert author.keys() == {"name"}
    assert f"\n  - name: {author['name']}\n" in citation


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_links_to_files_that_are_there(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text(encoding="utf-8")):
        if not target.startswith("https:"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("document", [*DOCUMENTS, *WORKFLOWS], ids=lambda path: path.name)
def test_a_document_names_commands_and_files_of_the_project_alone(document: Path) -> None:
    content = document.read_text(encoding="utf-8")
    verbs = set(re.findall(r'add_parser\(\s*"(\w+)"', text("build.py")))
    assert set(re.findall(r"python3 build\.py (\w+)", content)) <= verbs
    for name in re.findall(
        r"(?<![\w./-])((?:roofline_app|static|tests|\.github|\.ci)/[\w./-]*\w)(?![\w*]*[<*])", content
    ):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("document", [*DOCUMENTS, *WORKFLOWS, ROOT / "CITATION.cff"], ids=lambda path: path.name)
def test_no_document_names_a_person_or_a_mailbox(document: Path) -> None:
    assert not re.search(r"[\w.]+@[\w-]+\.[\w.]+", document.read_text(encoding="utf-8"))


def test_the_readme_is_short_and_begins_with_a_sentence_and_a_picture() -> None:
    readme = text("README.md")
    assert readme.count("\n") < 120
    assert readme.index("![") < readme.index("```")


def test_the_readmes_picture_is_what_the_poster_command_draws() -> None:
    of_link = pytest.importorskip("roofline_app.page.posters").of_link
    assert of_link("preset=article") == text(".github/poster.svg")
