"""Seconds of a prompt's prefill.

Facts: engines cut a prompt into chunks, each a pass over the chunk's tokens with what came before them in the cache.
Derived: a chunk is a pass as any other, with many query tokens of one sequence. Assumed: chunks of 8,192 tokens, the
usual limit of a pass; a prefill pass stalls everybody's decoding, as it does where the profiles' share of the peak in
prefill is fitted; where each group of GPUs has sequences of its own, the groups prefill prompts side by side.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from roofline_app.model.terms import Transformer
from roofline_app.timing.pass_time import KvRead, pass_time
from roofline_app.timing.profiles import Calibration
from roofline_app.timing.roofline import Roof
from roofline_app.timing.workload import INDEPENDENT, Routing, pass_tokens, work

CHUNK_TOKENS = 8192


def prefill_constants(constants: Calibration) -> Calibration:
    """Return the constants of prefill passes: their own share of the peak, and grouped matmuls with full groups."""
    return replace(constants, matmul_peak=constants.prefill_peak, grouped_matmul=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefill:
    """Prompts on a node.

    Attributes:
        transformer: The model's terms, sharded over the node.
        roof: What the node can do.
        constants: The profile's, of decoding.
        kv_read: As in `pass_time`.
        routing: How tokens choose experts.

    Examples:
        A matmul of 4e12 parameters on 1,000 tokens is 8e15 FLOPs:

        >>> from roofline_app.model.terms import Layer, Projection
        >>> from roofline_app.timing.profiles import IDEAL_CONSTANTS
        >>> roof = Roof(memory_bytes_per_second=8e12, flops_per_second={"bf16": 2e15})
        >>> matrix = Projection(parameters=4e12, bytes_per_parameter=2.0, format="bf16")
        >>> model = Transformer(layers=(Layer(count=1, projections=(matrix,)),))
        >>> Prefill(transformer=model, roof=roof, constants=IDEAL_CONSTANTS).seconds(1000)
        4.0
    """

    transformer: Transformer
    roof: Roof
    constants: Calibration
    kv_read: KvRead = "overlap"
    routing: Routing = INDEPENDENT

    def seconds(self, prompt_tokens: int, concurrency: int = 1) -> float:
        """Return the seconds by which one prompt delays the node.

        Args:
            prompt_tokens: Tokens of the prompt, at least 1.
            concurrency: Requests in flight; groups of GPUs with sequences of their own take so many prompts at once at
                most.

        Returns:
            Of all chunks, divided by the prompts that are taken at once.
        """
        layers = self.transformer.layers
        prompts = min(max((layer.sequence_groups for layer in layers), default=1), concurrency)
        starts = np.arange(0, prompt_tokens, CHUNK_TOKENS, dtype=np.float64)
        chunk = np.minimum(CHUNK_TOKENS, prompt_tokens - starts)
        tokens = pass_tokens(batch=prompts, query_tokens=chunk, context_tokens=starts + chunk / 2, routing=self.routing)
        constants = prefill_constants(self.constants)
        parts = work(replace(self.transformer, head=()), tokens)
        seconds = pass_time(parts, self.roof, constants, kv_read=self.kv_read).seconds
        # Only a prompt's last token is followed by another.
        last = pass_tokens(batch=prompts, query_tokens=1, context_tokens=0)
        head = work(Transformer(layers=(), head=self.transformer.head), last)
        further = pass_time(head, self.roof, replace(constants, seconds_per_pass=0.0)).seconds
        return (float(np.sum(np.broadcast_to(seconds, starts.shape))) + float(further)) / prompts
