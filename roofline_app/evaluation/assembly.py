"""A scenario in, everything that follows from it out: `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from roofline_app import economics
from roofline_app.evaluation.drafters import drafter_results, rates_by_batch
from roofline_app.evaluation.end_to_end import end_to_end, request_scenario
from roofline_app.evaluation.memory import memory
from roofline_app.evaluation.passes import BATCHES, pass_at, pass_grid
from roofline_app.model import to_terms
from roofline_app.model.dimensions import ModelSpec, Moe
from roofline_app.resolved import ResolvedScenario, resolve
from roofline_app.results import (
    BestByBatch,
    DrafterResult,
    Economics,
    Evaluation,
    ModelFacts,
    NodeFacts,
    Pass,
    ProfileFacts,
    Uncertainty,
    best_drafter,
)
from roofline_app.scenario import Scenario
from roofline_app.timing.evidence import QUANTITIES, band


def _experts(model: ModelSpec) -> tuple[int, int]:
    """Return routed experts and experts per token of the model's MoE layers; zeros for a dense model."""
    blocks = [layer.feed_forward for layer in model.dimensions.layers]
    return next(((block.experts, block.experts_per_token) for block in blocks if isinstance(block, Moe)), (0, 0))


def _model_facts(resolved: ResolvedScenario) -> ModelFacts:
    model, terms = resolved.model, resolved.terms
    experts, experts_per_token = _experts(model)
    return ModelFacts(
        id=resolved.scenario.model,
        name=model.name,
        parameters=to_terms.total_parameters(model),
        active_parameters=to_terms.active_parameters(model),
        parameters_by_category=to_terms.parameters_by_category(model),
        weight_bytes=to_terms.weight_bytes(terms),
        kv_bytes_per_token=to_terms.kv_bytes_per_token(terms),
        window_bytes_per_sequence=to_terms.window_bytes_per_sequence(terms),
        state_bytes_per_sequence=to_terms.state_bytes_per_sequence(terms),
        max_context_tokens=model.max_context_tokens,
        experts=experts,
        experts_per_token=experts_per_token,
        assumptions=model.assumptions,
    )


def _node_facts(resolved: ResolvedScenario) -> NodeFacts:
    node = resolved.node
    return NodeFacts(
        id=node.gpu.id,
        name=node.gpu.name,
        gpus=node.gpus,
        usual_gpus=node.gpu.gpus_per_node,
        host_gpus=node.gpu.gpus_per_host,
        interconnect_bytes_per_second=node.gpu.interconnect_bytes_per_second,
        network=node.network.name if node.network else "",
        network_bytes_per_second=node.network.bytes_per_second if node.network else 0.0,
        network_latency_seconds=node.network.latency_seconds if node.network else 0.0,
        memory_bytes=node.memory_bytes,
        memory_bytes_per_second=node.memory_bytes_per_second,
        flops_per_second={key: value * node.gpus for key, value in node.gpu.dense_flops_per_second.items()},
        second_hand=node.gpu.second_hand,
    )


def _profile_facts(resolved: ResolvedScenario) -> ProfileFacts:
    profile = resolved.profile
    return ProfileFacts(
        id=profile.id,
        name=profile.name,
        description=profile.description,
        layout=resolved.layout.value,
        evidence=resolved.evidence,
    )


def _own_worst(resolved: ResolvedScenario) -> float:
    """Return how far the farthest measured speedup of this very model was from its prediction."""
    errors = resolved.profile.errors if resolved.evidence else ()
    same = (error for error in errors if (error.model, error.quantity) == (resolved.model.id, "speedup"))
    return max((error.unseen_worst for error in same), default=0.0)


def _uncertainty(resolved: ResolvedScenario) -> Uncertainty | None:
    if not resolved.profile.is_calibrated:
        return None
    own_worst = {"step": 0.0, "speedup": _own_worst(resolved)}
    bands = {
        quantity: band(
            quantity, resolved.evidence, resolved.pooled_evidence, resolved.terms, own_worst=own_worst[quantity]
        )
        for quantity in QUANTITIES
    }
    return Uncertainty(**bands)


def _economics(resolved: ResolvedScenario, step: Pass, drafters: Sequence[DrafterResult]) -> Economics:
    scenario, price = resolved.scenario, resolved.usd_per_gpu_hour
    lines = [("", 1.0 / step.seconds, scenario.gpus)]
    for drafter in drafters:
        length = drafter.best.draft_tokens
        gpus = economics.gpus_in_use(drafter, scenario.gpus, length)
        lines.append((drafter.name, float(drafter.tokens_per_second_per_user[length]), gpus))
    power = resolved.node.gpu.power_watts
    without, *others = (
        economics.with_energy(
            economics.rates(
                name, tokens_per_second_per_user=speed, batch=scenario.batch, gpus=gpus, usd_per_gpu_hour=price
            ),
            power,
            gpus=gpus,
            usd_per_kwh=scenario.electricity,
        )
        for name, speed, gpus in lines
    )
    return Economics(usd_per_gpu_hour=price, price_date=resolved.price_date, without=without, drafters=tuple(others))


def evaluate(scenario: Scenario) -> Evaluation:
    """Return everything that follows from a scenario.

    Args:
        scenario: The choices; `resolve` looks their ids up.

    Returns:
        Curves over draft length and batch, breakdowns, memory and rates. Seconds and bytes are of the node.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.

    Examples:
        >>> evaluation = evaluate(Scenario(model="deepseek-v4-pro", gpu="b200", gpus=8, batch=32, context=4096))
        >>> [(drafter.name, drafter.best.draft_tokens) for drafter in evaluation.drafters]
        [('Ideal', 16), ('MTP', 6), ('Block', 16)]
    """
    decoding = _decoding(scenario)
    requests = request_scenario(scenario)
    if requests is None:
        return decoding
    same = requests == replace(scenario, prompt=None, output=None, requests=None)
    return replace(decoding, end_to_end=end_to_end(scenario, decoding if same else _decoding(requests)))


def _decoding(scenario: Scenario) -> Evaluation:
    """Return everything that follows from a scenario but what concerns whole requests."""
    resolved = resolve(scenario)
    grid = pass_grid(resolved)
    pairs = [drafter_results(drafter, resolved, grid) for drafter in resolved.drafters]
    drafters = tuple(result for result, _ in pairs)
    step = pass_at(grid, 0)
    rates = _economics(resolved, step, drafters)
    best = best_drafter(drafters)
    return Evaluation(
        scenario=scenario,
        model=_model_facts(resolved),
        node=_node_facts(resolved),
        profile=_profile_facts(resolved),
        uncertainty=_uncertainty(resolved),
        layout=resolved.layout_facts,
        memory=memory(resolved),
        step=step,
        verify_one=pass_at(grid, 1),
        drafters=drafters,
        best_by_batch=BestByBatch(
            batch=BATCHES,
            without=rates_by_batch(np.ones(BATCHES.size), grid, resolved),
            drafters=tuple(by_batch for _, by_batch in pairs),
        ),
        economics=rates,
        payoff=economics.payoff(best, rates, scenario, step.seconds),
        learning=economics.learning(best, rates, scenario, step.seconds),
    )
