"""The lesson's drawings, by the figures' own surface; colours are the style sheet's variables, to fit both themes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from roofline_app.page.figures.axes import Axis
from roofline_app.page.figures.stretched import VARIABLES
from roofline_app.page.figures.svg import Pixels, Surface, written
from roofline_app.page.method import numbers
from roofline_app.page.method.numbers import BATCHES, BLOCK, DRAFTS, LONGEST, MTP
from roofline_app.page.theme import DARK, LIGHT, Palette

WIDTH, LEFT, RIGHT = 400, 34, 12
_LETTERS = 'font-family="inherit" font-size="12"'


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel(Surface):
    """Axes on a small drawing; several stand above each other.

    Attributes:
        top: Pixels above the frame.
        height: Pixels of the frame.
    """

    top: float
    height: float
    palette: Palette = field(default=VARIABLES)

    @property
    def placing(self) -> Pixels:
        """The frame on the drawing."""
        return Pixels(left=LEFT, top=self.top, width=WIDTH - LEFT - RIGHT, height=self.height)

    def base_line(self) -> None:
        """Draw the axis below."""
        self.line([(self.x.start, self.y.start), (self.x.end, self.y.start)], self.palette.rule, width=1)

    def title(self, words: str) -> str:
        """Return words above the frame."""
        return written(LEFT, self.top - 8, words, self.palette.text)

    def content(self) -> str:
        """Return all that was drawn."""
        return "".join([*self.lines, *self.marks])


def colours() -> str:
    """Return the style sheet's colours of drafters, by the reader's system."""
    pairs = zip(LIGHT.drafters, DARK.drafters, strict=True)
    names = "".join(f"--drafter-{index}:light-dark({light},{dark});" for index, (light, dark) in enumerate(pairs))
    return f"<style>:root{{{names}}}</style>"


def _drawing(height: int, label: str, content: str) -> str:
    return (
        f'<figure><svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}" {_LETTERS}>'
        f"{content}</svg></figure>"
    )


def _axis(start: float, end: float, ticks: tuple[float, ...]) -> Axis:
    return Axis(start=start, end=end, ticks=ticks, labels=tuple(f"{tick:,g}" for tick in ticks))


def _box(left: float, right: float, top: float, colour: str, words: str = "") -> str:
    """Return a box with words in it."""
    middle = written((left + right) / 2, top + 20, words, "var(--page)", text_anchor="middle") if words else ""
    return (
        f'<rect x="{left:.1f}" y="{top}" width="{right - left:.1f}" height="30" rx="3" fill="{colour}" '
        f'stroke="var(--page)" stroke-width="1.5"/>{middle}'
    )


def round_drawing(words: Mapping[str, str]) -> str:
    """Return plain steps above a round of three draft tokens, to the same scale of time."""
    shown = numbers.article()
    mtp, step = shown.drafters[MTP], shown.step.seconds
    draft, verify = float(mtp.drafting_seconds[1] / step), numbers.verify_steps(shown)
    scale = (WIDTH - 2 * RIGHT) / 3
    at = [RIGHT + scale * steps for steps in (0, 1, 2, 3)]
    plain = [_box(left, right, 24, "var(--muted)", "1") for left, right in pairwise(at)]
    drafts = [RIGHT + scale * draft * count for count in range(DRAFTS + 1)]
    boxes = [_box(left, right, 90, "var(--drafter-0)") for left, right in pairwise(drafts)]
    end = drafts[-1] + scale * verify
    tokens = f"{mtp.tokens_per_round[DRAFTS]:.2f}"
    content = [
        written(RIGHT, 16, words["round_plain"], "var(--text)"),
        *plain,
        written(RIGHT, 82, f"{words['round_draft']} {DRAFTS} × {draft:g}", "var(--text)"),
        written(end, 82, f"{words['round_verify']} {verify:.2f}", "var(--text)", text_anchor="end"),
        *boxes,
        _box(drafts[-1], end, 90, "var(--drafter-1)", tokens),
        written(RIGHT, 142, words["round_axis"], "var(--muted)"),
    ]
    label = f"{words['round_draft']} {DRAFTS} × {draft:g}, {words['round_verify']} {verify:.2f}: {tokens}"
    return _drawing(152, label, "".join(content))


def lengths_drawing(words: Mapping[str, str]) -> str:
    """Return tokens and cost of a round, and their ratio, against the draft length."""
    shown = numbers.article()
    mtp, step = shown.drafters[MTP], shown.step.seconds
    lengths = range(LONGEST + 1)
    cost = (mtp.verifying_seconds + mtp.drafting_seconds) / step
    x, y = _axis(0, LONGEST, (0, 2, 4, 6, 8, 10, 12)), _axis(0, 4, (0, 1, 2, 3, 4))
    panel = Panel(x=x, y=y, x_words=words["lengths_axis"], top=20, height=190)
    panel.scales()
    curves = (
        (mtp.tokens_per_round, VARIABLES.drafters[0], "5 3", "lengths_tokens", (2.6, 3.75)),
        (cost, VARIABLES.muted, "", "lengths_cost", (7.4, 2.55)),
        (mtp.speedup, VARIABLES.drafters[2], "", "lengths_speedup", (7.4, 0.78)),
    )
    for curve, colour, dash, name, place in curves:
        panel.line([(length, float(curve[length])) for length in lengths], colour, dash=dash)
        panel.words(*place, words[name], colour)
    best = mtp.best
    panel.ring(best.draft_tokens, best.speedup, VARIABLES.drafters[2])
    label = f"{words['lengths_speedup']}: γ* = {best.draft_tokens}, {best.speedup:.2f}×"
    return _drawing(262, label, panel.content())


def batches_drawing(words: Mapping[str, str]) -> str:
    """Return experts, the cost of a verify and speedups against the batch, above each other."""
    best = numbers.article().best_by_batch.drafters
    passes = [numbers.article(batch) for batch in BATCHES]
    step, verify = ([numbers.experts_of(one, drafts) for one in passes] for drafts in (0, DRAFTS))
    cost = [numbers.verify_steps(one) for one in passes]
    blue, green, grey = VARIABLES.drafters[1], VARIABLES.drafters[2], VARIABLES.muted
    panels = (
        ("batches_experts", _axis(0, 400, (0, 200, 400)), ((step, grey), (verify, blue))),
        ("batches_verify", _axis(0, 3, (0, 1, 2, 3)), ((cost, blue),)),
        (
            "batches_speedup",
            _axis(0, 6, (0, 2, 4, 6)),
            ((best[BLOCK].speedup.tolist(), green), (best[MTP].speedup.tolist(), blue)),
        ),
    )
    content = list[str]()
    for index, (name, y, curves) in enumerate(panels):
        is_last = index == len(panels) - 1
        ticks = (1.0, 8.0, 64.0, 512.0, 4096.0) if is_last else ()
        axis = words["batches_axis"] if is_last else ""
        top = 24 + 128 * index
        panel = Panel(x=_axis(1, 4096, ticks), y=y, is_log=(True, False), x_words=axis, top=top, height=90)
        panel.scales()
        for curve, colour in curves:
            panel.line(zip(map(float, BATCHES), curve, strict=True), colour)
        content += [panel.title(words[name]), panel.content()]
    return _drawing(420, words["batches_speedup"], "".join(content))


DRAWINGS = {"round": round_drawing, "lengths": lengths_drawing, "batches": batches_drawing}
