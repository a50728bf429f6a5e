"""The page's own files: words, places, and nothing that a strict policy forbids."""

import json
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from roofline_app import text
from roofline_app.page.markup import whole_page
from roofline_app.page.markup_words import with_languages
from roofline_app.page.sections import with_figures
from roofline_app.scenario import MOST_DRAFTERS

ROOT = Path(__file__).resolve().parents[2]
INDEX = (ROOT / "static" / "index.html").read_text(encoding="utf-8")
HTML = with_figures(INDEX)
WORDS = {
    key: words
    for section in ("page", "figures")
    for key, words in tomllib.loads((ROOT / f"roofline_app/data/text/en/{section}.toml").read_text("utf-8")).items()
}


class Said(HTMLParser):
    """Collects the words under each data-text and data-label key, and the attributes of every tag."""

    def __init__(self) -> None:
        """Start with nothing."""
        super().__init__()
        self.words: dict[str, set[str]] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._key: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.tags.append((tag, dict(attrs)))
        self._key = dict(attrs).get("data-text")
        label = dict(attrs).get("data-label")
        if label:
            self.words.setdefault(label, set()).add(dict(attrs).get("aria-label") or "")

    def handle_data(self, data: str) -> None:
        """Keep the words that follow a tag with a key."""
        if self._key is not None:
            self.words.setdefault(self._key, set()).add(data)
            self._key = None


@pytest.fixture(scope="module")
def said() -> Said:
    parser = Said()
    parser.feed(HTML)
    return parser


def test_index_html_says_what_the_text_file_says(said: Said) -> None:
    assert len(said.words) > 30
    for key, words in said.words.items():
        assert words == {WORDS[key]}


def test_every_sentence_of_the_text_file_is_used() -> None:
    paths = sorted((ROOT / "roofline_app").rglob("*.py"))
    code = "".join(path.read_text(encoding="utf-8") for path in paths)
    stems = (
        "model_search",
        "line_",
        "experts_",
        "component_",
        "bound_",
        "memory_",
        "form_",
        "quantity_",
        "sensitivity_",
        "hint_",
        "drafting_",
        "difference_",
        "second_hand_",
        "design_",
        "batch_why_",
        "adaptive_",
    )
    for key in WORDS:
        stands = (
            f'data-text="{key}"' in HTML
            or f'data-label="{key}"' in HTML
            or f'data-address="{key}"' in HTML
            or key == "say"
        )
        used = stands or re.search(rf'["\'.]{key}["\']', code) or key.startswith(stems)
        assert used, key


def test_the_sentence_is_the_template_with_a_button_for_each_field() -> None:
    found = re.search(r'<p class="say">(.*?)</p>', HTML)
    assert found
    sentence = re.sub(r'<button [^>]*data-open="(\w+)"[^>]*>[^<]*</button>', r"{\1}", found[1])
    assert re.sub(r'<span class="kept">(.*?)</span>', r"\1", sentence) == WORDS["say"]


def test_no_line_of_the_sentence_begins_with_a_stop() -> None:
    found = re.search(r'<p class="say">(.*?)</p>', HTML)
    assert found
    assert not re.search(r"</button>[,.](?!</span>)", found[1])


def test_every_language_places_each_button_of_the_sentence_once() -> None:
    for language in text.LANGUAGES:
        fields = re.findall(r"{(\w+)}", text.template("page.say", language))
        assert sorted(fields) == sorted(re.findall(r"{(\w+)}", WORDS["say"]))


def test_the_built_page_carries_its_words_in_chinese_as_data() -> None:
    page = with_languages(HTML)
    data = re.search(r'<script type="application/json" id="words-zh">(.*?)</script>', page)
    assert data
    words = json.loads(data[1])
    assert words.keys() == {"say", *re.findall(r'data-(?:text|label|address)="(\w+)"', HTML)}
    assert words["copy_link"] == "复制链接"


def test_without_scripts_the_page_says_in_every_language_what_it_needs() -> None:
    hidden = with_languages(HTML).partition("<noscript>")[2].partition("</noscript>")[0]
    assert re.findall(r"<p [^>]*>([^<]+)</p>", hidden) == [
        text.sentence("page.needs_script", language) for language in text.LANGUAGES
    ]
    assert 'lang="zh-Hans"' in hidden


def test_each_line_of_drafters_has_a_card_of_its_own() -> None:
    page = whole_page(INDEX)
    lines = [str(line) for line in range(MOST_DRAFTERS)]
    for place in ('class="card" data-line="', 'data-hide="', 'data-remove="', 'data-root="kind-', 'data-root="colour-'):
        assert re.findall(rf'{place}([^"]*)"', page) == lines


def test_every_button_and_field_has_a_name(said: Said) -> None:
    for tag, attributes in said.tags:
        if tag == "section":
            assert attributes.get("aria-label") or attributes.get("aria-labelledby")


def test_ids_are_unique_and_every_opener_has_its_popover(said: Said) -> None:
    ids = [attributes["id"] for _, attributes in said.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    openers = [attributes for _, attributes in said.tags if "data-open" in attributes]
    assert len(openers) == 6
    assert all(opener["aria-controls"] in ids and opener["aria-expanded"] == "false" for opener in openers)


def test_nothing_runs_inline_and_nothing_is_loaded_from_elsewhere(said: Said) -> None:
    for tag, attributes in said.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert tag != "script" or attributes.get("src")
        for name in ("src", "href"):
            assert not (attributes.get(name) or "").startswith(("http:", "https:", "//"))


def test_the_text_file_holds_plain_sentences() -> None:
    for key, words in WORDS.items():
        assert "<" not in words, key
