"""The controls: one state, and for each control how it reads a scenario and makes the next one.

No widget is known here; the controls of drafter lines stand in `lines`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import param

from roofline_app import format as fmt, query, registry
from roofline_app.model.config_json import one_config
from roofline_app.page.forms.typed_text import NotUnderstoodError, number, plain_digits, typed_value, within
from roofline_app.query.decoding import HARDWARE, NUMBERS
from roofline_app.scenario import Scenario

BATCH_STEPS = tuple(sorted({2**power for power in range(13)} | {3 * 2**power for power in range(11)}))
CONTEXT_STEPS = tuple(sorted({2**power for power in range(7, 21)} | {3 * 2**power for power in range(6, 19)}))


class Controls(param.Parameterized):  # type: ignore[misc]  # param has no types
    """The page's whole state: the setting, and how it is looked at."""

    scenario = param.ClassSelector(class_=Scenario, default=Scenario(), doc="Everything that changes a number.")
    theme = param.Selector(objects=["light", "dark"], doc="Colours.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One control: a scenario's value for it, and the scenario after another value is chosen."""

    read: Callable[[Scenario], Any]
    write: Callable[[Scenario, Any], Scenario]


def nearest_step(steps: tuple[int, ...], value: int) -> int:
    """Return the index of the step nearest to a positive value on a log scale."""
    index = bisect_left(steps, value)
    if index in {0, len(steps)}:
        return min(index, len(steps) - 1)
    below, above = steps[index - 1], steps[index]
    return index - 1 if value / below < above / value else index


def _typed_field(key: str, show: Callable[[int], str]) -> Field:
    return Field(
        read=lambda scenario: show(getattr(scenario, key)),
        write=lambda scenario, text: replace(scenario, **{key: typed_value(key, text)}),
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
        value = within(number(text), HARDWARE[f"gpu.{key}"], text, scale) if text.strip() else None
        kept = None if value == _gpu_figure(scenario, key) else value
        return replace(scenario, hardware=replace(scenario.hardware, **{key: kept}))

    return Field(read=read, write=write)


def _price_field() -> Field:
    def read(scenario: Scenario) -> str:
        price = registry.gpu(scenario.gpu).price_usd_per_hour if scenario.price is None else scenario.price
        return "" if price is None else fmt.decimal(price)

    def write(scenario: Scenario, text: str) -> Scenario:
        price = within(number(text), NUMBERS["price"], text) if text.strip() else None
        kept = None if price == registry.gpu(scenario.gpu).price_usd_per_hour else price
        return replace(scenario, price=kept)

    return Field(read=read, write=write)


def _reserve(scenario: Scenario, text: str) -> Scenario:
    value = number(plain_digits(text).strip().removesuffix("%")) / fmt.PERCENT
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


def with_model(scenario: Scenario, model: str) -> Scenario:
    """Return the scenario with a model of the registry."""
    return replace(scenario, model=model, config="")


def with_config(scenario: Scenario, text: str) -> Scenario:
    """Return the scenario with the model of a config.json, and of the hf_quant_config.json that may follow it.

    A companion alone belongs to the config that the scenario has.

    Raises:
        ValueError: When the text is not JSON; whether it describes a model shows when it is evaluated.
    """
    return replace(scenario, model="custom", config=query.minified(one_config([text], before=scenario.config)))
