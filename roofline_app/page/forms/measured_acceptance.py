"""Measured acceptances as a user finds them: in order of interest, by name."""

from __future__ import annotations

from functools import cache

from roofline_app import format as fmt, registry
from roofline_app.page.forms.typed_text import NotUnderstoodError, share
from roofline_app.query.drafter_lines import default_block
from roofline_app.scenario import ConstantAcceptance, Drafter, MeasuredAcceptance
from roofline_app.specs import AcceptanceSpec


def in_order(model: str, kind: str) -> tuple[AcceptanceSpec, ...]:
    """Return all of them: first those of a model, and within these first those of a kind of drafter.

    Args:
        model: Registry id of the shown model.
        kind: The line's kind.
    """
    return tuple(sorted(registry.acceptances().values(), key=lambda spec: (spec.model != model, spec.kind != kind)))


@cache
def _by_name() -> dict[str, str]:
    return {spec.name.lower(): spec.id for spec in registry.acceptances().values()}


def measured_acceptance(text: str) -> MeasuredAcceptance:
    """Return the measured acceptance of a shown name.

    Args:
        text: Its name or its id, in any case.

    Raises:
        NotUnderstoodError: When there is none.
    """
    wanted = text.strip().lower()
    name = wanted if wanted in registry.acceptance_ids() else _by_name().get(wanted)
    if name is None:
        raise NotUnderstoodError(text)
    return MeasuredAcceptance(preset=name)


def part_acceptance(text: str) -> ConstantAcceptance | MeasuredAcceptance:
    """Return the acceptance of one part of a mix: a chance such as `0.8` or `80%`, or a measured one's name.

    Raises:
        NotUnderstoodError: When it is neither.
    """
    try:
        chance = share(text)
    except NotUnderstoodError:
        return measured_acceptance(text)
    if chance > 1:
        raise NotUnderstoodError(text)
    return ConstantAcceptance(acceptance=round(chance, 6))


def acceptance_name(acceptance: ConstantAcceptance | MeasuredAcceptance) -> str:
    """Return the words by which `part_acceptance` finds an acceptance again."""
    if isinstance(acceptance, MeasuredAcceptance):
        return registry.acceptance(acceptance.preset).name
    return fmt.decimal(acceptance.acceptance)


def of_checkpoint(line: Drafter) -> int:
    """Return the block of a line whose acceptance becomes a measured one: no longer than checkpoints' blocks."""
    return min(line.block, default_block(registry.drafter_kind(line.kind), of_checkpoint=True))
