"""Figure 4: the node's roofs, and each component as a point for the plain step and for the best drafter's verify."""

from __future__ import annotations

import math
from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis, power_ticks
from roofline_app.page.figures.tables import Table
from roofline_app.page.figures.time.view import component_words
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette
from roofline_app.results import Component, Evaluation
from roofline_app.text import sentence

LEAST_SPAN = 10.0
MARGIN = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """The roof of one precision, or of several with the same peak: the slope up to the ridge, then the peak."""

    format: str
    flops_per_byte: tuple[float, float, float]
    flops_per_second: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One component in the plain step and in the verify, in FLOP per byte and FLOP per second of the node."""

    component: str
    words: str
    step: tuple[float, float]
    verify: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RooflineView:
    """What figure 4 shows; both axes are logarithmic."""

    roofs: tuple[Roof, ...]
    points: tuple[Point, ...]
    x: Axis
    y: Axis
    drafter: str


def _place(part: Component) -> tuple[float, float] | None:
    if part.bytes <= 0 or part.flops <= 0 or part.seconds <= 0:
        return None
    return part.flops / part.bytes, part.flops / part.seconds


def _log_axis(low: float, high: float, unit: str, every: int = 1) -> Axis:
    ticks = power_ticks(low, high)[::every]
    labels = tuple(
        fmt.tick(tick, unit) if unit else fmt.count(tick) if tick >= 1 else fmt.decimal(tick) for tick in ticks
    )
    return Axis(start=low, end=high, ticks=ticks, labels=labels)


def _pairs(evaluation: Evaluation) -> list[tuple[str, tuple[float, float], tuple[float, float]]]:
    verify = {part.name: part for part in evaluation.best_drafter.verify.components}
    pairs = []
    for part in evaluation.step.components:
        before, after = _place(part), _place(verify[part.name]) if part.name in verify else None
        if before and after:
            pairs.append((part.name, before, after))
    return pairs


def roofline_view(evaluation: Evaluation, language: str, *, narrow: bool = False) -> RooflineView:
    """Return roofs and points."""
    bandwidth = evaluation.node.memory_bytes_per_second
    pairs = _pairs(evaluation)
    peaks = evaluation.node.flops_per_second
    places = [place for _, before, after in pairs for place in (before, after)] or [(1.0, bandwidth)]
    low = 10.0 ** math.floor(math.log10(min(x for x, _ in places)))
    high = max(max(peaks.values()) / bandwidth, *(x for x, _ in places)) * LEAST_SPAN
    floor = min(low * bandwidth, *(y for _, y in places)) / MARGIN
    top = max(peaks.values()) * MARGIN
    names = dict[float, str]()
    for name, peak in peaks.items():
        names[peak] = f"{names[peak]}, {name.upper()}" if peak in names else name.upper()
    roofs = tuple(
        Roof(format=name, flops_per_byte=(low, peak / bandwidth, high), flops_per_second=(low * bandwidth, peak, peak))
        for peak, name in sorted(names.items())
    )
    points = tuple(
        Point(component=name, words=component_words(name, language), step=before, verify=after)
        for name, before, after in pairs
    )
    return RooflineView(
        roofs=roofs,
        points=points,
        x=_log_axis(low, high, "", every=2 if narrow else 1),
        y=_log_axis(floor, top, "FLOP/s"),
        drafter=evaluation.best_drafter.name,
    )


def roofline_table(evaluation: Evaluation, language: str) -> Table:
    """Return intensity, achieved FLOP/s and what binds, by component and pass."""
    header = tuple(
        sentence(f"page.{key}", language) for key in ("component", "pass", "intensity", "achieved", "bound_by")
    )
    best = evaluation.best_drafter
    passes = ((sentence("page.plain_step", language), evaluation.step), (best.name, best.verify))
    rows = tuple(
        (
            component_words(part.name, language),
            words,
            fmt.significant(part.flops / part.bytes) if part.bytes else "–",
            fmt.scaled(part.flops / part.seconds, "FLOP/s") if part.seconds else "–",
            sentence(f"page.bound_{part.bound}", language),
        )
        for words, work in passes
        for part in work.components
    )
    return Table(caption=sentence("figures.roofline_caption", language), header=header, rows=rows)


def roofline_key(view: RooflineView, palette: Palette) -> list[KeyEntry]:
    """Return the key of figure 4: a colour and words for each component."""
    return [{"colour": palette.components[point.component], "words": point.words} for point in view.points]
