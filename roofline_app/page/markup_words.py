"""The page's own words in the languages besides English, laid into the page as data for its script."""

from __future__ import annotations

import html
import json
import re

from roofline_app.text import TRANSLATIONS, language_name, language_tag, sentence, template

_SWITCH = '<a class="quiet" id="language"></a>'
_KEY = re.compile(r'data-(?:text|label|address)="(\w+)"')


def page_words(page: str, language: str) -> dict[str, str]:
    """Return the texts of the keys in a page's markup, and the template of its sentence."""
    words = {key: _said(key, language) for key in sorted(set(_KEY.findall(page)))}
    return {"say": template("page.say", language), **words}


def _said(key: str, language: str) -> str:
    """Return the text of a key, the page's or one of its figures'."""
    try:
        return sentence(f"page.{key}", language)
    except KeyError:
        return sentence(f"figures.{key}", language)


def _switch_to(language: str) -> str:
    """Return the link to the page in another language; the page's script makes it keep the setting."""
    tag, name = language_tag(language), html.escape(language_name(language))
    return f'<a class="quiet" id="language" href="?lang={language}" hreflang="{tag}" lang="{tag}">{name}</a>'


def with_languages(page: str) -> str:
    """Return a page with its words in every language; without scripts, it states in all of them what it needs."""
    tags, needs = list[str](), list[str]()
    for language in TRANSLATIONS:
        data = json.dumps(page_words(page, language), ensure_ascii=False, separators=(",", ":"))
        safe = data.replace("<", "\\u003c")
        tags.append(f'<script type="application/json" id="words-{language}">{safe}</script>')
        said = html.escape(sentence("page.needs_script", language))
        needs.append(f'<p class="noscript" lang="{language_tag(language)}">{said}</p>')
    page = page.replace(_SWITCH, "".join(map(_switch_to, TRANSLATIONS[:1])), 1)
    page = page.replace("</noscript>", "".join(needs) + "</noscript>", 1)
    return page.replace("</body>", "\n".join(tags) + "\n</body>", 1)
