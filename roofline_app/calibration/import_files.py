"""Benchmark files, folders and standard input as one answer: their points, pairs and predictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from roofline_app import export, query
from roofline_app.calibration.benchmarks import (
    LARGEST_BYTES,
    Imported,
    MeasuredPoint,
    MeasurementError,
    as_json,
    import_file,
)
from roofline_app.calibration.benchmarks.pairs import pairs
from roofline_app.calibration.differences import differences, setting_of
from roofline_app.calibration.prediction import all_predicted
from roofline_app.query.notices import printable
from roofline_app.scenario import Scenario

STANDARD_INPUT = "-"
MOST_FILES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFiles:
    """What was read of several files.

    Attributes:
        files: Those with points, in the order asked for, those of a folder by name.
        refused: One line for each file that could not be read or used, naming it.
    """

    files: tuple[Imported, ...]
    refused: tuple[str, ...]


def _paths(argument: str) -> tuple[list[Path], list[str]]:
    """Return the files that a path stands for, and what is said about it; hidden files of a folder are passed over."""
    path = Path(argument)
    if not path.is_dir():
        return [path], []
    found = sorted(
        file
        for file in path.rglob("*")
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(path).parts)
    )
    if not found:
        return [], [f"{argument}: the folder holds no file"]
    cut = [f"{argument}: only the first {MOST_FILES} of {len(found)} files are read"] if len(found) > MOST_FILES else []
    return found[:MOST_FILES], cut


def _contents(arguments: Iterable[str], standard_input: BinaryIO) -> Iterator[tuple[str, bytes] | str]:
    """Yield names and contents, or a line that says why there is none; one byte more than allowed is read at most."""
    for argument in arguments:
        if argument == STANDARD_INPUT:
            yield "standard input", standard_input.read(LARGEST_BYTES + 1)
            continue
        paths, said = _paths(argument)
        yield from said
        for path in paths:
            try:
                with path.open("rb") as stream:
                    content = stream.read(LARGEST_BYTES + 1)
            except OSError as error:
                yield f"{printable(str(path))}: cannot be read: {error.strerror}"
                continue
            name = path.name if path == Path(argument) else path.relative_to(argument).as_posix()
            yield name, content


def read_files(arguments: Sequence[str], standard_input: BinaryIO) -> ReadFiles:
    """Return the points of files, of everything in folders, and of standard input.

    Args:
        arguments: Paths of files and folders, and `-` for standard input.
        standard_input: Read once at most.

    Returns:
        What was read, and a line for each file that was not.
    """
    files: list[Imported] = []
    refused: list[str] = []
    for item in _contents(list(dict.fromkeys(arguments)), standard_input):
        if isinstance(item, str):
            refused.append(item)
            continue
        try:
            files.append(import_file(*item))
        except MeasurementError as error:
            refused.append(str(error))
    return ReadFiles(files=tuple(files), refused=tuple(refused))


def points_of(read: ReadFiles) -> list[MeasuredPoint]:
    """Return the points of all files, in order."""
    return list(chain.from_iterable(imported.points for imported in read.files))


def said(read: ReadFiles) -> Iterator[str]:
    """Yield a line for each file that was refused and for each notice, which names its file where there are several."""
    yield from read.refused
    for imported in read.files:
        start = f"{imported.file_name}: " if len(read.files) + len(read.refused) > 1 else ""
        yield from (f"{start}{notice.text}" for notice in imported.notices)


def with_differences(imported: Imported, scenario: Scenario) -> Imported:
    """Return a file with a notice for each way in which it is of something else than a setting."""
    return replace(imported, notices=(*imported.notices, *differences(imported.points, scenario)))


def _table(imported: Imported, scenario: Scenario | None) -> dict[str, Any]:
    table = as_json(imported)
    if scenario is not None:
        predictions = all_predicted(imported.points, scenario)
        points = zip(table["points"], predictions, strict=True)
        table["points"] = [{**point, "predicted": export.plain(found)} for point, found in points]
        table["setting"] = query.encode(setting_of(imported.points[0], scenario))
    return {**table, "speedups": [asdict(pair) for pair in pairs(imported.points)]}


def answer(read: ReadFiles, scenario: Scenario | None, *, single: bool) -> dict[str, Any]:
    """Return what the verb `import` prints.

    Args:
        read: Files with their points.
        scenario: Setting that predicts them; None predicts nothing.
        single: Whether one file was asked for by name, so that its own object is the answer.

    Returns:
        One file's object: file, points (each with `predicted`), notices, `speedups` of runs beside the plain run of
        their setting, and the query of the file's own `setting`. Of several files their objects as `files`, the
        speedups over all of them, whose places count through the files, and `notices` with the refused files.
    """
    tables = [_table(imported, scenario) for imported in read.files]
    if single:
        return tables[0]
    return {
        "files": tables,
        "speedups": [asdict(pair) for pair in pairs(points_of(read))],
        "notices": list(read.refused),
    }
