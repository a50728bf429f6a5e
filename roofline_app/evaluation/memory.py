"""Memory of a scenario, and the number of sequences that fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofline_app.hardware import capacity
from roofline_app.hardware.parallelism import Layout
from roofline_app.model import to_terms
from roofline_app.resolved import ResolvedScenario, sharded_terms
from roofline_app.results import Memory, MemoryParts
from roofline_app.speculation.drafting import DraftTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class DrafterMemory:
    """Memory that a drafter takes.

    Attributes:
        name: Of the drafter; empty where there is none.
        weight_bytes: Its own weights, a shared head left out.
        bytes_per_sequence: Its caches and states of one sequence at the setting's context.
    """

    name: str = ""
    weight_bytes: float = 0.0
    bytes_per_sequence: float = 0.0

    def bytes_of(self, sequences: int) -> float:
        """Return the bytes of a number of sequences, weights included."""
        return self.weight_bytes + sequences * self.bytes_per_sequence


def drafter_memory(
    terms: DraftTerms, context_tokens: int, layout: Layout = Layout.EVEN, gpus: int = 1
) -> DrafterMemory:
    """Return the memory of a drafter on a node, copies of its caches included.

    Args:
        terms: The drafter.
        context_tokens: Tokens in each sequence's cache.
        layout: How the GPUs share it.
        gpus: GPUs of the node.
    """
    body = sharded_terms(terms.body, layout, gpus)
    kept = capacity.cache_bytes_per_sequence(body, context_tokens) + to_terms.state_bytes_per_sequence(body)
    return DrafterMemory(weight_bytes=terms.weight_bytes, bytes_per_sequence=terms.chained * kept)


def _drafters(resolved: ResolvedScenario) -> tuple[DrafterMemory, ...]:
    """Return the memory of each drafter on the target's GPUs, also of those whose cost is a share of a step."""
    chosen = [drafter.chosen for drafter in resolved.drafters if drafter.line.placement == "same" and drafter.chosen]
    context, gpus = resolved.scenario.context, resolved.node.gpus
    return tuple(replace(drafter_memory(one.terms, context, resolved.layout, gpus), name=one.name) for one in chosen)


def memory(resolved: ResolvedScenario) -> Memory:
    """Return the memory in use, and its parts; copies that the layout keeps on several GPUs all count."""
    scenario, terms, available = resolved.scenario, resolved.sharded, resolved.node.memory_bytes
    kept = capacity.cache_bytes_per_sequence(terms, scenario.context)
    state = to_terms.state_bytes_per_sequence(terms) + to_terms.buffer_bytes_per_sequence(terms)
    groups = resolved.node.gpus if resolved.layout.splits_sequences else 1
    stored = capacity.stored_sequences(scenario.batch, groups)
    drafters = _drafters(resolved) or (DrafterMemory(),)
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
