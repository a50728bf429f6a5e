"""Lines of a pinned setting, drawn thin behind those of the current one."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.page.figures.look import Look
from roofline_app.results import Evaluation, Floats, Integers, RatesByBatch
from roofline_app.text import sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedLine:
    """One line of the pinned setting; `line` is the drafter's position, which gives its colour, None for none."""

    name: str
    line: int | None
    colour: str
    x: Integers | Floats
    y: Floats


def pinned_name(name: str, language: str) -> str:
    """Return the name of a pinned line."""
    return sentence("page.pinned_line", language, name=name)


def pinned_speedups(pinned: Evaluation | None, language: str) -> tuple[PinnedLine, ...]:
    """Return speedups against draft length; nothing where no setting is pinned."""
    return tuple(
        PinnedLine(
            name=pinned_name(result.name, language),
            line=index,
            colour=result.colour,
            x=result.draft_tokens,
            y=result.speedup,
        )
        for index, result in enumerate(pinned.drafters if pinned else ())
    )


def pinned_by_batch(pinned: Evaluation | None, look: Look) -> tuple[PinnedLine, ...]:
    """Return speedups against batch, at each batch's best draft length or at the pinned setting's."""
    if pinned is None:
        return ()
    by_batch = pinned.best_by_batch
    return tuple(
        PinnedLine(
            name=pinned_name(line.name, look.language),
            line=index,
            colour=result.colour,
            x=by_batch.batch,
            y=line.speedup_at_this_draft_length if look.fixed else line.speedup,
        )
        for index, (line, result) in enumerate(zip(by_batch.drafters, pinned.drafters, strict=True))
    )


def pinned_rates(pinned: Evaluation | None, language: str) -> tuple[PinnedLine, ...]:
    """Return rates per user and per GPU, plain decoding first."""
    if pinned is None:
        return ()
    by_batch = pinned.best_by_batch
    plain = by_batch.without
    lines: list[tuple[str, int | None, str, RatesByBatch]] = [(sentence("page.plain_step", language), None, "", plain)]
    lines += [
        (result.name, index, result.colour, by_batch.drafters[index].rates)
        for index, result in enumerate(pinned.drafters)
    ]
    return tuple(
        PinnedLine(
            name=pinned_name(name, language),
            line=line,
            colour=colour,
            x=rates.tokens_per_second_per_user,
            y=rates.tokens_per_second_per_gpu,
        )
        for name, line, colour, rates in lines
    )


def pinned_words(pinned: Evaluation, language: str) -> str:
    """Return the pinned setting and its answer in one line."""
    best = pinned.best_drafter
    return sentence(
        "page.pinned",
        language,
        model=pinned.model.name,
        gpus=fmt.count(pinned.node.gpus),
        gpu=pinned.node.name,
        batch=fmt.count(pinned.batch),
        context=fmt.tokens(pinned.context),
        name=best.name,
        draft_tokens=fmt.count(best.best.draft_tokens),
        speedup=fmt.speedup(best.best.speedup),
    )
