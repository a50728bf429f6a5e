"""What a reader can set: one state, and for each control how it reads a scenario and how it makes the next one.

No widget is known here. Typed text goes through the codec of links, so that a box understands what a link does.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal
from urllib.parse import quote, urlencode

import param

from roofline_app import format as fmt
from roofline_app import query, registry
from roofline_app.scenario import (
    MOST_DRAFTERS,
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    Drafter,
    Scenario,
    SurvivalRates,
)

Form = Literal["constant", "length", "survival"]
BATCH_STEPS = tuple(sorted({2**power for power in range(13)} | {3 * 2**power for power in range(11)}))
CONTEXT_STEPS = tuple(sorted({2**power for power in range(7, 21)} | {3 * 2**power for power in range(6, 19)}))
KEYS: Mapping[str, str] = {"constant": "acceptance", "length": "length", "survival": "survival"}
KNOWN_LENGTH = 4
SEPARATORS = re.compile(r"[\s,;:/|]+")


class NotUnderstoodError(ValueError):
    """What was typed is not a value of its control.

    Attributes:
        given: What was typed.
        allowed: The allowed range, where it is only outside of that.
    """

    def __init__(self, given: str, allowed: str = "") -> None:
        """Keep what was typed.

        Args:
            given: What was typed.
            allowed: The allowed range in words, or empty.
        """
        super().__init__(given)
        self.given = given
        self.allowed = allowed


class Controls(param.Parameterized):
    """The page's whole state: the setting, and how it is looked at."""

    scenario = param.ClassSelector(class_=Scenario, default=Scenario(), doc="Everything that changes a number.")
    theme = param.Selector(objects=["light", "dark"], doc="Colours.")
    narrow = param.Boolean(default=False, doc="Whether the page is as narrow as a phone.")
    fixed_length = param.Boolean(default=False, doc="Figure 2 at this setting's draft length instead of the best.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One control: a scenario's value for it, and the scenario after another value is chosen."""

    read: Callable[[Scenario], Any]
    write: Callable[[Scenario, Any], Scenario]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineField:
    """One control of a drafter line, by the line's index."""

    read: Callable[[Drafter], Any]
    write: Callable[[Scenario, int, Any], Scenario]


def nearest_step(steps: tuple[int, ...], value: int) -> int:
    """Return the index of the step nearest to a positive value on a log scale."""
    index = bisect_left(steps, value)
    if index in {0, len(steps)}:
        return min(index, len(steps) - 1)
    below, above = steps[index - 1], steps[index]
    return index - 1 if value / below < above / value else index


def typed(key: str, text: str) -> Scenario:
    """Return the default scenario with one key of a link set to what a reader typed.

    Raises:
        NotUnderstoodError: When a link would not understand it either.
    """
    return _decoded(key, text.strip(), text)


def _decoded(key: str, value: str, given: str) -> Scenario:
    decoded = query.decode(urlencode([(key, value)]))
    if decoded.notices:
        notice = decoded.notices[0]
        raise NotUnderstoodError(given, notice.detail if notice.reason == "outside" else "")
    return decoded.scenario


def form_of(choice: AcceptanceChoice) -> Form:
    """Return in which form an acceptance is stated."""
    match choice:
        case AcceptanceLength():
            return "length"
        case SurvivalRates():
            return "survival"
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
    return ""


def read_acceptance(form: Form, text: str) -> AcceptanceChoice:
    """Return the acceptance that a reader typed in one of the three forms.

    Raises:
        NotUnderstoodError: When it is not of that form, or not possible.
    """
    value = text.strip()
    if form == "length":
        value = re.sub(r"\s*(@|at|k=)\s*", "@", value)
    elif form == "survival":
        value = SEPARATORS.sub(":", value)
    elif value.endswith("%"):
        value = fmt.decimal(number(value[:-1]) / fmt.PERCENT)
    return _decoded("drafter", f"mtp,{KEYS[form]}={value}", text).drafters[0].acceptance


def number(text: str) -> float:
    """Return a finite number that is not negative.

    Raises:
        NotUnderstoodError: When the text is something else.
    """
    try:
        value = float(text.strip().replace(",", "").removeprefix("$"))
    except ValueError:
        raise NotUnderstoodError(text) from None
    if not math.isfinite(value) or value < 0:
        raise NotUnderstoodError(text)
    return value


def share(text: str) -> float:
    """Return a share typed as `0.1` or as `10%`."""
    return number(text[:-1]) / fmt.PERCENT if text.strip().endswith("%") else number(text)


def _typed_field(key: str, show: Callable[[int], str]) -> Field:
    return Field(
        read=lambda scenario: show(getattr(scenario, key)),
        write=lambda scenario, text: replace(scenario, **{key: getattr(typed(key, text), key)}),
    )


def _stepped_field(key: str, steps: tuple[int, ...]) -> Field:
    return Field(
        read=lambda scenario: nearest_step(steps, getattr(scenario, key)),
        write=lambda scenario, index: replace(scenario, **{key: steps[index]}),
    )


def _plain_field(key: str) -> Field:
    return Field(
        read=lambda scenario: getattr(scenario, key),
        write=lambda scenario, value: replace(scenario, **{key: value}),
    )


def _weights_field(key: str) -> Field:
    return Field(
        read=lambda scenario: getattr(scenario.weights, key),
        write=lambda scenario, value: replace(scenario, weights=replace(scenario.weights, **{key: value})),
    )


def _gpu_figure(scenario: Scenario, key: str) -> float | None:
    gpu = registry.gpu(scenario.gpu)
    names = {"bandwidth": gpu.memory_bytes_per_second, "memory": gpu.memory_bytes}
    names["interconnect"] = gpu.interconnect_bytes_per_second
    return names.get(key, gpu.dense_flops_per_second.get(key))


def _hardware_field(key: str, scale: float) -> Field:
    """Return a figure of the GPU in the unit of its box; an empty box is the registry's figure."""

    def read(scenario: Scenario) -> str:
        chosen = getattr(scenario.hardware, key)
        value = _gpu_figure(scenario, key) if chosen is None else chosen
        return "" if value is None else fmt.decimal(value / scale)

    def write(scenario: Scenario, text: str) -> Scenario:
        value = number(text) * scale if text.strip() else None
        if value == 0 and key != "interconnect":
            raise NotUnderstoodError(text)
        kept = None if value == _gpu_figure(scenario, key) else value
        return replace(scenario, hardware=replace(scenario.hardware, **{key: kept}))

    return Field(read=read, write=write)


def _price_field() -> Field:
    def read(scenario: Scenario) -> str:
        price = registry.gpu(scenario.gpu).price_usd_per_hour if scenario.price is None else scenario.price
        return "" if price is None else fmt.decimal(price)

    def write(scenario: Scenario, text: str) -> Scenario:
        price = number(text) if text.strip() else None
        kept = None if price == registry.gpu(scenario.gpu).price_usd_per_hour else price
        return replace(scenario, price=kept)

    return Field(read=read, write=write)


def _reserve(scenario: Scenario, text: str) -> Scenario:
    value = number(text.strip().removesuffix("%")) / fmt.PERCENT
    if value >= 1:
        raise NotUnderstoodError(text)
    return replace(scenario, reserve=value)


def _choose_gpu(scenario: Scenario, gpu: str) -> Scenario:
    """Return another GPU's node: changes of the old one's figures do not follow."""
    return replace(scenario, gpu=gpu, hardware=Scenario().hardware, price=None)


FIELDS: Mapping[str, Field] = {
    "gpu": Field(read=lambda scenario: scenario.gpu, write=_choose_gpu),
    "gpus": _typed_field("gpus", str),
    "bandwidth": _hardware_field("bandwidth", fmt.TERA),
    "memory": _hardware_field("memory", fmt.GIGA),
    "bf16": _hardware_field("bf16", fmt.TERA),
    "fp8": _hardware_field("fp8", fmt.TERA),
    "fp4": _hardware_field("fp4", fmt.TERA),
    "int8": _hardware_field("int8", fmt.TERA),
    "interconnect": _hardware_field("interconnect", fmt.GIGA),
    "price": _price_field(),
    "reserve": Field(read=lambda scenario: fmt.decimal(scenario.reserve * fmt.PERCENT), write=_reserve),
    "batch-slider": _stepped_field("batch", BATCH_STEPS),
    "batch": _typed_field("batch", str),
    "context-slider": _stepped_field("context", CONTEXT_STEPS),
    "context": _typed_field("context", fmt.tokens),
    "experts": _weights_field("experts"),
    "linear": _weights_field("linear"),
    "head": _weights_field("head"),
    "kv": _plain_field("kv"),
    "cap-slider": _plain_field("cap"),
    "cap": _typed_field("cap", str),
    "profile": _plain_field("profile"),
    "kv-read": _plain_field("kv_read"),
}


def with_line(scenario: Scenario, index: int, **changes: object) -> Scenario:
    """Return the scenario with one drafter changed."""
    lines = list(scenario.drafters)
    lines[index] = replace(lines[index], **changes)
    return replace(scenario, drafters=tuple(lines))


def default_line(kind: str) -> Drafter:
    """Return a drafter of a kind with the kind's defaults."""
    return query.decode(urlencode([("drafter", kind)])).scenario.drafters[0]


def with_kind(scenario: Scenario, index: int, kind: str) -> Scenario:
    """Return the scenario with another kind of drafter, at that kind's defaults; colour and own name stay."""
    old = scenario.drafters[index]
    lines = list(scenario.drafters)
    lines[index] = replace(default_line(kind), name=old.name, colour=old.colour)
    return replace(scenario, drafters=tuple(lines))


def added_line(scenario: Scenario) -> Scenario:
    """Return the scenario with one drafter more, of the first kind that is not there yet; at most five."""
    if len(scenario.drafters) >= MOST_DRAFTERS:
        return scenario
    present = {line.kind for line in scenario.drafters}
    kind = next((kind for kind in ("eagle3", "ngram", "draft", "mtp", "block") if kind not in present), "mtp")
    return replace(scenario, drafters=(*scenario.drafters, default_line(kind)))


def removed_line(scenario: Scenario, index: int) -> Scenario:
    """Return the scenario without one drafter; the last one stays."""
    lines = scenario.drafters[:index] + scenario.drafters[index + 1 :]
    return replace(scenario, drafters=lines) if lines else scenario


def with_model(scenario: Scenario, model: str) -> Scenario:
    """Return the scenario with a model of the registry."""
    return replace(scenario, model=model, config="")


def with_config(scenario: Scenario, text: str) -> Scenario:
    """Return the scenario with the model of a config.json.

    Raises:
        ValueError: When the text is not JSON; whether it describes a model shows when it is evaluated.
    """
    return replace(scenario, model="custom", config=query.minified(text))


def with_form(scenario: Scenario, index: int, form: Form, tokens_per_round: Sequence[float]) -> Scenario:
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
    survival = [float(after - before) for before, after in pairwise(tokens_per_round[: known + 1])]
    choice: AcceptanceChoice
    if form == "length":
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
    form = form_of(scenario.drafters[index].acceptance)
    return with_line(scenario, index, acceptance=read_acceptance(form, text))


def _write_block(scenario: Scenario, index: int, text: str) -> Scenario:
    return with_line(scenario, index, block=_decoded("drafter", f"block,block={text.strip()}", text).drafters[0].block)


def _write_cost(scenario: Scenario, index: int, text: str) -> Scenario:
    value = fmt.decimal(share(text))
    return with_line(scenario, index, cost=_decoded("drafter", f"mtp,cost={value}", text).drafters[0].cost)


def _write_name(scenario: Scenario, index: int, text: str) -> Scenario:
    value = quote(text.strip(), safe="")
    return with_line(scenario, index, name=_decoded("drafter", f"mtp,name={value}", text).drafters[0].name)


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
