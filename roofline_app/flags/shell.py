"""Text for a shell: commands that no argument can break out of, and remarks that stay remarks."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence

Options = Sequence[Sequence[object]]
END_OF_FILE = "END_OF_FILE"


def words(*given: object) -> str:
    """Return words as a shell reads them, each quoted where it needs it."""
    return shlex.join(str(word) for word in given)


def command(program: Iterable[object], options: Options, environment: Mapping[str, object] | None = None) -> str:
    """Return one command, an option a line.

    Args:
        program: First words.
        options: Each option with its values; empty ones are left out.
        environment: Variables set for this command alone; their names are trusted.

    Returns:
        Shell text without a final newline; every word is quoted where it needs it.
    """
    settings = [f"{name}={words(value)}" for name, value in (environment or {}).items()]
    lines = [*settings, words(*program), *(words(*option) for option in options if option)]
    return " \\\n  ".join(lines)


def file(name: str, lines: Iterable[str]) -> str:
    """Return a command that writes a file, its text taken literally; no line may be `END_OF_FILE`."""
    return "\n".join([f"cat > {words(name)} <<'{END_OF_FILE}'", *lines, END_OF_FILE])


def remark(text: str) -> str:
    """Return a text as one comment line, whatever it holds."""
    return "# " + " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
