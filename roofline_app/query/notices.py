"""Notices on values that could not be used as given."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from roofline_app.text import FALLBACK, sentence

NOTHING = "nothing"
_LONGEST_SHOWN = 80
_MOST_NOTICES = 40
# Control characters, line separators, marks that turn the direction of text, lone surrogates, byte order marks.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")


def printable(text: str) -> str:
    """Return a text without characters that cannot be shown or that change how their neighbours are shown."""
    return _UNPRINTABLE.sub("", text)


def shortened(text: str) -> str:
    """Return a text that fits into a sentence."""
    # Cut before cleaning as well, so that a hostile text of any length costs little.
    shown = printable(text[: 4 * _LONGEST_SHOWN])
    return shown if len(shown) <= _LONGEST_SHOWN else shown[: _LONGEST_SHOWN - 1] + "…"


_REFUSED_KEYS = frozenset({"model", "gpu", "config"})
_REFUSALS = frozenset({"unknown_id", "unlisted_repository", "not_packed", "refused_config", "custom_without_config"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One value that was not used as given.

    Attributes:
        key: Key of the query, with the part after a dot where only a part is meant.
        given: What was given, shortened and printable.
        used: What is used instead.
        reason: Name of the sentence in `notices.toml`.
        detail: What the sentence says besides, such as the allowed range.
    """

    key: str
    given: str
    used: str
    reason: str
    detail: str = ""

    @property
    def is_refusal(self) -> bool:
        """Whether the model or the GPU is another than was asked for, so that a command should refuse."""
        return self.key in _REFUSED_KEYS and self.reason in _REFUSALS

    @property
    def text(self) -> str:
        """One sentence in English, with what is used."""
        return self.say(FALLBACK)

    @property
    def refusal(self) -> str:
        """One sentence in English for a command that stops here."""
        return self.refuse(FALLBACK)

    def refuse(self, language: str) -> str:
        """Return one sentence in a language that leaves out what is used; plain text, never markup."""
        return sentence("notices.alone", language, said=self._said(language))

    def say(self, language: str) -> str:
        """Return one sentence in a language, with what is used; plain text, never markup."""
        return sentence("notices.with_use", language, said=self._said(language), used=self.used)

    def _said(self, language: str) -> str:
        values = {"where": self.key, "given": self.given, "detail": self.detail}
        return sentence(f"notices.{self.reason}", language, **values)


@dataclass(slots=True)
class Notices:
    """Notices as they come up; beyond a few dozen they are only counted."""

    _kept: list[Notice] = field(default_factory=list)
    _uncounted: int = 0

    def add(self, reason: str, *, key: str, given: str, used: str, detail: str = "") -> None:
        """Keep one notice.

        Args:
            reason: Name of the sentence in `notices.toml`.
            key: Key of the query.
            given: What was given.
            used: What is used instead.
            detail: What the sentence says besides.
        """
        if len(self._kept) >= _MOST_NOTICES:
            self._uncounted += 1
            return
        self._kept.append(
            Notice(
                key=shortened(key),
                given=shortened(given),
                used=shortened(used),
                reason=reason,
                detail=shortened(detail),
            )
        )

    def hint(self, given: str, known: Iterable[str]) -> str:
        """Return the nearest known word in brackets, for a sentence; nothing where none is near or none is read.

        Args:
            given: What was given.
            known: What could have been meant.
        """
        if len(self._kept) >= _MOST_NOTICES:
            return ""
        near = get_close_matches(given[:_LONGEST_SHOWN].lower(), known, n=1)
        return f" ({near[0]}?)" if near else ""

    def extend(self, notices: tuple[Notice, ...], *, within: str) -> None:
        """Keep the notices of a query that stands inside a key."""
        for notice in notices:
            self.add(
                notice.reason,
                key=f"{within}.{notice.key}",
                given=notice.given,
                used=notice.used,
                detail=notice.detail,
            )

    def all(self) -> tuple[Notice, ...]:
        """Return the notices kept, and one on the number of others."""
        if not self._uncounted:
            return tuple(self._kept)
        more = Notice(key="query", given=str(self._uncounted), used=NOTHING, reason="more_notices")
        return (*self._kept, more)
