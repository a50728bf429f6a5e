"""Presets: named settings that tell a story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roofline_app.specs.checks import require, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named setting that tells a story.

    Attributes:
        id: Key of the entry, used in links.
        title: A few words for the row of presets.
        story: One sentence that says what to look at.
        query: The setting, as a query string; what it leaves out keeps its default.
        translations: Title and story in other languages, by language.
    """

    id: str
    title: str
    story: str
    query: str
    translations: Mapping[str, Mapping[str, str]]

    def __post_init__(self) -> None:
        """Refuse a preset without words, and a translation that is anything but a title and a story."""
        require_text(self, "id", "title", "story")
        for language, words in self.translations.items():
            require(set(words) == {"title", "story"}, language, "must say a title and a story")

    def words(self, language: str) -> tuple[str, str]:
        """Return title and story in a language, in English where it has none of its own."""
        found = self.translations.get(language)
        return (found["title"], found["story"]) if found else (self.title, self.story)
