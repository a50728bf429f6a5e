"""One drafter line of a link: a kind, then `name=value` pairs joined by commas."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from types import MappingProxyType
from urllib.parse import unquote

from roofline_app import registry
from roofline_app.query.notices import NOTHING, Notices, printable
from roofline_app.query.numbers import Limits, number, read_number, written
from roofline_app.scenario import (
    LARGEST_CAP,
    LARGEST_COST,
    LONGEST_NAME,
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    Drafter,
    SurvivalRates,
)
from roofline_app.specs import DrafterSpec

CHANCE = Limits(least=0, most=1)
COST = Limits(least=0, most=LARGEST_COST)
BLOCK = Limits(least=1, most=LARGEST_CAP, whole=True)
_COLOUR = re.compile("#?([0-9a-f]{6})", re.IGNORECASE)
_RESERVED = re.compile("[,=:;%]")
_PHYSICAL = "physical"
_ACCEPTANCE_FORMS = ("acceptance", "length", "survival")
# Understood, but without an effect as long as no profile or measurement stands behind them.
_UNAVAILABLE = ("preset", "mix", "relax", "passes", "gain", "model", "placement", "link.latency", "link.bandwidth")


def read_drafter(text: str, notices: Notices) -> Drafter | None:
    """Return the drafter line that a text describes, or None where its kind is unknown.

    Args:
        text: A kind and its pairs, such as `block,acceptance=0.89,cost=0.1,block=16`.
        notices: Takes a notice for each part that is not used as given.
    """
    kind, *parts = text.split(",")
    spec = registry.drafter_kinds().get(kind.strip().lower())
    if spec is None:
        return None
    given = _given_parts(parts, spec, notices)
    return Drafter(
        kind=spec.id,  # type: ignore[arg-type]  # the registry's ids are the kinds, which a test states
        acceptance=_acceptance(given, spec, notices),
        cost=_cost(given.get("cost"), spec, notices),
        block=_block(given.get("block"), spec, notices),
        name=_name(given.get("name", ""), notices),
        colour=_colour(given.get("colour", ""), notices),
    )


def write_drafter(drafter: Drafter) -> str:
    """Return a drafter line with everything written out, before percent-encoding."""
    parts = [drafter.kind, _written_acceptance(drafter.acceptance), f"cost={written(drafter.cost)}"]
    if registry.drafter_kinds()[drafter.kind].drafting == "block":
        parts.append(f"block={drafter.block}")
    if drafter.name:
        parts.append(f"name={_RESERVED.sub(lambda match: f'%{ord(match.group()):02X}', drafter.name)}")
    if drafter.colour:
        parts.append(f"colour={drafter.colour}")
    return ",".join(parts)


def _given_parts(parts: list[str], spec: DrafterSpec, notices: Notices) -> dict[str, str]:
    """Return the parts by name, the last of each; the last form of acceptance wins over the others."""
    given: dict[str, str] = {}
    for part in parts:
        name, _, value = part.partition("=")
        name, value = name.strip().lower(), value.strip()
        if name in _UNAVAILABLE:
            notices.add("unavailable", key=f"drafter.{name}", given=value, used=_instead(name, spec))
        elif name not in {*_ACCEPTANCE_FORMS, "cost", "block", "name", "colour"}:
            notices.add("unknown_part", key=f"drafter.{name}", given=part, used=NOTHING)
        else:
            rivals = _ACCEPTANCE_FORMS if name in _ACCEPTANCE_FORMS else (name,)
            for rival in rivals:
                if rival in given:
                    notices.add("repeated", key=f"drafter.{rival}", given=given.pop(rival), used=f"{name}={value}")
            given[name] = value
    return given


def _instead(name: str, spec: DrafterSpec) -> str:
    """Return what is used where a part is not available."""
    if name in {"preset", "mix"}:
        return f"acceptance={written(spec.acceptance)}"
    return f"cost={written(spec.cost)}" if name == "model" else NOTHING


def _acceptance(given: Mapping[str, str], spec: DrafterSpec, notices: Notices) -> AcceptanceChoice:
    for form, read in _READERS.items():
        if form in given:
            choice = read(given[form], spec, notices)
            if choice is not None:
                return choice
    return ConstantAcceptance(acceptance=float(spec.acceptance))


def _constant(text: str, spec: DrafterSpec, notices: Notices) -> AcceptanceChoice | None:
    used = written(spec.acceptance)
    value = read_number(text, CHANCE, key="drafter.acceptance", used=used, notices=notices)
    return None if value is None else ConstantAcceptance(acceptance=value)


def _length(text: str, spec: DrafterSpec, notices: Notices) -> AcceptanceChoice | None:
    key, used = "drafter.length", f"acceptance={written(spec.acceptance)}"
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


def _survival(text: str, spec: DrafterSpec, notices: Notices) -> AcceptanceChoice | None:
    key, used = "drafter.survival", f"acceptance={written(spec.acceptance)}"
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


_READERS: Mapping[str, Callable[[str, DrafterSpec, Notices], AcceptanceChoice | None]] = MappingProxyType(
    {"acceptance": _constant, "length": _length, "survival": _survival}
)


def _written_acceptance(choice: AcceptanceChoice) -> str:
    match choice:
        case ConstantAcceptance(acceptance=acceptance):
            return f"acceptance={written(acceptance)}"
        case AcceptanceLength(tokens_per_round=tokens, draft_tokens=drafts):
            return f"length={written(tokens)}@{drafts}"
        case SurvivalRates(survival=survival):
            return "survival=" + ":".join(map(written, survival))


def _cost(text: str | None, spec: DrafterSpec, notices: Notices) -> float:
    if text is None:
        return float(spec.cost)
    if text.lower() == _PHYSICAL:
        notices.add("unavailable", key="drafter.cost", given=text, used=written(spec.cost))
        return float(spec.cost)
    value = read_number(text, COST, key="drafter.cost", used=written(spec.cost), notices=notices)
    return float(spec.cost) if value is None else value


def _block(text: str | None, spec: DrafterSpec, notices: Notices) -> int:
    if text is None:
        return spec.block
    if spec.drafting != "block":
        notices.add("blocks_only", key="drafter.block", given=text, used=NOTHING)
        return spec.block
    value = read_number(text, BLOCK, key="drafter.block", used=str(spec.block), notices=notices)
    return spec.block if value is None else int(value)


def _name(text: str, notices: Notices) -> str:
    plain = unquote(text)
    name = printable(plain).strip()[:LONGEST_NAME].strip()
    if name != plain.strip():
        notices.add("changed_name", key="drafter.name", given=plain, used=name)
    return name


def _colour(text: str, notices: Notices) -> str:
    match = _COLOUR.fullmatch(text)
    if match is None and text:
        notices.add("not_a_colour", key="drafter.colour", given=text, used="the palette's")
    return match.group(1).lower() if match else ""
