"""Remarks on measurements: assumptions, rows left out, files refused. The sentences are in `benchmarks.toml`."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.query.notices import shortened
from roofline_app.specs import SpecError
from roofline_app.text import FALLBACK, sentence

LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One sentence about a point, a row or a file.

    Attributes:
        name: Name of the sentence in `benchmarks.toml`.
        values: What its fields stand for: pairs of name and text, shortened and printable.
        reason: A sentence within the sentence, if any.
    """

    name: str
    values: tuple[tuple[str, str], ...] = ()
    reason: Remark | None = None

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.say(FALLBACK)

    def say(self, language: str) -> str:
        """Return the sentence in a language; plain text, never markup."""
        within = {} if self.reason is None else {"reason": self.reason.say(language)}
        return sentence(f"benchmarks.{self.name}", language, **dict(self.values), **within)


def remark(name: str, **values: object) -> Remark:
    """Return a remark whose values are safe to show.

    Args:
        name: Name of the sentence in `benchmarks.toml`.
        values: What its fields stand for; numbers are written with at most four digits, texts are shortened.

    Returns:
        The remark.
    """
    shown = {
        key: f"{value:.4g}" if isinstance(value, float) else shortened(str(value)) for key, value in values.items()
    }
    return Remark(name=name, values=tuple(shown.items()))


class UnusableError(Exception):
    """A row, or the whole file, cannot be used; carries a remark with the reason."""

    def __init__(self, name: str, **values: object) -> None:
        """Keep the remark; `line` is added by `at_line` where a row is meant."""
        super().__init__(name)
        self.name = name
        self.values = values

    def remark(self) -> Remark:
        """Return a remark on a file that cannot be used."""
        return remark(self.name, **self.values)

    def at_line(self, line: int) -> Remark:
        """Return a remark on the row that starts at a line."""
        return Remark(name=LEFT_OUT, values=(("line", str(line)),), reason=self.remark())


class MeasurementError(SpecError):
    """A file is refused; the message is one line that names the file, and the line and field where there are any."""

    def __init__(self, file_name: str, reason: Remark) -> None:
        """Keep the reason, for a page to show in the user's language."""
        super().__init__(f"{file_name}: {reason.text}")
        self.file_name = file_name
        self.reason = reason
