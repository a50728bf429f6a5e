"""Mixes of workloads: a share changed, a part added or taken away, the shares always adding up to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from roofline_app.page.forms import measured_acceptance
from roofline_app.page.forms.typed_text import NotUnderstoodError, share
from roofline_app.scenario import (
    MOST_PARTS,
    AcceptanceChoice,
    ConstantAcceptance,
    MeasuredAcceptance,
    MixedAcceptance,
    MixPart,
)

_DECIMALS = 6


def shared(parts: Sequence[MixPart]) -> MixedAcceptance:
    """Return a mix of parts whose shares are scaled to add up to 1."""
    total = sum(part.share for part in parts)
    shares = [round(part.share / total, _DECIMALS) for part in parts[:-1]]
    shares.append(round(1.0 - sum(shares), _DECIMALS))
    return MixedAcceptance(
        parts=tuple(replace(part, share=own) for part, own in zip(parts, shares, strict=True) if own > 0)
    )


def opened(choice: AcceptanceChoice, first_step: float, model: str, kind: str) -> MixedAcceptance:
    """Return the mix that a line starts with: two workloads measured with its kind, or its acceptance and a lower one.

    Args:
        choice: The line's acceptance so far.
        first_step: Chance of its first draft token.
        model: Registry id of the shown model.
        kind: The line's kind.
    """
    known: list[ConstantAcceptance | MeasuredAcceptance] = [
        MeasuredAcceptance(preset=spec.id)
        for spec in measured_acceptance.in_order(model, kind)
        if spec.kind == kind and spec.model == model and spec.workload
    ]
    own = choice if isinstance(choice, ConstantAcceptance) else ConstantAcceptance(acceptance=round(first_step, 4))
    lower = ConstantAcceptance(acceptance=round(own.acceptance / 2, 4))
    two = known[1:3] if len(known) > 2 else [own, lower]  # noqa: PLR2004 - the first stands for all workloads
    return shared([MixPart(share=0.5, acceptance=acceptance) for acceptance in two])


def with_share(mix: MixedAcceptance, part: int, text: str) -> MixedAcceptance:
    """Return a mix with one part's share set to the typed one; the others keep their proportions.

    Raises:
        NotUnderstoodError: When it is not a share between 0 and 1.
    """
    own = share(text)
    if not 0 < own < 1:
        raise NotUnderstoodError(text, "0–1")
    rest = sum(other.share for index, other in enumerate(mix.parts) if index != part)
    if not rest:
        return mix
    scale = (1.0 - own) / rest
    return shared(
        [replace(other, share=own if index == part else other.share * scale) for index, other in enumerate(mix.parts)]
    )


def with_part(mix: MixedAcceptance, part: int, text: str) -> MixedAcceptance:
    """Return a mix with another acceptance in one part.

    Raises:
        NotUnderstoodError: When the text is neither a chance nor a measured acceptance.
    """
    parts = list(mix.parts)
    parts[part] = replace(parts[part], acceptance=measured_acceptance.part_acceptance(text))
    return MixedAcceptance(parts=tuple(parts))


def with_one_more(mix: MixedAcceptance) -> MixedAcceptance:
    """Return a mix with one part more, an equal share of the sequences; at most eight."""
    if len(mix.parts) >= MOST_PARTS:
        return mix
    return shared([*mix.parts, replace(mix.parts[-1], share=1.0 / len(mix.parts))])


def without(mix: MixedAcceptance, part: int) -> MixedAcceptance:
    """Return a mix without one part; the last one stays."""
    parts = mix.parts[:part] + mix.parts[part + 1 :]
    return shared(parts) if parts else mix
