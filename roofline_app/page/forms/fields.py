"""Forms that the page draws from data: each field has a key, a label, a value and a hint.

Most of them are rarely opened, so that they are plain HTML and not widgets, which every visit would have to wait for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roofline_app.page.protocol import Control, FieldWords, Option


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field of a form; everything in it is plain text.

    Attributes:
        key: Its name in the message of a change.
        control: Box, menu, box with a list to search, switch (`on` or empty), button, or words alone.
        label: Its name.
        value: What it shows.
        options: Words by value, of a menu.
        listed: Name of the list that a search looks through.
        hint: What it does, or what follows from it.
        part: Where on its card it stands.
    """

    key: str
    control: Control
    label: str
    value: str = ""
    options: Mapping[str, str] | None = None
    listed: str = ""
    hint: str = ""
    part: str = "front"

    def as_json(self) -> FieldWords:
        """Return the field as plain values."""
        options: list[Option] = [{"value": value, "words": words} for value, words in (self.options or {}).items()]
        return {
            "key": self.key,
            "control": self.control,
            "label": self.label,
            "value": self.value,
            "options": options,
            "listed": self.listed,
            "hint": self.hint,
            "part": self.part,
        }
