"""Figure 9: the node's memory by use, against its capacity."""

from __future__ import annotations

from dataclasses import dataclass, fields

from roofline_app import format as fmt
from roofline_app.page.figures.axes import Axis, linear_axis
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette
from roofline_app.results import Evaluation
from roofline_app.text import sentence

MOST_TICKS = 5
SMALLEST_SHARE = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySegment:
    """One use of memory, from `left` to `left + bytes`."""

    part: str
    words: str
    bytes: float
    left: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """What figure 9 shows: one bar, and the capacity as a line."""

    segments: tuple[MemorySegment, ...]
    capacity_bytes: float
    fits: bool
    x: Axis


def _axis(longest: float) -> Axis:
    ticks = linear_axis(longest, "", MOST_TICKS)
    labels = tuple(fmt.tick(tick, "B") for tick in ticks.ticks)
    return Axis(start=0.0, end=longest, ticks=ticks.ticks, labels=labels)


def memory_label(evaluation: Evaluation, language: str) -> str:
    """Return the capacity and what it has room for, in words."""
    memory = evaluation.memory
    if not memory.largest_batch:
        return sentence("page.memory_none", language, capacity=fmt.bytes_(memory.capacity_bytes))
    return sentence(
        "page.memory_label",
        language,
        capacity=fmt.bytes_(memory.capacity_bytes),
        batch=fmt.count(memory.largest_batch),
        context=fmt.tokens(evaluation.context),
    )


def memory_view(evaluation: Evaluation, language: str) -> MemoryView:
    """Return the bar of uses that are not nil, in a fixed order."""
    memory = evaluation.memory
    left = 0.0
    segments = []
    for field in fields(memory.parts):
        size = float(getattr(memory.parts, field.name))
        if size <= SMALLEST_SHARE:
            continue
        words = sentence(f"page.memory_{field.name}", language)
        segments.append(MemorySegment(part=field.name, words=words, bytes=size, left=left))
        left += size
    return MemoryView(
        segments=tuple(segments),
        capacity_bytes=memory.capacity_bytes,
        fits=memory.fits,
        x=_axis(max(left, memory.capacity_bytes) * 1.04),
    )


def memory_table(evaluation: Evaluation, language: str) -> Table:
    """Return bytes by use, and the capacity."""
    memory = evaluation.memory
    uses = [
        (sentence(f"page.memory_{field.name}", language), float(getattr(memory.parts, field.name)))
        for field in fields(memory.parts)
    ]
    uses.append((sentence("page.memory_needed", language), memory.needed_bytes))
    uses.append((sentence("page.memory_capacity", language), memory.capacity_bytes))
    rows = tuple(
        (words, fmt.bytes_(size) if size else "0", fmt.percent(size / memory.capacity_bytes)) for words, size in uses
    )
    header = (
        sentence("page.memory_use", language),
        sentence("page.memory_size", language),
        sentence("page.memory_share", language),
    )
    return Table(caption=sentence("figures.memory_caption", language), header=header, rows=rows)


def memory_rows(evaluation: Evaluation) -> list[Row]:
    """Return a row per use, and the capacity, for files."""
    parts = evaluation.memory.parts
    uses = ("weights", "kv", "state", "drafter", "reserve")
    rows: list[Row] = [{"part": use, "bytes": float(getattr(parts, use))} for use in uses]
    return [*rows, {"part": "capacity", "bytes": evaluation.memory.capacity_bytes}]


def memory_key(view: MemoryView, palette: Palette) -> list[KeyEntry]:
    """Return the key of figure 9: a colour, words and size for each use."""
    return [
        {"colour": palette.memory[segment.part], "words": f"{segment.words} {fmt.bytes_(segment.bytes)}"}
        for segment in view.segments
    ]
