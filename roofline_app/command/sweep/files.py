"""The file of a sweep: chunks beside it as they come, each whole or not there, and one file in order at the end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from roofline_app.command.sweep.chunks import Plan, Rows, version
from roofline_app.evaluation.sweeps import Column
from roofline_app.export.csv_rows import as_csv
from roofline_app.specs import SpecError

EXTRA = 'pip install "speculation-roofline[sweep]"'
_STATE = "sweep.json"
_DIGITS = 8


class SweepRefusedError(SpecError):
    """A sweep cannot go on; the message is one line that names what is wrong."""


def _csv(rows: Rows, file: Path, _: Sequence[Column]) -> None:
    file.write_text(as_csv(list(_records(rows))), encoding="utf-8")


def _jsonl(rows: Rows, file: Path, _: Sequence[Column]) -> None:
    lines = (json.dumps(record, ensure_ascii=False, allow_nan=False) for record in _records(rows))
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _parquet(rows: Rows, file: Path, columns: Sequence[Column]) -> None:
    arrow, parquet = _arrow()
    parquet.write_table(arrow.table(rows, schema=_schema(columns)), file)


def _records(rows: Rows) -> Iterator[dict[str, Any]]:
    for values in zip(*rows.values(), strict=True):
        yield dict(zip(rows, values, strict=True))


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ModuleNotFoundError as error:
        message = f"--out: Parquet needs {error.name}, which the extra `sweep` brings: {EXTRA}; .csv and .jsonl do not"
        raise SweepRefusedError(message) from error
    return pa, pq


def _schema(columns: Sequence[Column]) -> Any:
    arrow, _ = _arrow()
    types = {"text": arrow.string(), "whole": arrow.int64(), "number": arrow.float64(), "truth": arrow.bool_()}
    return arrow.schema([(column.name, types[column.kind]) for column in columns])


def _joined_lines(parts: Sequence[Path], file: Path, _: Sequence[Column], *, header: bool) -> None:
    with file.open("wb") as whole:
        for place, part in enumerate(parts):
            with part.open("rb") as piece:
                if header and place:
                    piece.readline()
                shutil.copyfileobj(piece, whole)


def _joined_csv(parts: Sequence[Path], file: Path, columns: Sequence[Column]) -> None:
    _joined_lines(parts, file, columns, header=True)


def _joined_jsonl(parts: Sequence[Path], file: Path, columns: Sequence[Column]) -> None:
    _joined_lines(parts, file, columns, header=False)


def _joined_parquet(parts: Sequence[Path], file: Path, columns: Sequence[Column]) -> None:
    _, parquet = _arrow()
    with parquet.ParquetWriter(file, _schema(columns)) as whole:
        for part in parts:
            whole.write_table(parquet.read_table(part))


_Write = Callable[[Rows, Path, Sequence[Column]], None]
_Join = Callable[[Sequence[Path], Path, Sequence[Column]], None]
_FORMS: Mapping[str, tuple[_Write, _Join]] = MappingProxyType(
    {".csv": (_csv, _joined_csv), ".jsonl": (_jsonl, _joined_jsonl), ".parquet": (_parquet, _joined_parquet)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepFile:
    """The file that a sweep goes into, and the folder beside it that holds its chunks until all are there.

    Attributes:
        path: Of the file.
        plan: The sweep.
        columns: Of the file.
    """

    path: Path
    plan: Plan
    columns: tuple[Column, ...]

    @property
    def folder(self) -> Path:
        """Where chunks stand until all are there."""
        return _folder(self.path)

    def done(self) -> set[int]:
        """Return the chunks that are there."""
        return {int(file.stem) for file in self.folder.glob(f"{'[0-9]' * _DIGITS}{self.path.suffix}")}

    def write(self, chunk: int, rows: Rows) -> None:
        """Write one chunk: a kill leaves it whole or not there."""
        file = self._part(chunk)
        unfinished = file.with_suffix(".unfinished")
        _FORMS[self.path.suffix][0](rows, unfinished, self.columns)
        unfinished.replace(file)

    def finish(self, chunks: int) -> None:
        """Put all chunks into the file, in order, and remove their folder."""
        unfinished = self.folder / "whole.unfinished"
        _FORMS[self.path.suffix][1]([self._part(chunk) for chunk in range(chunks)], unfinished, self.columns)
        unfinished.replace(self.path)
        shutil.rmtree(self.folder)

    def _part(self, chunk: int) -> Path:
        return self.folder / f"{chunk:0{_DIGITS}d}{self.path.suffix}"


def _folder(path: Path) -> Path:
    return path.with_name(f"{path.name}.parts")


def known_form(path: Path) -> None:
    """Refuse a file whose name ends in no form that can be written here.

    Raises:
        SweepRefusedError: When it does, or when its folder is missing.
    """
    if path.suffix not in _FORMS:
        message = f"--out: {path.name} ends in none of {', '.join(_FORMS)}"
        raise SweepRefusedError(message)
    if path.suffix == ".parquet":
        _arrow()
    if not path.absolute().parent.is_dir():
        message = f"--out: the folder {path.parent} is not there"
        raise SweepRefusedError(message)


def begun_chunk(path: Path) -> int | None:
    """Return the settings per chunk of a sweep into this file that has begun; None where none has."""
    state = _folder(path) / _STATE
    return int(json.loads(state.read_text(encoding="utf-8"))["chunk"]) if state.is_file() else None


def opened(path: Path, plan: Plan, columns: tuple[Column, ...]) -> SweepFile:
    """Return the file of a sweep, as new or as a killed run left it.

    Args:
        path: Of the file.
        plan: The sweep.
        columns: Of the file.

    Raises:
        SweepRefusedError: When the file is there already, or its chunks are of another query or version.
    """
    folder, state = _folder(path), {**asdict(plan), "version": version()}
    begun = folder / _STATE
    if begun.is_file():
        if json.loads(begun.read_text(encoding="utf-8")) != state:
            message = (
                f"--out: {folder.name} holds the beginning of another sweep, or of another version; remove it first"
            )
            raise SweepRefusedError(message)
    elif path.exists():
        message = f"--out: {path.name} is there already; remove it, or choose another name"
        raise SweepRefusedError(message)
    else:
        folder.mkdir(exist_ok=True)
        unfinished = folder / "state.unfinished"
        unfinished.write_text(json.dumps(state), encoding="utf-8")
        unfinished.replace(begun)
    return SweepFile(path=path, plan=plan, columns=columns)
