"""Every sentence that a page or a shell shows, from `data/text/<language>/<section>.toml`.

A key is `section.name`; values are put in with `str.format`. A language is a folder: its `language.toml` says its tag
and its name. One that lacks a sentence falls back to English, so that a new sentence never breaks a page.
"""

from __future__ import annotations

from functools import cache

from roofline_app import data

FALLBACK = "en"
# English first, the others by their keys, which stand in links.
LANGUAGES = tuple(sorted(data.names("text"), key=lambda language: (language != FALLBACK, language)))
TRANSLATIONS = LANGUAGES[1:]


@cache
def _file(language: str, section: str) -> dict[str, str]:
    return {key: str(value) for key, value in data.read_toml(f"text/{language}/{section}.toml").items()}


def _section(language: str, section: str) -> dict[str, str]:
    """Return a section's sentences; none where a language has no such file."""
    try:
        return _file(language, section)
    except FileNotFoundError:
        return {}


def read_all() -> None:
    """Read every sentence of every language, so that none needs its file from then on."""
    for language in LANGUAGES:
        for file in data.names(f"text/{language}"):
            _file(language, file.removesuffix(".toml"))


def language_tag(language: str) -> str:
    """Return the tag by which browsers know a language, such as `zh-Hans`."""
    return _file(language, "language")["tag"]


def language_name(language: str) -> str:
    """Return a language's own name for itself."""
    return _file(language, "language")["name"]


def sentence(key: str, language: str = FALLBACK, **values: object) -> str:
    """Return one sentence in a language, with its values put in.

    Args:
        key: `section.name` of the sentence.
        language: One of `LANGUAGES`.
        values: What the sentence's fields stand for, already formatted.

    Returns:
        Plain text, never markup.

    Raises:
        KeyError: When no language has the sentence.
    """
    return template(key, language).format(**values)


def translated(key: str, language: str, english: str) -> str:
    """Return a data entry's own words in another language; the English ones if there are none.

    Args:
        key: `section.id` of the entry.
        language: One of `LANGUAGES`.
        english: The entry's own words.
    """
    section, name = key.split(".", 1)
    return _section(language, section).get(name, english)


def phrases(section: str, language: str, english: str) -> str:
    """Return words that are separated by commas, each translated; English where a language lacks it.

    Args:
        section: Holds a language's words by their English.
        language: One of `LANGUAGES`.
        english: The words.
    """
    known = _section(language, section)
    between = sentence("benchmarks.between", language)
    return between.join(known.get(part, part) for part in english.split(", "))


def template(key: str, language: str = FALLBACK) -> str:
    """Return one sentence in a language as it is written, its fields still in braces.

    Args:
        key: `section.name` of the sentence.
        language: One of `LANGUAGES`.

    Returns:
        The sentence with its fields, for whoever puts in something else than text.

    Raises:
        KeyError: When no language has the sentence.
    """
    section, name = key.split(".", 1)
    said = _section(language, section).get(name)
    return _section(FALLBACK, section)[name] if said is None else said
