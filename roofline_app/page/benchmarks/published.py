"""Published measurements of the shown model: as points of the figures, and beside both predictions."""

from __future__ import annotations

from functools import lru_cache

from roofline_app import format as fmt, registry
from roofline_app.calibration.fit.measured_rows import Row, measured_rows, sources
from roofline_app.calibration.validation import Comparison, Spread, comparisons, spread
from roofline_app.page.figures.measured_points.points import Mark
from roofline_app.page.figures.tables import Table
from roofline_app.text import sentence, translated

_KEPT = 8


@lru_cache(maxsize=_KEPT)
def compared(model: str) -> tuple[Comparison, ...]:
    """Return every measured figure of a model beside both predictions of it."""
    return comparisons([row for row in measured_rows() if row.model == model])


@lru_cache(maxsize=_KEPT)
def published_marks(model: str, gpu: str, gpus: int, language: str) -> tuple[Mark, ...]:
    """Return the published speedups of a model on a node.

    Args:
        model: Registry id.
        gpu: Registry id.
        gpus: GPUs in the node.
        language: Of the words.
    """
    rows = [row for row in measured_rows() if (row.model, row.gpu, row.gpus) == (model, gpu, gpus)]
    known = {one.row.id: one for one in compared(model) if one.quantity == "speedup"} if rows else {}
    return tuple(_mark(row, known.get(row.id), language) for row in rows if _speculates(row))


def _speculates(row: Row) -> bool:
    """Return whether a row holds a speedup, be it of a drafter that its source does not state."""
    return row.tokens_per_round > 1.0 and row.ratio > 0.0


def _mark(row: Row, known: Comparison | None, language: str) -> Mark:
    source = sources()[row.source]
    error = ""
    if known:
        ideal, calibrated = fmt.signed_percent(known.ideal_error), fmt.signed_percent(known.calibrated_error)
        error = sentence("page.mark_error", language, ideal=ideal, calibrated=calibrated)
    return Mark(
        name=source.name,
        setting=_setting(row, language),
        conditions=translated(f"conditions.{source.id}", language, source.conditions),
        source=source.url,
        kind=row.drafter,
        batch=float(row.batch),
        draft_tokens=row.draft_tokens,
        tokens_per_round=row.tokens_per_round,
        speedup=row.ratio,
        error=error,
    )


def _setting(row: Row, language: str) -> str:
    context = fmt.tokens(round(row.context_tokens))
    words = [sentence("page.mark_run", language, batch=row.batch, context=context)]
    if row.drafter:
        words.append(registry.drafter_kind(row.drafter).name)
    if row.draft_tokens:
        words.append(sentence("page.mark_draft", language, draft_tokens=row.draft_tokens))
    return ", ".join(words)


# The tables of predicted against measured


def rows_table(model: str, name: str, language: str) -> Table:
    """Return each measured speedup and verifying pass of a model beside both predictions.

    Args:
        model: Registry id.
        name: The model's name.
        language: Of the words.
    """
    columns = (
        "measured_by",
        "mark_node",
        "mark_setting",
        "mark_quantity",
        "measured_value",
        "ideal_value",
        "fit_value",
    )
    shown = [one for one in compared(model) if one.quantity != "step"]
    rows = tuple(
        (
            sources()[one.row.source].name,
            _node(one.row),
            _setting(one.row, language),
            sentence(f"page.quantity_{one.quantity}", language),
            fmt.speedup(one.measured),
            f"{fmt.speedup(one.ideal)} ({fmt.signed_percent(one.ideal_error)})",
            f"{fmt.speedup(one.calibrated)} ({fmt.signed_percent(one.calibrated_error)})",
        )
        for one in shown
    )
    header = tuple(sentence(f"page.{column}", language) for column in columns)
    return Table(caption=sentence("page.rows_caption", language, model=name), header=header, rows=rows)


def _node(row: Row) -> str:
    return f"{row.gpus} × {registry.gpu(row.gpu).name}, {_engine(row.engine)}"


def _engine(engine: str) -> str:
    return registry.engine(engine).name if engine in registry.engine_ids() else engine


def groups_table(model: str, name: str, language: str) -> Table:
    """Return the errors of a model's measured times per token, by node and engine."""
    members: dict[tuple[str, str], list[Comparison]] = {}
    for one in compared(model):
        if one.quantity == "step":
            members.setdefault((one.row.gpu, one.row.engine), []).append(one)
    columns = ("gpu", "engine_control", "rows_count", "ideal_median", "fit_median", "fit_decile", "fit_worst")
    rows = []
    for (gpu, engine), group in sorted(members.items()):
        ideal, fit = spread(one.ideal_error for one in group), spread(one.calibrated_error for one in group)
        names = (registry.gpu(gpu).name, _engine(engine), fmt.count(len(group)))
        rows.append((*names, _percent(ideal.median), *_spread(fit)))
    header = tuple(sentence(f"page.{column}", language) for column in columns)
    return Table(caption=sentence("page.groups_caption", language, model=name), header=header, rows=tuple(rows))


def _spread(errors: Spread) -> tuple[str, str, str]:
    return _percent(errors.median), _percent(errors.ninth_decile), _percent(errors.worst)


def _percent(error: float) -> str:
    return fmt.percent(round(error, 3))


def models_table(language: str) -> Table:
    """Return the errors of every profile on every model, and those on models that the fit left out."""
    quantities = {name: sentence(f"page.quantity_{name}", language) for name in ("step", "speedup", "verify")}
    rows = tuple(
        (
            registry.model(error.model).name,
            profile.name,
            quantities[error.quantity],
            fmt.count(error.rows),
            *map(_percent, (error.median, error.ninth_decile, error.unseen_median, error.unseen_ninth_decile)),
        )
        for profile in registry.profiles().values()
        for error in profile.errors
    )
    columns = ("model", "profile_control", "mark_quantity", "rows_count", "fit_median", "fit_decile")
    header = [sentence(f"page.{column}", language) for column in (*columns, "unseen_median", "unseen_decile")]
    return Table(caption=sentence("page.models_caption", language), header=tuple(header), rows=tuple(sorted(rows)))


def tables(model: str, name: str, language: str) -> list[Table]:
    """Return the tables of predicted against measured; those of the model only where it was measured."""
    own = [rows_table(model, name, language), groups_table(model, name, language)]
    return [*(table for table in own if table.rows), models_table(language)]
