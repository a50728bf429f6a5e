"""Sensitivity: how far each assumption moves best draft length and speedup, and the gain of improvements.

An assumption is taken 20 % lower and 20 % higher, the others staying. What only scales tokens per round or the parts of
a round follows from the evaluation that there is; hardware, batch, context and launch times need evaluations of their
own, which `settings` names, so that a page can compute them one at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import registry
from roofline_app.results import DrafterResult, Evaluation
from roofline_app.scenario import Hardware, Scenario, with_pinned
from roofline_app.specs import Node
from roofline_app.speculation import speedup

Floats = NDArray[np.float64]
SPREAD = 0.2
# The article's argument: a faster kernel against a better drafter.
FASTER_KERNELS = 0.03
BETTER_DRAFTER = (0.05, 0.2)
FUSED = "fused"
_SIGNS = {"low": 1.0 - SPREAD, "high": 1.0 + SPREAD}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitivity:
    """What follows when one assumption is changed downwards and upwards.

    Attributes:
        key: Which assumption or improvement.
        improvement: Whether both ends are improvements, held against plain decoding as it is today.
        low: Speedups at draft lengths 0..cap, shape (cap + 1,).
        high: The same with the assumption changed upwards; for an improvement, with more of it.
    """

    key: str
    improvement: bool
    low: Floats
    high: Floats

    @property
    def low_draft_tokens(self) -> int:
        """Best draft length of `low`."""
        return int(speedup.best_draft_tokens(self.low))

    @property
    def high_draft_tokens(self) -> int:
        """Best draft length of `high`."""
        return int(speedup.best_draft_tokens(self.high))

    @property
    def ends(self) -> tuple[float, float]:
        """Best speedups of `low` and `high`."""
        return float(np.max(self.low)), float(np.max(self.high))

    @property
    def reach(self) -> float:
        """How far apart the best speedups are."""
        low, high = self.ends
        return abs(high - low)


def alone(scenario: Scenario, line: int) -> Scenario:
    """Return a scenario with one drafter line, compared with nothing."""
    decoding = replace(scenario, prompt=None, output=None, requests=None)
    return replace(with_pinned(decoding), drafters=(scenario.drafters[line],))


def settings(scenario: Scenario, *, calibrated: bool) -> Mapping[str, Scenario]:
    """Return the scenarios that have to be evaluated, by `assumption-low`, `assumption-high` or `fused`.

    Args:
        scenario: With the one drafter that matters.
        calibrated: Whether its profile counts launches and messages.
    """
    found = dict[str, Scenario]()
    for end, factor in _SIGNS.items():
        found[f"bandwidth-{end}"] = _with_hardware(scenario, ("bandwidth",), factor)
        found[f"arithmetic-{end}"] = _with_hardware(scenario, ("bf16", "fp8", "fp4", "int8"), factor)
        found[f"batch-{end}"] = replace(scenario, batch=max(1, round(scenario.batch * factor)))
        found[f"context-{end}"] = replace(scenario, context=max(1, round(scenario.context * factor)))
        if calibrated and _has_link(scenario):
            found[f"interconnect-{end}"] = _with_hardware(scenario, ("interconnect",), factor)
    if calibrated:
        found[FUSED] = replace(scenario, kernels="fused")
    return found


def _has_link(scenario: Scenario) -> bool:
    """Return whether one link joins all GPUs: a network between hosts has a latency as well, which no key scales."""
    stated = scenario.hardware.interconnect is not None
    node = Node(gpu=registry.gpu(scenario.gpu), gpus=scenario.gpus)
    return scenario.gpus > 1 and (stated or node.network is None)


def _with_hardware(scenario: Scenario, names: tuple[str, ...], factor: float) -> Scenario:
    """Return the scenario with figures of its GPU scaled; those that the GPU does not have stay away."""
    gpu = registry.gpu(scenario.gpu)
    stated = {
        **gpu.dense_flops_per_second,
        "bandwidth": gpu.memory_bytes_per_second,
        "interconnect": gpu.interconnect_bytes_per_second,
    }
    chosen = {field.name: getattr(scenario.hardware, field.name) for field in fields(Hardware)}
    known = {name: stated.get(name) if chosen[name] is None else chosen[name] for name in names}
    scaled = {name: value * factor for name, value in known.items() if value is not None}
    return replace(scenario, hardware=replace(scenario.hardware, **scaled))


def _speedups(result: DrafterResult, step: float, *, tokens: Floats | None = None, **seconds: Floats) -> Floats:
    return speedup.speedup(
        result.tokens_per_round if tokens is None else tokens,
        step_seconds=np.asarray(step),
        verifying_seconds=seconds.get("verifying", result.verifying_seconds),
        drafting_seconds=seconds.get("drafting", result.drafting_seconds),
    )


def _tokens(result: DrafterResult, tokens: Floats) -> Floats:
    """Return tokens per round as far as a round can commit them; an empty draft commits one."""
    most = result.draft_tokens + 1.0
    return np.where(result.draft_tokens > 0, np.clip(tokens, 1.0, most), 1.0)


def _scaled(evaluation: Evaluation, result: DrafterResult) -> list[Sensitivity]:
    """Return the assumptions that only scale what the evaluation holds."""
    step, low, high = evaluation.step.seconds, *_SIGNS.values()
    more = result.tokens_per_round - 1.0
    further = result.verifying_seconds - step
    pairs = {
        "accepted": [_speedups(result, step, tokens=_tokens(result, 1.0 + more * by)) for by in (low, high)],
        "drafting": [_speedups(result, step, drafting=result.drafting_seconds * by) for by in (low, high)],
        "verifying": [_speedups(result, step, verifying=step + further * by) for by in (low, high)],
    }
    return [Sensitivity(key=key, improvement=False, low=ends[0], high=ends[1]) for key, ends in pairs.items()]


def _launches(evaluation: Evaluation, result: DrafterResult, fused: Evaluation) -> Sensitivity:
    """Return launch times changed: seconds are linear in them."""
    other = fused.drafters[0]
    ends = []
    for factor in _SIGNS.values():
        share = factor - 1.0
        step = evaluation.step.seconds + share * (evaluation.step.seconds - fused.step.seconds)
        verifying = result.verifying_seconds + share * (result.verifying_seconds - other.verifying_seconds)
        drafting = result.drafting_seconds + share * (result.drafting_seconds - other.drafting_seconds)
        ends.append(_speedups(result, step, verifying=verifying, drafting=drafting))
    return Sensitivity(key="launches", improvement=False, low=ends[0], high=ends[1])


def _improvements(evaluation: Evaluation, result: DrafterResult, fused: Evaluation | None) -> list[Sensitivity]:
    """Return the gains of faster kernels, a better drafter and one more token per round, over plain decoding today."""
    step, tokens = evaluation.step.seconds, result.tokens_per_round
    faster = result.speedup / (1.0 - FASTER_KERNELS)
    better = [_speedups(result, step, tokens=_tokens(result, tokens * (1.0 + by))) for by in BETTER_DRAFTER]
    longer = _speedups(result, step, tokens=_tokens(result, tokens + 1.0))
    found = {"kernels": (faster, faster), "drafter": (better[0], better[1]), "token": (longer, longer)}
    if fused:
        none = fused.drafters[0].speedup * (step / fused.step.seconds)
        found["megakernel"] = (none, none)
    return [Sensitivity(key=key, improvement=True, low=low, high=high) for key, (low, high) in found.items()]


def sensitivities(
    evaluation: Evaluation, result: DrafterResult, further: Mapping[str, Evaluation]
) -> tuple[Sensitivity, ...]:
    """Return assumptions, those that move the best speedup most first, then improvements.

    Args:
        evaluation: Of the setting.
        result: Its drafter that matters.
        further: Evaluations of `settings`, as far as they are there; an assumption waits until it has both.
    """
    found = _scaled(evaluation, result)
    for name, low in further.items():
        key, _, end = name.rpartition("-")
        high = further.get(f"{key}-high")
        if end == "low" and high:
            ends = (low.drafters[0].speedup, high.drafters[0].speedup)
            found.append(Sensitivity(key=key, improvement=False, low=ends[0], high=ends[1]))
    fused = further.get(FUSED)
    if fused:
        found.append(_launches(evaluation, result, fused))
    found.sort(key=lambda one: one.reach, reverse=True)
    return (*found, *_improvements(evaluation, result, fused))


def band(found: tuple[Sensitivity, ...]) -> tuple[Floats, Floats]:
    """Return the lowest and the highest speedup that any one assumption leads to, at draft lengths 0..cap."""
    curves = [curve for one in found if not one.improvement for curve in (one.low, one.high)]
    return np.min(curves, axis=0), np.max(curves, axis=0)
