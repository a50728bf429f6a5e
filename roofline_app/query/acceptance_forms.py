"""The forms in which a drafter line states how its drafts are accepted."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType

from roofline_app import registry
from roofline_app.query.notices import Notices
from roofline_app.query.numbers import Limits, number, read_number, written
from roofline_app.scenario import (
    LARGEST_CAP,
    MOST_PARTS,
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    MeasuredAcceptance,
    MixedAcceptance,
    MixPart,
    SurvivalRates,
)
from roofline_app.specs import DrafterKindSpec

CHANCE = Limits(least=0, most=1)
_SHARES_TOLERANCE = 1e-9


def read_acceptance(given: Mapping[str, str], spec: DrafterKindSpec, notices: Notices) -> AcceptanceChoice:
    """Return the acceptance that a line states, or its kind's default.

    Args:
        given: The line's parts by name; of `FORMS` at most one.
        spec: The line's kind.
        notices: Takes a notice for a form that is not used as given.
    """
    for form, read in _READERS.items():
        if form in given:
            choice = read(given[form], spec, notices)
            if choice is not None:
                return choice
    return ConstantAcceptance(acceptance=float(spec.acceptance))


def write_acceptance(choice: AcceptanceChoice) -> str:
    """Return an acceptance as it stands in a link."""
    match choice:
        case ConstantAcceptance(acceptance=acceptance):
            return f"acceptance={written(acceptance)}"
        case AcceptanceLength(tokens_per_round=tokens, draft_tokens=drafts):
            return f"length={written(tokens)}@{drafts}"
        case SurvivalRates(survival=survival):
            return "survival=" + ":".join(map(written, survival))
        case MeasuredAcceptance(preset=preset):
            return f"preset={preset}"
        case MixedAcceptance(parts=parts):
            return "mix=" + ";".join(f"{written(part.share)}:{_written_part(part)}" for part in parts)


def default_of(spec: DrafterKindSpec) -> str:
    """Return a kind's default acceptance as it stands in a link."""
    return f"acceptance={written(spec.acceptance)}"


def _written_part(part: MixPart) -> str:
    stated = part.acceptance
    return stated.preset if isinstance(stated, MeasuredAcceptance) else written(stated.acceptance)


def _constant(text: str, spec: DrafterKindSpec, notices: Notices) -> AcceptanceChoice | None:
    used = written(spec.acceptance)
    value = read_number(text, CHANCE, key="drafter.acceptance", used=used, notices=notices)
    return None if value is None else ConstantAcceptance(acceptance=value)


def _length(text: str, spec: DrafterKindSpec, notices: Notices) -> AcceptanceChoice | None:
    key, used = "drafter.length", default_of(spec)
    tokens_text, _, drafts_text = text.partition("@")
    tokens, drafts = number(tokens_text), number(drafts_text)
    if tokens is None or drafts is None:
        notices.add("not_a_length", key=key, given=text, used=used)
        return None
    if not drafts.is_integer() or not 1 <= drafts <= LARGEST_CAP:
        detail = Limits(least=1, most=LARGEST_CAP).text
        notices.add("outside", key=key, given=text, used=used, detail=f"{detail} drafts")
        return None
    if not 1 <= tokens <= drafts + 1:
        detail = Limits(least=1, most=drafts + 1).text
        notices.add("impossible_length", key=key, given=text, used=used, detail=detail)
        return None
    return AcceptanceLength(tokens_per_round=tokens, draft_tokens=int(drafts))


def _survival(text: str, spec: DrafterKindSpec, notices: Notices) -> AcceptanceChoice | None:
    key, used = "drafter.survival", default_of(spec)
    stated = text.split(":", LARGEST_CAP)
    if len(stated) > LARGEST_CAP:
        notices.add("too_many_rates", key=key, given=text, used=used, detail=str(LARGEST_CAP))
        return None
    rates = tuple(rate + 0.0 for rate in map(number, stated) if rate is not None and 0 <= rate <= 1)
    if len(rates) != len(stated):
        notices.add("not_rates", key=key, given=text, used=used)
        return None
    if any(later > earlier for earlier, later in pairwise(rates)):
        notices.add("rising_rates", key=key, given=text, used=used)
        return None
    return SurvivalRates(survival=rates)


def _measured(text: str, spec: DrafterKindSpec, notices: Notices) -> AcceptanceChoice | None:
    known = registry.acceptance_ids()
    if text.lower() in known:
        return MeasuredAcceptance(preset=text.lower())
    hint = notices.hint(text, known)
    notices.add("unknown_id", key="drafter.preset", given=text, used=default_of(spec), detail=hint)
    return None


def _mix(text: str, spec: DrafterKindSpec, notices: Notices) -> AcceptanceChoice | None:
    key, used = "drafter.mix", default_of(spec)
    parts: list[MixPart] = []
    stated = text.split(";", MOST_PARTS)
    for piece in stated:
        share_text, _, what = (word.strip() for word in piece.partition(":"))
        share = number(share_text)
        if share is None or not 0 < share < math.inf or not what or len(stated) > MOST_PARTS:
            notices.add("not_a_mix", key=key, given=text, used=used, detail=str(MOST_PARTS))
            return None
        acceptance = _part(what.lower(), spec)
        if acceptance is None:
            notices.add("unknown_workload", key=key, given=what, used=used)
            return None
        parts.append(MixPart(share=share, acceptance=acceptance))
    total = math.fsum(part.share for part in parts)
    if abs(total - 1.0) > _SHARES_TOLERANCE:
        parts = [replace(part, share=part.share / total) for part in parts]
        if not all(0 < part.share <= 1 for part in parts):
            notices.add("not_a_mix", key=key, given=text, used=used, detail=str(MOST_PARTS))
            return None
        shown = ";".join(f"{part.share:.3g}" for part in parts)
        notices.add("not_shares", key=key, given=text, used=shown, detail=written(total))
    return MixedAcceptance(parts=tuple(parts))


def _part(what: str, spec: DrafterKindSpec) -> ConstantAcceptance | MeasuredAcceptance | None:
    """Return the acceptance of a part: a chance, a measured one's id, or a workload measured with this kind."""
    chance = number(what)
    if chance is not None:
        return ConstantAcceptance(acceptance=chance + 0.0) if 0 <= chance <= 1 else None
    known = registry.acceptance_ids()
    if what in known:
        return MeasuredAcceptance(preset=what)
    for name in known:
        if name.endswith(f"-{what}"):
            found = registry.acceptance(name)
            if (found.workload, found.kind) == (what, spec.id):
                return MeasuredAcceptance(preset=name)
    return None


_READERS: Mapping[str, Callable[[str, DrafterKindSpec, Notices], AcceptanceChoice | None]] = MappingProxyType(
    {"acceptance": _constant, "length": _length, "survival": _survival, "preset": _measured, "mix": _mix}
)
FORMS = tuple(_READERS)
