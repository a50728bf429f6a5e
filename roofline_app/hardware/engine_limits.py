"""What a serving engine does by itself up to some size only: tokens of a pass, and passes replayed as CUDA graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from roofline_app.specs import GpuSpec
from roofline_app.specs.checks import require

# From this many GPUs that share a model, engines capture larger batches.
WIDE_GPUS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineLimits:
    """An engine's defaults, by accelerator; beyond them it has to be told.

    Attributes:
        token_budgets: Tokens of one pass: rows of least memory of an accelerator in bytes and tokens, largest memory
            first; empty where decoding has no such bound.
        token_budget_of: The same for accelerators that go by another rule, by id.
        graph_batches: Largest batch whose decoding passes are captured: rows of least memory, batch, and batch where
            `WIDE_GPUS` share the model; empty where tokens bound it.
        graph_tokens: Most tokens of a captured pass; 0 where the batch bounds it.
        graph_tokens_of: The same for families of accelerators that go by another rule.
        graph_only: Batches that alone are captured from the first of them on; empty where those between are padded.
    """

    token_budgets: Sequence[Sequence[int]] = ()
    token_budget_of: Mapping[str, int] = field(default_factory=dict)
    graph_batches: Sequence[Sequence[int]] = ()
    graph_tokens: int = 0
    graph_tokens_of: Mapping[str, int] = field(default_factory=dict)
    graph_only: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows that do not cover every accelerator, and a bound of both kinds."""
        for name, length in (("token_budgets", 2), ("graph_batches", 3)):
            rows = getattr(self, name)
            memories = [row[0] for row in rows]
            falls = memories == sorted(memories, reverse=True) and all(len(row) == length for row in rows)
            require(falls and (not rows or memories[-1] == 0), name, f"must be rows of {length} down to memory 0")
        require(bool(self.graph_batches) != bool(self.graph_tokens), "graph_tokens", "or graph_batches, one of them")

    def token_budget(self, gpu: GpuSpec) -> int | None:
        """Return the tokens of one pass on an accelerator; None where decoding has no such bound."""
        if gpu.id in self.token_budget_of:
            return self.token_budget_of[gpu.id]
        return next((tokens for least, tokens in self.token_budgets if gpu.memory_bytes >= least), None)

    def captures(self, batch: int, gpu: GpuSpec, gpus: int) -> bool:
        """Return whether the decoding passes of a batch are captured, as far as the batch decides it.

        Args:
            batch: Sequences.
            gpu: The accelerator.
            gpus: How many share the model.
        """
        found = (row for row in self.graph_batches if gpu.memory_bytes >= row[0])
        most = next((wide if gpus >= WIDE_GPUS else narrow for _, narrow, wide in found), batch)
        return batch <= most and (not self.graph_only or batch < self.graph_only[0] or batch in self.graph_only)

    def graph_tokens_on(self, gpu: GpuSpec) -> int | None:
        """Return the most tokens of a captured pass; None where the batch bounds it."""
        return self.graph_tokens_of.get(gpu.family, self.graph_tokens) or None
