"""How figure 'memory' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.working import Say, Working, line
from roofline_app.results import Evaluation


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    memory, batch = evaluation.memory, evaluation.batch
    parts = memory.parts
    numbers = say(
        "memory_numbers",
        weights=fmt.bytes_(parts.weights),
        batch=fmt.count(batch),
        sequence=fmt.bytes_((parts.kv + parts.state) / batch),
        drafter=fmt.bytes_(parts.drafter) if parts.drafter else "0",
        reserve=fmt.bytes_(parts.reserve),
        needed=fmt.bytes_(memory.needed_bytes),
        capacity=fmt.bytes_(memory.capacity_bytes),
    )
    counted = [line(say("memory_drafter", drafter=memory.drafter))] if memory.drafter else []
    return [line(say("memory_formula")), line(numbers), *counted]
