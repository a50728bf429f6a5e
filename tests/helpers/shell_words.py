"""Printed commands as words: programs without their variables and files, and options with their values."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator


def programs(command: str) -> Iterator[list[str]]:
    """Yield the words of each program of a command, variables before it and files written before it left out."""
    text = re.sub(r"cat > \S+ <<'END_OF_FILE'\n.*?\nEND_OF_FILE\n", "", command, flags=re.DOTALL)
    words = shlex.split(text.replace("\\\n", " "))
    yield words[next(place for place, word in enumerate(words) if not re.match(r"[A-Z_]+=", word)) :]


def written(command: str) -> list[str]:
    """Return the lines of the file that a command writes, none where it writes none."""
    found = re.search(r"<<'END_OF_FILE'\n(.*?)\nEND_OF_FILE", command, re.DOTALL)
    return found[1].split("\n") if found else []


def option_values(words: list[str]) -> list[tuple[str, list[str]]]:
    """Return a program's options in order, each with the values that follow it."""
    places = [place for place, word in enumerate(words) if re.match(r"--?[a-zA-Z]", word)]
    ends = [*places[1:], len(words)]
    return [(words[place], words[place + 1 : end]) for place, end in zip(places, ends, strict=True)]


def value(command: str, option: str) -> str:
    """Return the one value of an option of a command."""
    (words,) = programs(command)
    ((_, (found,)),) = [(name, values) for name, values in option_values(words) if name == option]
    return found
