"""Measured points on figures 1 to 3: published ones of the shown model and node, and the user's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.figures.tables import Table
from roofline_app.results import DrafterResult, Evaluation
from roofline_app.text import sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One measured speedup; plain words and numbers.

    Attributes:
        name: Who measured, or the run's own name.
        setting: The run in a few words.
        conditions: Its conditions, and what is assumed.
        source: Address, or the file's name.
        kind: Kind of drafter; empty where it is not stated.
        batch: Sequences decoded together.
        draft_tokens: Draft length; 0 where it is not stated.
        tokens_per_round: Tokens committed per round; 0 where it is not stated.
        speedup: Against plain decoding.
        error: How far predictions of this very run are off, in words; empty where none can be made.
        own: Whether it comes from a user's file.
    """

    name: str
    setting: str
    conditions: str
    source: str
    kind: str
    batch: float
    draft_tokens: int
    tokens_per_round: float
    speedup: float
    error: str
    own: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMark:
    """A point of a figure; `line` is the drafter line of its kind, None where there is none."""

    mark: Mark
    x: float
    y: float
    line: int | None
    error: str


def drafter_of(mark: Mark, evaluation: Evaluation) -> DrafterResult:
    """Return the drafter that a point is held against: the first of its kind, else the best."""
    of_kind = (result for result in evaluation.drafters if result.kind == mark.kind)
    return next(of_kind, None) or evaluation.best_drafter


def error_of(mark: Mark, evaluation: Evaluation, language: str) -> str:
    """Return the error of the prediction for this run, else of this setting's line at its tokens per round."""
    if mark.error or not mark.tokens_per_round:
        return mark.error or "–"
    result = drafter_of(mark, evaluation)
    length = min(mark.draft_tokens or max(result.best.draft_tokens, 1), evaluation.cap)
    seconds = float(result.verifying_seconds[length] + result.drafting_seconds[length])
    predicted = mark.tokens_per_round * evaluation.step.seconds / seconds
    off = fmt.signed_percent(predicted / mark.speedup - 1.0)
    return sentence("page.mark_error_line", language, name=result.name, error=off, draft_tokens=length)


def _placed(
    marks: Iterable[Mark], evaluation: Evaluation, language: str, x: Callable[[Mark], float]
) -> tuple[PlacedMark, ...]:
    kinds = [result.kind for result in evaluation.drafters]
    return tuple(
        PlacedMark(
            mark=mark,
            x=x(mark),
            y=mark.speedup,
            line=kinds.index(mark.kind) if mark.kind in kinds else None,
            error=error_of(mark, evaluation, language),
        )
        for mark in marks
    )


def _here(marks: Iterable[Mark], evaluation: Evaluation) -> list[Mark]:
    """Return the points at the current batch: at another one, the curves of figures 1 and 3 say nothing about them."""
    return [mark for mark in marks if round(mark.batch) == evaluation.batch]


def by_draft_length(marks: Iterable[Mark], evaluation: Evaluation, language: str) -> tuple[PlacedMark, ...]:
    """Return the points of figure 1: those at the current batch with a draft length within the cap."""
    known = [mark for mark in _here(marks, evaluation) if 0 < mark.draft_tokens <= evaluation.cap]
    return _placed(known, evaluation, language, lambda mark: float(mark.draft_tokens))


def by_batch(marks: Iterable[Mark], evaluation: Evaluation, language: str) -> tuple[PlacedMark, ...]:
    """Return the points of figure 2: those within its batches."""
    last = float(evaluation.best_by_batch.batch[-1])
    return _placed([mark for mark in marks if 1 <= mark.batch <= last], evaluation, language, lambda mark: mark.batch)


def by_tokens_per_round(marks: Iterable[Mark], evaluation: Evaluation, language: str) -> tuple[PlacedMark, ...]:
    """Return the points of figure 3: those at the current batch."""
    known = [mark for mark in _here(marks, evaluation) if mark.tokens_per_round]
    return _placed(known, evaluation, language, lambda mark: mark.tokens_per_round)


# Where a figure's measured points stand, of all that there are.
Place = Callable[[Iterable[Mark], Evaluation, str], tuple[PlacedMark, ...]]


def tokens_said(mark: Mark) -> str:
    """Return tokens per round in words."""
    return fmt.significant(mark.tokens_per_round) if mark.tokens_per_round else "–"


def highest(marks: Iterable[PlacedMark]) -> float:
    """Return the largest measured speedup; 0 where there is no point."""
    return max((mark.y for mark in marks), default=0.0)


def marks_note(place: Place, marks: tuple[Mark, ...], evaluation: Evaluation, language: str) -> str:
    """Return a figure's note on its measured points; empty if it has none."""
    placed = place(marks, evaluation, language)
    said = []
    if any(not one.mark.own for one in placed):
        said.append(sentence("page.marks_published", language))
    if any(one.mark.own for one in placed):
        said.append(sentence("page.marks_own", language))
    elsewhere = len(marks) - len(placed)
    if elsewhere and place is by_draft_length:
        said.append(sentence("page.marks_elsewhere", language, count=elsewhere))
    return " ".join(said)


def marks_table(place: Place, marks: tuple[Mark, ...], evaluation: Evaluation, language: str) -> Table | None:
    """Return a figure's measured points as a table; None where it has none."""
    placed = place(marks, evaluation, language)
    if not placed:
        return None
    columns = ("measured_by", "mark_setting", "tokens_per_round", "speedup", "error", "conditions", "source")
    return Table(
        caption=sentence("page.marks_caption", language),
        header=tuple(sentence(f"page.{column}", language) for column in columns),
        rows=tuple(
            (
                one.mark.name,
                one.mark.setting,
                tokens_said(one.mark),
                fmt.speedup(one.mark.speedup),
                one.error,
                one.mark.conditions,
                one.mark.source,
            )
            for one in placed
        ),
    )
