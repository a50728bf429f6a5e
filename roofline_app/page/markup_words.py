"""The page's own words in the languages besides English, laid into the page as data for its script."""

from __future__ import annotations

import html
import json
import re

from roofline_app.text import FALLBACK, LANGUAGES, sentence, template

LANGUAGE_TAGS = {"en": "en", "zh": "zh-Hans"}  # as early.js
_KEY = re.compile(r'data-(?:text|label)="(\w+)"')


def page_words(page: str, language: str) -> dict[str, str]:
    """Return what the keys in a page's markup stand for, and the template of its sentence."""
    words = {key: sentence(f"page.{key}", language) for key in sorted(set(_KEY.findall(page)))}
    return {"say": template("page.say", language), **words}


def with_languages(page: str) -> str:
    """Return a page that carries its words in every language; where scripts are off it says what it needs in all."""
    tags, needs = list[str](), list[str]()
    for language in LANGUAGES:
        if language != FALLBACK:
            data = json.dumps(page_words(page, language), ensure_ascii=False, separators=(",", ":"))
            safe = data.replace("<", "\\u003c")
            tags.append(f'<script type="application/json" id="words-{language}">{safe}</script>')
            said = html.escape(sentence("page.needs_script", language))
            needs.append(f'<p class="noscript" lang="{LANGUAGE_TAGS[language]}">{said}</p>')
    page = page.replace("</noscript>", "".join(needs) + "</noscript>", 1)
    return page.replace("</body>", "\n".join(tags) + "\n</body>", 1)
