"""`evaluate`: a scenario in, everything that follows from it out.

One grid of passes serves all of it: the current batch and thirteen others, times every draft length up to the cap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from roofline_app import economics, query, registry, verdict
from roofline_app.hardware import capacity
from roofline_app.layout_facts import layout_facts
from roofline_app.model import to_terms
from roofline_app.model.dimensions import ModelSpec, Moe
from roofline_app.resolved import ResolvedScenario, resolve
from roofline_app.results import (
    Best,
    BestByBatch,
    Bound,
    Component,
    DrafterByBatch,
    DrafterResult,
    Economics,
    Evaluation,
    Integers,
    Memory,
    MemoryParts,
    ModelFacts,
    NodeFacts,
    Pass,
    ProfileFacts,
    RatesByBatch,
)
from roofline_app.scenario import Drafter, Scenario
from roofline_app.speculation import speedup
from roofline_app.speculation.drafters import (
    DrafterMemory,
    Rounds,
    chosen_drafter,
    drafters_in_memory,
    drafting_cost,
    facts,
    line_acceptance,
)
from roofline_app.timing.calibrated import (
    HOST,
    LAUNCHES,
    MESSAGES,
    calibrated_pass_time,
    round_seconds,
    with_host_seconds,
)
from roofline_app.timing.roofline import PassTime
from roofline_app.timing.workload import INDEPENDENT, experts_touched, pass_tokens, work

Floats = NDArray[np.float64]
GRID_AXES = 2
BATCHES = 2 ** np.arange(13, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Grid:
    """Passes over batches (the current one first) and query tokens 1..cap + 1.

    Attributes:
        time: Seconds, in total and by component; broadcastable to (batches, cap + 1).
        seconds: Seconds of each pass, shape (batches, cap + 1).
        step_seconds: Seconds of plain decoding, shape (batches, 1).
        touched: Expected distinct experts, shape (batches, cap + 1).
        touched_independent: The same if tokens chose independently.
        batch: The batches, shape (batches, 1).
    """

    time: PassTime
    seconds: Floats
    step_seconds: Floats
    touched: Floats
    touched_independent: Floats
    batch: Floats


def _grid(scenario: Scenario, setting: ResolvedScenario) -> _Grid:
    batch = np.concatenate(([scenario.batch], BATCHES))[:, np.newaxis]
    query_tokens = np.arange(1, scenario.cap + 2)
    tokens = pass_tokens(
        batch=batch, query_tokens=query_tokens, context_tokens=scenario.context, routing=setting.routing
    )
    constants = setting.profile.constants
    parts = work(setting.sharded, tokens)
    time = calibrated_pass_time(parts, setting.roof, constants, kv_read=scenario.kv_read)
    if constants:
        time = with_host_seconds(time, round_seconds(tokens, constants))
    seconds = np.broadcast_to(time.seconds, (batch.size, scenario.cap + 1))
    touched = experts_touched(setting.terms, tokens)
    alone = touched
    if setting.routing != INDEPENDENT:
        alone = experts_touched(setting.terms, replace(tokens, routed=tokens.total))
    return _Grid(
        time=time,
        seconds=seconds,
        step_seconds=seconds[:, :1],
        touched=touched,
        touched_independent=alone,
        batch=tokens.batch,
    )


def _at(values: Floats, column: int) -> float:
    """Return one pass of the current batch from an array that broadcasts to the grid."""
    row = values[0] if values.ndim == GRID_AXES else values
    return float(row[min(column, row.shape[0] - 1)] if row.ndim else row)


def _bound(component: str, memory_seconds: float, compute_seconds: float) -> Bound:
    if component in {LAUNCHES, HOST}:
        return "overhead"
    if component == MESSAGES:
        return "communication"
    return "memory" if memory_seconds >= compute_seconds else "compute"


def _pass(grid: _Grid, query_tokens: int) -> Pass:
    column = query_tokens - 1
    components = []
    for name, part in grid.time.components.items():
        seconds_of_memory, seconds_of_compute = _at(part.memory_seconds, column), _at(part.compute_seconds, column)
        components.append(
            Component(
                name=name,
                bytes=_at(part.bytes, column),
                flops=_at(part.flops, column),
                seconds=_at(part.seconds, column),
                bound=_bound(name, seconds_of_memory, seconds_of_compute),
                memory_seconds=seconds_of_memory,
                compute_seconds=seconds_of_compute,
            )
        )
    seconds = float(grid.seconds[0, column])
    return Pass(
        query_tokens=query_tokens,
        seconds=seconds,
        steps=seconds / float(grid.step_seconds[0, 0]),
        experts_touched=float(grid.touched[0, column]),
        experts_touched_independent=float(grid.touched_independent[0, column]),
        components=tuple(components),
    )


def drafter_names(drafters: Iterable[Drafter]) -> tuple[str, ...]:
    """Return each line's name, the kind's own where the reader gave none, made unique by a number."""
    kinds = registry.drafter_kinds()
    names = list[str]()
    for drafter in drafters:
        wanted = drafter.name or kinds[drafter.kind].name
        name, count = wanted, 1
        while name in names:
            count += 1
            name = f"{wanted} {count}"
        names.append(name)
    return tuple(names)


def _drafter(
    name: str, line: Drafter, scenario: Scenario, setting: ResolvedScenario, grid: _Grid
) -> tuple[DrafterResult, DrafterByBatch]:
    rounds = Rounds(batch=grid.batch, draft_tokens=np.arange(scenario.cap + 1), step_seconds=grid.step_seconds)
    commits, named = line_acceptance(line, scenario.cap, scenario.context), chosen_drafter(line, scenario)
    tokens = commits.tokens_per_round
    drafts = drafting_cost(line, named, rounds, tokens, scenario, setting)
    speedups = speedup.speedup(
        tokens, step_seconds=grid.step_seconds, verifying_seconds=grid.seconds, drafting_seconds=drafts.seconds
    )
    best = speedup.best_draft_tokens(speedups)
    chosen = int(best[0])
    step = float(grid.step_seconds[0, 0])
    rows = np.arange(1, BATCHES.size + 1)
    own_gpus = 0 if drafts.gpus is None else np.where(best > 0, drafts.gpus, 0)[1:]
    result = DrafterResult(
        name=name,
        kind=line.kind,
        colour=line.colour,
        measured_draft_tokens=commits.measured,
        draft_tokens=rounds.draft_tokens,
        tokens_per_round=tokens,
        verifying_seconds=grid.seconds[0],
        drafting_seconds=drafts.seconds[0],
        speedup=speedups[0],
        tokens_per_second_per_user=speedups[0] / step,
        best=Best(
            draft_tokens=chosen,
            speedup=float(speedups[0, chosen]),
            at_cap=chosen == scenario.cap,
            seconds_per_round=float(grid.seconds[0, chosen] + drafts.seconds[0, chosen]),
            tokens_per_round=float(tokens[chosen]),
            drafting_steps=float(drafts.seconds[0, chosen]) / step,
        ),
        verify=_pass(grid, chosen + 1),
        survival=commits.survival,
        measured=facts.measured_from(line),
        lossy=line.relax > 0.0,
        cost=line.cost,
        block=line.block,
        physical=facts.physical(line, named, drafts, step, chosen),
        separate=facts.separate(drafts, speedups, tokens, rounds=rounds, verifying_seconds=grid.seconds),
        mix=facts.mix(line, commits, speedups[0], chosen),
    )
    by_batch = DrafterByBatch(
        name=name,
        draft_tokens=best[1:],
        speedup=speedups[rows, best[1:]],
        speedup_at_this_draft_length=speedups[1:, chosen],
        rates=_rates_by_batch(speedups[rows, best[1:]], grid, setting, own_gpus=own_gpus),
    )
    return result, by_batch


def _rates_by_batch(
    speedups: Floats, grid: _Grid, setting: ResolvedScenario, *, own_gpus: Integers | int = 0
) -> RatesByBatch:
    """Return rates at each of `BATCHES` from the speedups there and the GPUs that only draft."""
    return economics.rates_by_batch(
        speedups / grid.step_seconds[1:, 0],
        batch=BATCHES,
        gpus=setting.node.gpus + own_gpus,
        usd_per_gpu_hour=setting.usd_per_gpu_hour,
    )


def _memory(scenario: Scenario, setting: ResolvedScenario) -> Memory:
    """Return what is kept in memory, what the layout keeps on several GPUs counted as often."""
    terms, available = setting.sharded, setting.node.memory_bytes
    kept = capacity.cache_bytes_per_sequence(terms, scenario.context)
    state = to_terms.state_bytes_per_sequence(terms) + to_terms.buffer_bytes_per_sequence(terms)
    groups = setting.node.gpus if setting.layout.splits_sequences else 1
    stored = capacity.stored_sequences(scenario.batch, groups)
    drafters = drafters_in_memory(scenario, setting.layout) or (DrafterMemory(),)
    largest = max(drafters, key=lambda drafter: drafter.bytes_of(stored))
    parts = MemoryParts(
        weights=to_terms.weight_bytes(terms),
        kv=stored * kept,
        state=stored * state,
        drafter=largest.bytes_of(stored),
        reserve=scenario.reserve * available,
    )
    needed = parts.weights + parts.kv + parts.state + parts.drafter + parts.reserve
    free = available - parts.weights - parts.reserve
    return Memory(
        needed_bytes=needed,
        capacity_bytes=available,
        fits=needed <= available,
        largest_batch=min(
            capacity.largest_batch(
                free - drafter.weight_bytes, kept + state + drafter.bytes_per_sequence, groups=groups
            )
            for drafter in drafters
        ),
        parts=parts,
        drafter=largest.name,
    )


def _routing(model: ModelSpec) -> tuple[int, int]:
    """Return routed experts and experts per token of the model's MoE layers; zeros for a dense model."""
    blocks = [layer.feed_forward for layer in model.dimensions.layers]
    return next(((block.experts, block.experts_per_token) for block in blocks if isinstance(block, Moe)), (0, 0))


def _model_facts(scenario: Scenario, setting: ResolvedScenario) -> ModelFacts:
    model, terms = setting.model, setting.terms
    experts, experts_per_token = _routing(model)
    return ModelFacts(
        id=scenario.model,
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
    )


def _node_facts(setting: ResolvedScenario) -> NodeFacts:
    node = setting.node
    return NodeFacts(
        id=node.gpu.id,
        name=node.gpu.name,
        gpus=node.gpus,
        usual_gpus=node.gpu.gpus_per_node,
        interconnect_bytes_per_second=node.gpu.interconnect_bytes_per_second,
        memory_bytes=node.memory_bytes,
        memory_bytes_per_second=node.memory_bytes_per_second,
        flops_per_second={key: value * node.gpus for key, value in node.gpu.dense_flops_per_second.items()},
    )


def _profile_facts(setting: ResolvedScenario) -> ProfileFacts:
    profile = setting.profile
    return ProfileFacts(id=profile.id, name=profile.name, description=profile.description, layout=setting.layout.value)


def _economics(
    scenario: Scenario, setting: ResolvedScenario, step: Pass, drafters: Sequence[DrafterResult]
) -> Economics:
    price = setting.usd_per_gpu_hour
    lines = [("", 1.0 / step.seconds, scenario.gpus)]
    for drafter in drafters:
        length = drafter.best.draft_tokens
        gpus = economics.gpus_in_use(drafter, scenario.gpus, length)
        lines.append((drafter.name, float(drafter.tokens_per_second_per_user[length]), gpus))
    without, *others = (
        economics.rates(name, tokens_per_second_per_user=speed, batch=scenario.batch, gpus=gpus, usd_per_gpu_hour=price)
        for name, speed, gpus in lines
    )
    return Economics(usd_per_gpu_hour=price, price_date=setting.price_date, without=without, drafters=tuple(others))


def evaluate(scenario: Scenario, *, notices: Iterable[str] = (), language: str = "en") -> Evaluation:
    """Return everything that follows from a scenario.

    Args:
        scenario: A complete setting; its ids are looked up in the registry here and nowhere else.
        notices: Sentences about the input that the evaluation should carry on.
        language: Of the texts; never changes a number.

    Returns:
        Curves over draft length and batch, breakdowns, memory, rates and texts. Seconds and bytes are of the node.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.
    """
    setting = resolve(scenario)
    grid = _grid(scenario, setting)
    names = drafter_names(scenario.drafters)
    pairs = [_drafter(name, line, scenario, setting, grid) for name, line in zip(names, scenario.drafters, strict=True)]
    drafters = tuple(result for result, _ in pairs)
    step = _pass(grid, 1)
    evaluation = Evaluation(
        query=query.encode(scenario),
        notices=(),
        batch=scenario.batch,
        context=scenario.context,
        cap=scenario.cap,
        model=_model_facts(scenario, setting),
        node=_node_facts(setting),
        profile=_profile_facts(setting),
        layout=layout_facts(scenario, setting, language),
        memory=_memory(scenario, setting),
        step=step,
        verify_one=_pass(grid, 2),
        drafters=drafters,
        best_by_batch=BestByBatch(
            batch=BATCHES,
            without=_rates_by_batch(np.ones(BATCHES.size), grid, setting),
            drafters=tuple(by_batch for _, by_batch in pairs),
        ),
        economics=_economics(scenario, setting, step, drafters),
        payoff=None,
        headline="",
        verdict="",
    )
    said = verdict.say(evaluation, language)
    return replace(
        evaluation,
        notices=(*notices, *said.notices),
        payoff=economics.payoff(verdict.best_drafter(evaluation), evaluation.economics, scenario, step.seconds),
        headline=said.headline,
        verdict=said.verdict,
    )
