"""One layer of a published estimator, built from the library's own terms.

Constants as the estimator states them: Fergus Finn, The economics of speculative decoding, 8 June 2026
(DeepSeek-V4 Flash on one B200, costs in byte-equivalents).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from roofline_app.model.terms import Cache, Experts, Layer, Projection, Transformer
from roofline_app.speculation.acceptance import constant_survival, tokens_per_round
from roofline_app.speculation.drafting import relative_drafting_seconds
from roofline_app.speculation.speedup import speedup
from roofline_app.timing.pass_time import pass_time
from roofline_app.timing.roofline import Roof
from roofline_app.timing.workload import pass_tokens, work

LAYER = Transformer(
    layers=(
        Layer(
            count=1,
            projections=(Projection(parameters=107e6, bytes_per_parameter=1.0, format="fp8"),),
            memory=(Cache(bytes_per_entry=576.0, flops_per_entry=2.0 * 69_632, format="bf16"),),
            feed_forward=(
                Experts(
                    experts=256,
                    experts_per_token=6,
                    parameters_per_expert=25.2e6,
                    bytes_per_parameter=0.53,
                    format="mxfp4",
                    always=(Projection(parameters=25.2e6, bytes_per_parameter=0.53, format="mxfp4"),),
                ),
            ),
        ),
    ),
)
# With one byte per second of bandwidth, seconds are the estimator's byte-equivalents and peaks its ridge points.
ROOF = Roof(memory_bytes_per_second=1.0, flops_per_second={"fp8": 563.0, "mxfp4": 1125.0, "bf16": 281.0})


def pass_bytes(batch: int, query_tokens: NDArray[np.int64], context_tokens: int) -> NDArray[np.float64]:
    """Return the cost of a pass in byte-equivalents."""
    tokens = pass_tokens(batch=batch, query_tokens=query_tokens, context_tokens=context_tokens)
    return pass_time(work(LAYER, tokens), ROOF).seconds


def speedups(row: dict[str, float]) -> NDArray[np.float64]:
    """Return the speedup at every draft length up to the row's cap."""
    draft = np.arange(int(row["cap"]) + 1)
    verifying = pass_bytes(int(row["batch"]), draft + 1, int(row["context_tokens"]))
    drafting = relative_drafting_seconds(
        draft, cost=row["relative_cost"], block=int(row["block"]), step_seconds=verifying[0]
    )
    tokens = tokens_per_round(constant_survival(row["acceptance"], int(row["cap"])))
    return speedup(tokens, step_seconds=verifying[:1], verifying_seconds=verifying, drafting_seconds=drafting)
