"""Figure 5: where the time goes, a plain step against each drafter's best round, per committed token."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis, seconds_axis
from roofline_app.page.figures.rows import ROUND, Row, pass_rows
from roofline_app.page.figures.tables import Table
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette
from roofline_app.results import DrafterResult, Evaluation, Pass
from roofline_app.text import sentence

DRAFTING = "drafting"


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One part of a bar: a component, from `left` to `left + seconds`."""

    row: int
    component: str
    words: str
    seconds: float
    left: float
    bound: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeView:
    """What figure 5 shows: bars of seconds per committed token and sequence, top to bottom."""

    rows: tuple[str, ...]
    totals: tuple[float, ...]
    segments: tuple[Segment, ...]
    components: tuple[str, ...]
    x: Axis


def component_words(component: str, language: str) -> str:
    """Return the shown name of a component of a pass."""
    return sentence(f"page.component_{component}", language)


def _row(row: int, parts: list[tuple[str, float, str]], language: str) -> list[Segment]:
    left = 0.0
    segments = []
    for component, seconds, bound in parts:
        words = component_words(component, language)
        segments.append(Segment(row=row, component=component, words=words, seconds=seconds, left=left, bound=bound))
        left += seconds
    return segments


def _parts(work: Pass, tokens: float) -> list[tuple[str, float, str]]:
    return [(part.name, part.seconds / tokens, part.bound) for part in work.components if part.seconds > 0]


def _round(result: DrafterResult) -> list[tuple[str, float, str]]:
    tokens = result.best.tokens_per_round
    drafting = float(result.drafting_seconds[result.best.draft_tokens]) / tokens
    return [*_parts(result.verify, tokens), *([(DRAFTING, drafting, "")] if drafting > 0 else [])]


def time_view(evaluation: Evaluation, language: str) -> TimeView:
    """Return the bars: plain decoding first, then each drafter at its best draft length."""
    bars = [_parts(evaluation.step, 1.0), *(_round(result) for result in evaluation.drafters)]
    segments = [segment for row, parts in enumerate(bars) for segment in _row(row, parts, language)]
    totals = tuple(sum(seconds for _, seconds, _ in parts) for parts in bars)
    names = dict.fromkeys(segment.component for segment in segments)
    rows = (sentence("page.plain_step", language), *(result.name for result in evaluation.drafters))
    return TimeView(
        rows=rows, totals=totals, segments=tuple(segments), components=tuple(names), x=seconds_axis(max(totals) * 1.02)
    )


def time_table(evaluation: Evaluation, language: str) -> Table:
    """Return seconds per committed token by component."""
    view = time_view(evaluation, language)
    seconds = {(segment.row, segment.component): segment.seconds for segment in view.segments}
    rows = [
        (
            component_words(name, language),
            *(fmt.seconds(seconds.get((row, name), 0.0)) for row in range(len(view.rows))),
        )
        for name in view.components
    ]
    rows.append((sentence("page.total", language), *(fmt.seconds(total) for total in view.totals)))
    header = (sentence("page.component", language), *view.rows)
    return Table(caption=sentence("figures.time_caption", language), header=header, rows=tuple(rows))


def time_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row per component of the step and of each round, drafting included, for files."""
    rows = pass_rows(evaluation)
    for result in evaluation.drafters:
        seconds = float(result.drafting_seconds[result.best.draft_tokens])
        rows.append(
            {
                "drafter": result.name,
                "pass": ROUND,
                "component": "drafting",
                "bytes": None,
                "flops": None,
                "seconds": seconds,
                "seconds_per_token": seconds / result.best.tokens_per_round,
                "bound": "",
            }
        )
    return rows


def time_key(view: TimeView, palette: Palette) -> list[KeyEntry]:
    """Return the key of figure 5: a colour and words for each component."""
    words = {segment.component: segment.words for segment in view.segments}
    return [{"colour": palette.components[name], "words": words[name]} for name in view.components]
