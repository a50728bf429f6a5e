"""The data files, and the only functions that read them.

`registry` gives entries of TOML files by id, `text` sentences; the rest of the library asks those two.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any


class DataError(ValueError):
    """A data file is no TOML; the message names the file, and the entry as far as the parser knows it."""


def read_toml(file: str) -> dict[str, Any]:
    """Return a TOML file's tables.

    Args:
        file: Path below `roofline_app/data`, such as `gpus.toml` or `text/en/page.toml`.

    Raises:
        DataError: When the file is no TOML: a table or key stands twice, or the syntax is wrong.
        FileNotFoundError: When there is none.
    """
    try:
        return tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        message = f"{file}: {error}"
        raise DataError(message) from error


def read_csv(file: str) -> Iterator[Mapping[str, str]]:
    """Return the rows of a CSV file by the names of its columns.

    Args:
        file: Path below `roofline_app/data`.
    """
    yield from csv.DictReader(_text(file).splitlines())


def names(folder: str) -> tuple[str, ...]:
    """Return the sorted names of the files and folders in a folder.

    Args:
        folder: Path below `roofline_app/data`.
    """
    found = (entry.name for entry in resources.files(__name__).joinpath(*folder.split("/")).iterdir())
    return tuple(sorted(found))


def _text(file: str) -> str:
    return resources.files(__name__).joinpath(*file.split("/")).read_text(encoding="utf-8")
