"""What is built besides the page: an address for each preset, posters, and previews of links."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from roofline_app import query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.sections import with_figures
from roofline_app.site.share_pages import Shares
from roofline_app.text import LANGUAGES, TRANSLATIONS, language_tag
from roofline_app.verdict import answer

ROOT = Path(__file__).resolve().parents[2]
INDEX = with_figures((ROOT / "static" / "index.html").read_text(encoding="utf-8"))
BASE = "https://example.org/roofline/"
PNG = b"\x89PNG\r\n"


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return Shares(index=INDEX, static=ROOT / "static").files()


@pytest.fixture(scope="module")
def published() -> dict[str, bytes]:
    index = INDEX.replace("</head>", f'<link rel="canonical" href="{BASE}">\n</head>')
    return Shares(index=index, static=ROOT / "static", base_url=BASE).files()


@pytest.mark.parametrize("preset", registry.presets())
def test_every_preset_has_a_page_with_its_own_answer_before_any_script(preset: str, files: dict[str, bytes]) -> None:
    page = files[f"p/{preset}/index.html"].decode()
    link = registry.presets()[preset].query
    found = re.search(r'id="preset-state">(.*?)</script>', page)
    assert found is not None
    state = json.loads(found[1])
    assert state["query"] == query.encode(query.decode(link).scenario)
    assert state["verdict"] == answer(evaluate(query.decode(link).scenario)).verdict
    assert page.index("<base ") < page.index("<link")


def test_every_preset_has_a_poster_of_every_figure_in_both_themes_and_languages(files: dict[str, bytes]) -> None:
    for preset in registry.presets():
        for figure in FIGURES:
            for theme in ("light", "dark"):
                assert files[f"posters/{preset}-{figure}-{theme}.svg"].startswith(b"<svg")
                for language in TRANSLATIONS:
                    assert files[f"posters/{preset}-{figure}-{theme}-{language}.svg"].startswith(b"<svg")


def scriptless(files: dict[str, bytes], page: str) -> dict[str, str]:
    """What a page says where scripts are off, by the tag of its language."""
    hidden = files[page].decode().partition("<noscript>")[2].partition("</noscript>")[0]
    return dict(re.findall(r'<section class="scriptless" lang="([\w-]+)">(.*?)</section>', hidden, re.DOTALL))


@pytest.mark.parametrize("page", ["index.html", "embed.html", "p/dense/index.html"])
def test_readers_without_scripts_are_told_the_answer_in_every_language(page: str, files: dict[str, bytes]) -> None:
    said = scriptless(files, page)
    assert list(said) == [language_tag(language) for language in LANGUAGES]
    link = "preset=dense" if "dense" in page else ""
    for language, hidden in zip(LANGUAGES, said.values(), strict=True):
        words = answer(evaluate(query.decode(link).scenario), language)
        assert html.escape(words.headline) in hidden
        assert html.escape(words.verdict) in hidden


@pytest.mark.parametrize("page", ["index.html", "embed.html", "p/dense/index.html"])
def test_readers_without_scripts_get_every_figure_and_no_motion_where_they_want_none(
    page: str, files: dict[str, bytes]
) -> None:
    preset = "dense" if "dense" in page else "article"
    endings = ["light.svg", *(f"light-{language}.svg" for language in TRANSLATIONS)]
    for ending, hidden in zip(endings, scriptless(files, page).values(), strict=True):
        shown = re.findall(r'<img src="(posters/[^"]+)" alt="[^"]+"', hidden)
        assert shown == [f"posters/{preset}-{figure}-{ending}" for figure in FIGURES]
        assert set(shown) <= files.keys()
        still = f'<source srcset="posters/{preset}-race-{ending}#still" media="(prefers-reduced-motion: reduce)">'
        assert still in hidden


def test_an_embed_without_scripts_says_whose_figures_it_shows(files: dict[str, bytes]) -> None:
    said = scriptless(files, "embed.html")
    assert "the default one, DeepSeek-V4 Pro on 8 × NVIDIA B200" in said["en"]
    assert "8 × NVIDIA B200 SXM 上的 DeepSeek-V4 Pro" in said["zh-Hans"]
    for hidden in said.values():
        for preset in registry.presets():
            assert f'href="p/{preset}/"' in hidden


@pytest.mark.parametrize("figure", FIGURES)
def test_a_presets_page_shows_every_poster_until_python_is_there(figure: str, files: dict[str, bytes]) -> None:
    page = files["p/dense/index.html"].decode()
    section = page.partition(f'data-figure="{figure}"')[2].partition("</section>")[0]
    assert f'src="posters/dense-{figure}-light.svg"' in section


def test_previews_are_absolute_where_the_address_of_the_site_is_known(published: dict[str, bytes]) -> None:
    page = published["p/article/index.html"].decode()
    assert f'<meta property="og:image" content="{BASE}posters/article.png">' in page
    assert f'<link rel="canonical" href="{BASE}p/article/">' in page
    assert published["posters/article.png"].startswith(PNG)


def test_previews_are_left_out_where_it_is_not(files: dict[str, bytes]) -> None:
    assert "og:" not in files["p/article/index.html"].decode()
    assert not [name for name in files if name.endswith(".png")]


def test_the_method_lies_beside_the_page(files: dict[str, bytes]) -> None:
    assert b"<h1>" in files["method.html"]


def test_every_picture_of_the_post_is_there(files: dict[str, bytes]) -> None:
    post = files["examples/post.html"].decode()
    pictures = re.findall(r'src="\.\./(posters/[^"]+)"', post)
    assert pictures
    assert set(pictures) <= files.keys()
    assert set(re.findall(r'href="\.\./(p/[^"]+)"', post)) <= {name.removesuffix("index.html") for name in files}
