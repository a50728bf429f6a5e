"""Caches and recurrent states that each layer keeps for a sequence, in bytes and in FLOPs per use.

Facts: entries are stored as serving engines store them. Derived: FLOPs from head sizes, latent attention absorbed.
Assumed: recurrent updates count as a few multiply-adds per element of the state, which never binds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from roofline_app.model.dimensions import (
    Attention,
    CompressedAttention,
    DeltaNet,
    Indexer,
    KimiDelta,
    LatentAttention,
    Lightning,
    Mamba2,
    Mixer,
)
from roofline_app.model.terms import Cache, Reach, Recurrence
from roofline_app.specs import FormatSpec, Precision

ARITHMETIC = "bf16"
INDEXER_ARITHMETIC = "fp8"
FP8 = "fp8"
# One fp32 scale for every 128 values of an fp8 latent or indexer key (FlashMLA's and DeepGEMM's fp8 cache layouts).
_SCALED_VALUES = 128
_SCALE_BYTES = 4
# DeepSeek-V4's entry: one-byte scales for every 64 fp8 values, the row padded to eight bytes.
_V4_SCALED_VALUES = 64
_V4_PADDING_BYTES = 8
_BF16_BYTES = 2
_FP32_BYTES = 4
# What DeepSeek-V4's compressors keep of each token that waits: a value and its score.
_VALUES_AND_SCORES = 2
_OVERLAPPING_BLOCKS = 2
# Multiply-adds per element of the state and token: decay, read by key, update, read by query.
_DELTA_NET_MULTIPLY_ADDS = 4
_DECAYED_SUM_MULTIPLY_ADDS = 3

Formats = Mapping[str, FormatSpec]


def _attention(mixer: Attention, value_bytes: float) -> tuple[Cache, ...]:
    values_per_head = mixer.head_dim + mixer.value_head_dim
    entry_bytes = mixer.kv_heads * values_per_head * value_bytes
    indexer = mixer.indexer
    entries = Cache(
        bytes_per_entry=entry_bytes,
        flops_per_entry=2 * mixer.heads * values_per_head,
        format=ARITHMETIC,
        reach=Reach.SELECTED if indexer else mixer.reach,
        limit=indexer.selected if indexer else mixer.limit,
        bytes_written_per_token=entry_bytes,
        bytes_kept_per_token=entry_bytes if mixer.reach is Reach.ALL else 0.0,
        shards=mixer.kv_heads,
    )
    if not indexer or indexer.shared:
        return (entries,)
    # Keys of whole blocks are scored one by one, in the cache's own format.
    key_bytes = indexer.head_dim * value_bytes
    keys = Cache(
        bytes_per_entry=key_bytes,
        flops_per_entry=2 * indexer.heads * indexer.head_dim,
        format=ARITHMETIC,
        bytes_written_per_token=key_bytes,
        bytes_kept_per_token=key_bytes,
        shards=1,
    )
    return entries, keys


def _indexer_keys(indexer: Indexer, tokens_per_entry: int = 1) -> Cache:
    """Keys stay in fp8 whatever the cache's format."""
    key_bytes = indexer.head_dim + _SCALE_BYTES * indexer.head_dim / _SCALED_VALUES
    return Cache(
        bytes_per_entry=key_bytes,
        flops_per_entry=2 * indexer.heads * indexer.head_dim,
        format=INDEXER_ARITHMETIC,
        tokens_per_entry=tokens_per_entry,
        bytes_written_per_token=key_bytes / tokens_per_entry,
        bytes_kept_per_token=key_bytes / tokens_per_entry,
        shards=1,
    )


def _latent(mixer: LatentAttention, kv_format: str, value_bytes: float) -> tuple[Cache, ...]:
    entry_bytes = (mixer.kv_rank + mixer.rope_dim) * value_bytes
    if mixer.indexer and kv_format == FP8:
        scales_bytes = _SCALE_BYTES * mixer.kv_rank / _SCALED_VALUES
        entry_bytes = mixer.kv_rank + scales_bytes + _BF16_BYTES * mixer.rope_dim
    entries = Cache(
        bytes_per_entry=entry_bytes,
        flops_per_entry=2 * mixer.heads * (2 * mixer.kv_rank + mixer.rope_dim),
        format=ARITHMETIC,
        reach=Reach.SELECTED if mixer.indexer else Reach.ALL,
        limit=mixer.indexer.selected if mixer.indexer else 0,
        bytes_written_per_token=entry_bytes,
        bytes_kept_per_token=entry_bytes,
        shards=1,
    )
    if mixer.indexer and not mixer.indexer.shared:
        return entries, _indexer_keys(mixer.indexer)
    return (entries,)


def _compressed(mixer: CompressedAttention, kv_format: str, value_bytes: float) -> tuple[Cache, ...]:
    entry_bytes = mixer.head_dim * value_bytes
    if kv_format == FP8:
        plain = mixer.head_dim - mixer.rope_dim
        scale_bytes = -(-plain // _V4_SCALED_VALUES)
        padded_bytes = -(-scale_bytes // _V4_PADDING_BYTES) * _V4_PADDING_BYTES
        entry_bytes = plain + _BF16_BYTES * mixer.rope_dim + padded_bytes
    flops = 4 * mixer.heads * mixer.head_dim
    caches = [
        Cache(
            bytes_per_entry=entry_bytes,
            flops_per_entry=flops,
            format=ARITHMETIC,
            reach=Reach.WINDOW,
            limit=mixer.window,
            bytes_written_per_token=entry_bytes,
            shards=1,
        )
    ]
    if mixer.ratio:
        caches.append(
            Cache(
                bytes_per_entry=entry_bytes,
                flops_per_entry=flops,
                format=ARITHMETIC,
                reach=Reach.SELECTED if mixer.indexer else Reach.ALL,
                limit=mixer.indexer.selected if mixer.indexer else 0,
                tokens_per_entry=mixer.ratio,
                bytes_written_per_token=entry_bytes / mixer.ratio,
                bytes_kept_per_token=entry_bytes / mixer.ratio,
                shards=1,
            )
        )
    if mixer.indexer:
        caches.append(_indexer_keys(mixer.indexer, mixer.ratio))
    return tuple(caches)


def _recurrence(state: int, convolution: int, multiply_adds: int, state_bytes: float) -> tuple[Recurrence, ...]:
    return (
        Recurrence(
            state_bytes=state * state_bytes + convolution * _BF16_BYTES,
            flops_per_token=2 * multiply_adds * state,
            format=ARITHMETIC,
        ),
    )


def buffer_bytes(mixer: Mixer | None) -> float:
    """Return the bytes of one sequence that wait to be compressed, of one layer.

    A compressor keeps the keys' values and their scores, in fp32, of the block that it has not filled; where blocks
    overlap (those that an indexer chooses from) also of the one before, and the indexer has a compressor of its own.

    Args:
        mixer: The layer's mixer; only DeepSeek-V4's compressed attention keeps any.

    Source:
        aiconfigurator's memory model of DeepSeek-V4.
    """
    if not isinstance(mixer, CompressedAttention) or not mixer.ratio:
        return 0.0
    blocks = _OVERLAPPING_BLOCKS if mixer.indexer else 1
    width = mixer.head_dim + (mixer.indexer.head_dim if mixer.indexer else 0)
    return _VALUES_AND_SCORES * mixer.ratio * blocks * width * _FP32_BYTES


def memory(mixer: Mixer | None, precision: Precision, formats: Formats) -> tuple[Cache | Recurrence, ...]:
    """Return the caches and states that a layer keeps for one sequence.

    Args:
        mixer: The layer's mixer; None keeps nothing.
        precision: Formats of cache (`kv`) and state (`state`).
        formats: Every number format by id.

    Returns:
        Caches and recurrences. An fp8 cache takes the layout of the attention kind: with block scales and a bf16
        rotary part for DeepSeek-V4 (584 B at its sizes) and for latent attention with an indexer (656 B), one byte
        per value otherwise. Convolution states are bf16.

    Source:
        DeepSeek-AI, DeepSeek-V2, 2024 (absorbed latent attention); FlashMLA (fp8 layout with scales); SGLang's
        DeepSeek-V4 memory pool (584 B per entry); Yang et al., Gated Delta Networks, ICLR 2025; Kimi Linear, 2025;
        Dao and Gu, Mamba-2, ICML 2024; MiniMax-01, 2025.
    """
    kv_bytes = formats[precision.kv].bytes_per_value
    state_bytes = formats[precision.state].bytes_per_value
    terms: tuple[Cache | Recurrence, ...]
    match mixer:
        case None:
            terms = ()
        case Attention():
            terms = _attention(mixer, kv_bytes)
        case LatentAttention():
            terms = _latent(mixer, precision.kv, kv_bytes)
        case CompressedAttention():
            terms = _compressed(mixer, precision.kv, kv_bytes)
        case DeltaNet():
            channels = 2 * mixer.key_heads * mixer.key_dim + mixer.value_heads * mixer.value_dim
            state = mixer.value_heads * mixer.key_dim * mixer.value_dim
            terms = _recurrence(state, channels * (mixer.kernel - 1), _DELTA_NET_MULTIPLY_ADDS, state_bytes)
        case KimiDelta():
            inner = mixer.heads * mixer.head_dim
            state, taps = inner * mixer.head_dim, 3 * inner * (mixer.kernel - 1)
            terms = _recurrence(state, taps, _DELTA_NET_MULTIPLY_ADDS, state_bytes)
        case Mamba2():
            inner = mixer.heads * mixer.head_dim
            channels = inner + 2 * mixer.groups * mixer.state_dim
            taps = mixer.kernel - 1
            terms = _recurrence(inner * mixer.state_dim, channels * taps, _DECAYED_SUM_MULTIPLY_ADDS, state_bytes)
        case Lightning():
            state = mixer.heads * mixer.head_dim * mixer.head_dim
            terms = _recurrence(state, 0, _DECAYED_SUM_MULTIPLY_ADDS, state_bytes)
        case _:
            assert_never(mixer)
    return terms
