"""Measured points as rows of `data/measured/*.csv`, what is missing in them, and the issue that hands them in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from roofline_app import registry
from roofline_app.calibration.benchmarks import MeasuredPoint
from roofline_app.calibration.benchmarks.pairs import pairs
from roofline_app.calibration.benchmarks.points import ALONE
from roofline_app.calibration.contradictions import Contradiction, contradictions
from roofline_app.calibration.differences import has_experts, weights_word
from roofline_app.calibration.fit.measured_rows import Row, decode_row, measured_rows, round_row
from roofline_app.calibration.registry_names import engine_id_of, format_class_of, gpu_id_of, model_id_of
from roofline_app.data import read_csv
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.to_terms import with_weights
from roofline_app.model.to_terms.chosen_formats import CACHE_FORMATS, WEIGHT_FORMATS
from roofline_app.resolved import real_drafters
from roofline_app.scenario import CUSTOM, Scenario
from roofline_app.specs import Precision

DECODE, ROUNDS = "decode.csv", "rounds.csv"
# What a plain run's row leaves empty.
_OF_DRAFTERS = frozenset({"drafter", "draft_tokens"})
# Only who hands a row in can say these; a row is compared with others without them.
_FROM_USER = frozenset({"id", "source", "workload"})
_DIGITS = 4
Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRow:
    """A row to hand in.

    Attributes:
        file: `decode.csv` or `rounds.csv`.
        cells: By column, in the order of the file; empty where it is not known.
        missing: Columns that have to be filled in.
        assumptions: What had to be assumed to read the run.
    """

    file: str
    cells: Cells
    missing: tuple[str, ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What is handed in.

    Attributes:
        rows: For each file, in the order of the points.
        left_out: Points without a batch or a time, of which no row can be made.
        contradictions: Of the new rows among themselves and with those of the data.
        compared: New rows that are complete enough to be compared.
    """

    rows: tuple[NewRow, ...]
    left_out: int
    contradictions: tuple[Contradiction, ...]
    compared: int


def columns(file: str) -> tuple[str, ...]:
    """Return the columns of a file of measured rows, in its order."""
    return tuple(next(iter(read_csv(f"measured/{file}"))))


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}g}" if value < 10**_DIGITS else f"{value:.0f}"


def _weights(point: MeasuredPoint, model: ModelSpec, chosen: Precision | None) -> dict[str, str]:
    """Return formats of linear layers and routed experts: the file's, else the chosen ones, else none."""
    published = model.precision
    kind = format_class_of(weights_word(point))
    if kind in {format_class_of(published.attention), format_class_of(published.experts)}:
        return {"linear": published.attention, "experts": published.experts}
    if kind:
        # Checkpoints of routed experts at four bits keep their other linear layers wider.
        narrow = WEIGHT_FORMATS[kind]
        wider = has_experts(model) and kind in {"fp4", "int4"}
        return {"linear": published.attention if wider else narrow, "experts": narrow}
    return {"linear": chosen.attention, "experts": chosen.experts} if chosen else {}


def _formats(point: MeasuredPoint, model_id: str, scenario: Scenario | None) -> dict[str, str]:
    """Return a row's formats; of the setting's only where the setting is of the same model."""
    if not model_id:
        return {}
    model = registry.model(model_id)
    own = scenario if scenario is not None and scenario.model == model_id else None
    chosen = with_weights(model.precision, own.weights, own.kv) if own else None
    cache = format_class_of(point.kv)
    kv = CACHE_FORMATS[cache] if cache else chosen.kv if chosen else ""
    return {**_weights(point, model, chosen), "kv": kv}


def _setting(point: MeasuredPoint, scenario: Scenario | None) -> dict[str, str]:
    model_id = model_id_of(point.model)
    gpu_id, engine = gpu_id_of(point.gpu), engine_id_of(point.engine)
    gpus = point.gpus
    if scenario is not None:
        model_id = model_id or ("" if scenario.model == CUSTOM or point.model else scenario.model)
        gpu_id = gpu_id or ("" if point.gpu else scenario.gpu)
        engine = engine or ("" if point.engine else scenario.engine)
        gpus = gpus or scenario.gpus
    dense = bool(model_id) and not has_experts(registry.model(model_id))
    return {
        "engine": engine,
        "model": model_id,
        "gpu": gpu_id,
        "gpus": str(gpus) if gpus else "",
        "expert_ranks": "1" if dense or gpus == 1 else "",
        **_formats(point, model_id, scenario),
    }


def _new_row(file: str, known: Cells, point: MeasuredPoint, empty: Iterable[str] = ()) -> NewRow:
    cells = {column: known.get(column, "") for column in columns(file)}
    may_be_empty = frozenset(empty)
    return NewRow(
        file=file,
        cells=cells,
        missing=tuple(column for column, cell in cells.items() if not cell and column not in may_be_empty),
        assumptions=tuple(assumption.text for assumption in point.assumptions),
    )


def _decode(point: MeasuredPoint, setting: Cells) -> NewRow:
    lengths = {"input_tokens": point.input_tokens, "output_tokens": point.output_tokens}
    known = {
        **setting,
        "batch": str(round(point.batch or 1)),
        **{name: str(round(length)) for name, length in lengths.items() if length},
        "seconds_per_token": _number(point.seconds_per_token or 0.0),
    }
    return _new_row(DECODE, known, point)


def _round(point: MeasuredPoint, plain: MeasuredPoint | None, setting: Cells, drafter: str) -> NewRow:
    batch = point.batch or 1.0
    known = {
        **setting,
        "batch": str(round(batch)),
        "tokens_per_second": _number(batch / (point.seconds_per_token or 1.0)),
    }
    if point.context_tokens:
        known["context_tokens"] = str(round(point.context_tokens))
    if plain is not None and plain.seconds_per_token:
        known["plain_tokens_per_second"] = _number(batch / plain.seconds_per_token)
    if point.tokens_per_round:
        known["tokens_per_round"] = _number(point.tokens_per_round)
    if point.draft_tokens == 0:
        return _new_row(ROUNDS, known, point, _OF_DRAFTERS)
    if point.draft_tokens and not point.topk:
        known["draft_tokens"] = str(point.draft_tokens)
    return _new_row(ROUNDS, known | {"drafter": drafter}, point)


def _rows(points: Sequence[MeasuredPoint], scenario: Scenario | None) -> Iterator[NewRow]:
    baselines = {pair.point: points[pair.baseline] for pair in pairs(points)}
    drafter = real_drafters(scenario.drafters)[0].kind if scenario else ""
    for place, point in enumerate(points):
        if not (point.batch and point.seconds_per_token):
            continue
        setting = _setting(point, scenario)
        if point.draft_tokens != 0:
            yield _round(point, baselines.get(place), setting, drafter)
        elif point.file_format in ALONE or not (point.input_tokens and point.output_tokens):
            yield _round(point, point, setting, "")
        else:
            yield _decode(point, setting)


def _comparable(rows: Iterable[NewRow]) -> Iterator[Row]:
    """Yield the rows that lack nothing but what only their user can say."""
    for number, row in enumerate(rows, start=1):
        if set(row.missing) <= _FROM_USER:
            made = decode_row(number, row.cells) if row.file == DECODE else round_row(row.cells)
            yield replace(made, id=f"row {number}")


def contribution(points: Iterable[MeasuredPoint], scenario: Scenario | None = None) -> Contribution:
    """Return measured points as rows to hand in, and what speaks against them.

    Args:
        points: Of all files.
        scenario: Setting for what the files do not say; None leaves it missing.

    Returns:
        A row per point with a batch and a time: plain decoding behind a server in the form of `decode.csv`, everything
        else in the form of `rounds.csv`, speculation beside the plain run of its setting where there is one.
    """
    known = tuple(points)
    rows = tuple(_rows(known, scenario))
    new = tuple(_comparable(rows))
    own = {row.id for row in new}
    found = contradictions((*measured_rows(), *new))
    return Contribution(
        rows=rows,
        left_out=len(known) - len(rows),
        contradictions=tuple(one for one in found if {one.row, one.other} & own),
        compared=len(new),
    )


def as_csv(file: str, rows: Iterable[NewRow]) -> str:
    """Return rows as lines of a file of measured rows, its header first."""
    written = io.StringIO()
    writer = csv.DictWriter(written, columns(file), lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.cells for row in rows)
    return written.getvalue()
