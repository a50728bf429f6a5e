"""Lines of pinned settings, drawn thin behind those of the current one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.figures.look import Look
from roofline_app.results import Evaluation, Floats, Integers, RatesByBatch
from roofline_app.text import sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedLine:
    """One line of a pinned setting.

    Attributes:
        name: As on hover.
        line: The drafter's position, which gives its colour; None for none.
        setting: The setting's position, which gives the colour where several are pinned; None where one is.
        colour: The user's own, or empty.
        x: Places, shape (points,).
        y: Values there.
    """

    name: str
    line: int | None
    setting: int | None
    colour: str
    x: Integers | Floats
    y: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class _Setting:
    """A pinned setting; `place` is None where it is the only one."""

    evaluation: Evaluation
    place: int | None

    def name(self, name: str, language: str) -> str:
        """Return the name of one of its lines."""
        if self.place is None:
            return sentence("page.pinned_line", language, name=name)
        return sentence("page.pinned_line_of", language, name=name, number=fmt.count(self.place + 1))


def _settings(pinned: Sequence[Evaluation]) -> Iterator[_Setting]:
    for place, evaluation in enumerate(pinned):
        yield _Setting(evaluation=evaluation, place=place if len(pinned) > 1 else None)


def pinned_speedups(pinned: Sequence[Evaluation], language: str) -> tuple[PinnedLine, ...]:
    """Return speedups against draft length; nothing where no setting is pinned."""
    return tuple(
        PinnedLine(
            name=setting.name(result.name, language),
            line=index,
            setting=setting.place,
            colour=result.colour,
            x=result.draft_tokens,
            y=result.speedup,
        )
        for setting in _settings(pinned)
        for index, result in enumerate(setting.evaluation.drafters)
    )


def pinned_by_batch(pinned: Sequence[Evaluation], look: Look) -> tuple[PinnedLine, ...]:
    """Return speedups against batch, at each batch's best draft length or at the pinned setting's."""
    return tuple(
        PinnedLine(
            name=setting.name(line.name, look.language),
            line=index,
            setting=setting.place,
            colour=result.colour,
            x=setting.evaluation.best_by_batch.batch,
            y=line.speedup_at_this_draft_length if look.fixed else line.speedup,
        )
        for setting in _settings(pinned)
        for index, (line, result) in enumerate(
            zip(setting.evaluation.best_by_batch.drafters, setting.evaluation.drafters, strict=True)
        )
    )


def pinned_rates(pinned: Sequence[Evaluation], language: str) -> tuple[PinnedLine, ...]:
    """Return rates per user and per GPU, plain decoding of each setting first."""
    return tuple(line for setting in _settings(pinned) for line in _rates(setting, language))


def _rates(setting: _Setting, language: str) -> Iterator[PinnedLine]:
    by_batch = setting.evaluation.best_by_batch
    plain = by_batch.without
    lines: list[tuple[str, int | None, str, RatesByBatch]] = [(sentence("page.plain_step", language), None, "", plain)]
    lines += [
        (result.name, index, result.colour, by_batch.drafters[index].rates)
        for index, result in enumerate(setting.evaluation.drafters)
    ]
    for name, line, colour, rates in lines:
        yield PinnedLine(
            name=setting.name(name, language),
            line=line,
            setting=setting.place,
            colour=colour,
            x=rates.tokens_per_second_per_user,
            y=rates.tokens_per_second_per_gpu,
        )


def pinned_words(pinned: Sequence[Evaluation], language: str) -> str:
    """Return each pinned setting and its answer, one after the other; nothing where none is pinned."""
    said = [_words(setting, language) for setting in _settings(pinned)]
    return sentence("verdict.between", language).join(said)


def _words(setting: _Setting, language: str) -> str:
    pinned, best = setting.evaluation, setting.evaluation.best_drafter
    values = {
        "model": pinned.model.name,
        "gpus": fmt.count(pinned.node.gpus),
        "gpu": pinned.node.name,
        "batch": fmt.count(pinned.batch),
        "context": fmt.tokens(pinned.context),
        "name": best.name,
        "draft_tokens": fmt.count(best.best.draft_tokens),
        "speedup": fmt.speedup(best.best.speedup),
    }
    if setting.place is None:
        return sentence("page.pinned", language, **values)
    return sentence("page.pinned_of", language, number=fmt.count(setting.place + 1), **values)
