"""Drafter lines: what each of their controls reads and writes, and lines added, removed and stated in another form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any, Literal
from urllib.parse import quote

from roofline_app import format as fmt, registry
from roofline_app.page.forms import measured_acceptance, mixes
from roofline_app.page.forms.typed_text import number, plain_digits, share, typed_drafter, typed_number
from roofline_app.query.acceptance_forms import write_acceptance
from roofline_app.query.drafter_lines import BLOCK, default_drafter
from roofline_app.results import Floats
from roofline_app.scenario import (
    MOST_DRAFTERS,
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    Drafter,
    MeasuredAcceptance,
    MixedAcceptance,
    Scenario,
    SurvivalRates,
)

Form = Literal["constant", "length", "survival", "measured", "mix"]
KEYS: Mapping[str, str] = {
    "constant": "acceptance",
    "length": "length",
    "survival": "survival",
    "measured": "preset",
    "mix": "mix",
}
KNOWN_LENGTH = 4
SEPARATORS = re.compile(r"[\s,;:/|]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineField:
    """One control of a drafter line, by the line's index."""

    read: Callable[[Drafter], Any]
    write: Callable[[Scenario, int, Any], Scenario]


def form_of(choice: AcceptanceChoice) -> Form:
    """Return in which form an acceptance is stated."""
    match choice:
        case AcceptanceLength():
            return "length"
        case SurvivalRates():
            return "survival"
        case MeasuredAcceptance():
            return "measured"
        case MixedAcceptance():
            return "mix"
        case ConstantAcceptance():
            return "constant"


def acceptance_text(choice: AcceptanceChoice) -> str:
    """Return an acceptance as its box shows it."""
    match choice:
        case AcceptanceLength(tokens_per_round=length, draft_tokens=known):
            return f"{fmt.decimal(length)} @ {known}"
        case SurvivalRates(survival=survival):
            return " : ".join(fmt.decimal(share) for share in survival)
        case ConstantAcceptance(acceptance=acceptance):
            return fmt.decimal(acceptance)
        case MeasuredAcceptance() | MixedAcceptance():
            return write_acceptance(choice).partition("=")[2]


def read_acceptance(form: Form, text: str, kind: str) -> AcceptanceChoice:
    """Return the acceptance that a user typed in one of the forms.

    Args:
        form: The form.
        text: What was typed.
        kind: Id of the line's kind, whose measured workloads a mix can name.

    Raises:
        NotUnderstoodError: When it is not of that form, or not possible.
    """
    value = plain_digits(text).strip()
    if form == "length":
        value = re.sub(r"\s*(@|at|k=)\s*", "@", value)
    elif form == "survival":
        value = SEPARATORS.sub(":", value)
    elif value.endswith("%"):
        value = fmt.decimal(number(value[:-1]) / fmt.PERCENT)
    return typed_drafter(kind, f"{KEYS[form]}={value}", text).acceptance


def _of_first_branches(survival: list[float], line: Drafter) -> list[float]:
    """Return the survival of a tree's likeliest chain from that of its levels; a chain's as it is."""
    if line.topk == 1:
        return survival
    others = min(sum((line.ranks or registry.drafter_kind(line.kind).ranks)[: line.topk - 1]), 1.0 - 1e-9)
    chances = [level / before if before else 0.0 for before, level in pairwise((1.0, *survival))]
    return list(accumulate((max((chance - others) / (1.0 - others), 0.0) for chance in chances), float.__mul__))


def with_line(scenario: Scenario, index: int, **changes: Any) -> Scenario:
    """Return the scenario with one drafter changed."""
    lines = list(scenario.drafters)
    lines[index] = replace(lines[index], **changes)
    return replace(scenario, drafters=tuple(lines))


def with_kind(scenario: Scenario, index: int, kind: str) -> Scenario:
    """Return the scenario with another kind of drafter, at that kind's defaults; colour and own name stay."""
    old = scenario.drafters[index]
    lines = list(scenario.drafters)
    lines[index] = replace(default_drafter(registry.drafter_kind(kind)), name=old.name, colour=old.colour)
    return replace(scenario, drafters=tuple(lines))


def added_line(scenario: Scenario) -> Scenario:
    """Return the scenario with one drafter more, of the first real kind that is not there yet; at most five."""
    if len(scenario.drafters) >= MOST_DRAFTERS:
        return scenario
    present = {line.kind for line in scenario.drafters}
    real = [kind for kind in registry.drafter_kinds().values() if not kind.hypothetical]
    kind = next((kind for kind in real if kind.id not in present), real[0])
    return replace(scenario, drafters=(*scenario.drafters, default_drafter(kind)))


def removed_line(scenario: Scenario, index: int) -> Scenario:
    """Return the scenario without one drafter; the last one stays."""
    lines = scenario.drafters[:index] + scenario.drafters[index + 1 :]
    return replace(scenario, drafters=lines) if lines else scenario


def with_form(scenario: Scenario, index: int, form: Form, tokens_per_round: Floats) -> Scenario:
    """Return the scenario with a drafter's acceptance stated in another form, as nearly the same as that form allows.

    Args:
        scenario: The scenario.
        index: Which drafter.
        form: The new form.
        tokens_per_round: The drafter's tokens per round at draft lengths 0, 1, ...
    """
    if form == form_of(scenario.drafters[index].acceptance):
        return scenario
    known = min(KNOWN_LENGTH, len(tokens_per_round) - 1)
    steps = (float(after - before) for before, after in pairwise(tokens_per_round[: known + 1]))
    # Tokens per round that were measured one by one need not grow evenly; survival never rises.
    line = scenario.drafters[index]
    survival = _of_first_branches(list(accumulate(steps, min)), line)
    choice: AcceptanceChoice
    if form == "measured":
        first = measured_acceptance.in_order(scenario.model, line.kind)[0].id
        chosen = MeasuredAcceptance(preset=first)
        return with_line(scenario, index, acceptance=chosen, block=measured_acceptance.of_checkpoint(line))
    if form == "mix":
        choice = mixes.opened(line.acceptance, min(max(survival[0], 0.0), 1.0), scenario.model, line.kind)
    elif form == "length":
        choice = AcceptanceLength(tokens_per_round=round(float(tokens_per_round[known]), 3), draft_tokens=known)
    elif form == "survival":
        choice = SurvivalRates(survival=tuple(min(max(round(share, 4), 0.0), 1.0) for share in survival))
    else:
        choice = ConstantAcceptance(acceptance=min(max(round(survival[0], 4), 0.0), 1.0))
    return with_line(scenario, index, acceptance=choice)


def _read_slider(line: Drafter) -> float:
    return line.acceptance.acceptance if isinstance(line.acceptance, ConstantAcceptance) else 0.0


def _write_slider(scenario: Scenario, index: int, value: float) -> Scenario:
    return with_line(scenario, index, acceptance=ConstantAcceptance(acceptance=round(value, 4)))


def _write_acceptance(scenario: Scenario, index: int, text: str) -> Scenario:
    line = scenario.drafters[index]
    return with_line(scenario, index, acceptance=read_acceptance(form_of(line.acceptance), text, line.kind))


def _write_block(scenario: Scenario, index: int, text: str) -> Scenario:
    return with_line(scenario, index, block=int(typed_number(text, BLOCK)))


def _write_cost(scenario: Scenario, index: int, text: str) -> Scenario:
    kind, value = scenario.drafters[index].kind, fmt.decimal(share(text))
    return with_line(scenario, index, cost=typed_drafter(kind, f"cost={value}", text).cost)


def _write_name(scenario: Scenario, index: int, text: str) -> Scenario:
    kind, value = scenario.drafters[index].kind, quote(text.strip(), safe="")
    return with_line(scenario, index, name=typed_drafter(kind, f"name={value}", text).name)


def _write_colour(scenario: Scenario, index: int, colour: str) -> Scenario:
    return with_line(scenario, index, colour=colour.removeprefix("#").lower())


LINE_FIELDS: Mapping[str, LineField] = {
    "kind": LineField(read=lambda line: line.kind, write=with_kind),
    "acceptance-slider": LineField(read=_read_slider, write=_write_slider),
    "acceptance": LineField(read=lambda line: acceptance_text(line.acceptance), write=_write_acceptance),
    "cost-slider": LineField(
        read=lambda line: line.cost or 0.0, write=lambda s, i, value: with_line(s, i, cost=round(value, 4))
    ),
    "cost": LineField(read=lambda line: fmt.decimal(line.cost or 0.0), write=_write_cost),
    "block": LineField(read=lambda line: str(line.block), write=_write_block),
    "name": LineField(read=lambda line: line.name, write=_write_name),
    "colour": LineField(read=lambda line: line.colour, write=_write_colour),
}
