"""Kernels that serving engines start for one layer, by kind; only calibrated profiles give them a time.

Counted by hand from the operations of each layer, not measured. Engines differ in what they fuse; the time that a
profile fits for one kernel takes that up. Assumed: a shared expert runs beside the routed ones, which hides one of its
three kernels.
"""

from __future__ import annotations

from typing import assert_never

from roofline_app.model.dimensions import (
    Attention,
    CompressedAttention,
    DeltaNet,
    FeedForward,
    Indexer,
    KimiDelta,
    LatentAttention,
    LayerGroup,
    Lightning,
    Mamba2,
    Mixer,
    Moe,
)
from roofline_app.model.terms import Launches

NORM = 1
# Query-key-value projection, rotary embedding, cache write, attention, combination of its splits, output projection.
ATTENTION = 6
HEAD_NORM = 1
# Joint down-projection, two norms, query up-projection, absorbed keys, rotary embedding, concatenation and cache write,
# attention, combination of its splits, absorbed values, output projection.
LATENT = 11
# Query and weight projections, scores, selection.
INDEXER = 4
# Gate and value of each compressed entry.
COMPRESSOR = 2
# Two projections, their split, convolution, recurrence, gated norm, output projection.
DELTA_NET = 7
# Projection, convolution, recurrence, gated norm, output projection.
OTHER_RECURRENCE = 5
# A recurrence takes a sequence's tokens one after the other; besides, a verifying pass keeps the states in between and
# takes up the last accepted one. Both by the errors on sources and models left out.
STEPS_PER_TOKEN = 1
VERIFYING_RECURRENCE = 12
# Share of a MoE block's kernels that one chain takes in where experts are computed in four bits, by the same errors.
FUSED_SHARE = 0.5
# Up-projection, activation, down-projection.
DENSE = 3
# Router, selection, two of sorting tokens by expert, up-projection, activation, down-projection, weighted sum.
MOE = 8
SHARED = 2
MATMULS = 2
LATENT_MATMULS = 3


def _indexer(indexer: Indexer | None) -> int:
    return INDEXER if indexer and not indexer.shared else 0


def _mixer(mixer: Mixer | None) -> int:
    match mixer:
        case None:
            return 0
        case Attention():
            return NORM + ATTENTION + (HEAD_NORM if mixer.norm_parameters else 0) + _indexer(mixer.indexer)
        case LatentAttention():
            return NORM + LATENT + _indexer(mixer.indexer)
        case CompressedAttention():
            return NORM + LATENT + (COMPRESSOR if mixer.ratio else 0) + _indexer(mixer.indexer)
        case DeltaNet() | KimiDelta():
            return NORM + DELTA_NET
        case Mamba2() | Lightning():
            return NORM + OTHER_RECURRENCE
        case _:
            assert_never(mixer)


def _feed_forward(block: FeedForward | None) -> tuple[int, int, float]:
    """Return kernels, matmuls, and the kernels that a fused chain of experts saves."""
    if block is None:
        return 0, 0, 0.0
    if not isinstance(block, Moe):
        return NORM + DENSE, MATMULS, 0.0
    kernels, matmuls = NORM + MOE, MATMULS
    if block.shared_size:
        kernels, matmuls = kernels + SHARED, matmuls + MATMULS
    if block.dense:
        kernels, matmuls = kernels + DENSE, matmuls + MATMULS
    return kernels, matmuls, FUSED_SHARE * kernels


def layer_launches(layer: LayerGroup) -> Launches:
    """Return the kernels of one layer.

    Args:
        layer: The layer; its count is left out.

    Returns:
        Kernels by block, and the matmuls among them whose inputs may have to be quantised.
    """
    mixer = layer.mixer
    feed_forward, feed_forward_matmuls, fused = _feed_forward(layer.feed_forward)
    latent = isinstance(mixer, LatentAttention | CompressedAttention)
    recurrent = isinstance(mixer, DeltaNet | KimiDelta | Mamba2 | Lightning)
    matmuls = LATENT_MATMULS if latent else MATMULS
    return Launches(
        mixer=_mixer(mixer),
        feed_forward=feed_forward,
        verifying=VERIFYING_RECURRENCE if recurrent else 0,
        per_token=STEPS_PER_TOKEN if recurrent else 0,
        latent=int(latent),
        fused=fused,
        mixer_matmuls=matmuls if mixer else 0,
        feed_forward_matmuls=feed_forward_matmuls,
    )
