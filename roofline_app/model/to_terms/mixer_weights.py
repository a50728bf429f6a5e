"""How many weights each matrix of an attention layer or a recurrence has, by category.

Categories are those of the published counts: attention projections with their biases and sinks, convolutions and
decay vectors are `attn/mixer` or `attn_lin`; norms and tied heads are apart. `matrices` do arithmetic with every
token; `vectors` (biases, norms, convolutions, small tables) are only read. A matrix has the name that Hugging Face
checkpoints give it within its layer, by which a quantisation statement may mean it.
"""

from __future__ import annotations

from dataclasses import dataclass
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

CATEGORIES = (
    "attn/mixer",
    "attn_lin",
    "indexer",
    "compressor",
    "mlp",
    "shared_expert",
    "latent_proj",
    "routed_experts",
    "router",
    "norm",
    "embed",
    "lm_head",
    "other",
)


@dataclass(frozen=True, slots=True)
class Part:
    """Weights of one matrix, or vectors of one category.

    Attributes:
        category: One of `CATEGORIES`.
        matrices: Weights that multiply activations.
        vectors: Weights that are only read.
        name: The matrix's name within its layer; empty for vectors.
        part: Field of `Precision` that its format is stated in; empty where no scheme quantises it.
    """

    category: str
    matrices: int
    vectors: int = 0
    name: str = ""
    part: str = ""

    @property
    def parameters(self) -> int:
        """All weights of the part."""
        return self.matrices + self.vectors


def named_matrices(category: str, part: str, /, **sizes: int) -> tuple[Part, ...]:
    """Return matrices by name, without those of no size; two underscores stand for a dot."""
    return tuple(Part(category, size, name=name.replace("__", "."), part=part) for name, size in sizes.items() if size)


def _attention(mixer: Attention, hidden_size: int) -> tuple[Part, ...]:
    queries = mixer.heads * mixer.head_dim * (2 if mixer.gated else 1)
    keys = mixer.kv_heads * mixer.head_dim
    values = 0 if mixer.keys_are_values else mixer.kv_heads * mixer.value_head_dim
    outputs = mixer.heads * mixer.value_head_dim
    vectors = (queries + keys + values) * mixer.projection_biases
    vectors += hidden_size * mixer.output_bias + mixer.heads * mixer.sinks
    return (
        *named_matrices(
            "attn/mixer",
            "attention",
            self_attn__q_proj=hidden_size * queries,
            self_attn__k_proj=hidden_size * keys,
            self_attn__v_proj=hidden_size * values,
            self_attn__g_proj=hidden_size * mixer.heads * mixer.head_gated,
            self_attn__o_proj=hidden_size * outputs,
        ),
        Part("attn/mixer", 0, vectors),
        Part("norm", 0, mixer.norm_parameters),
        *(_block_indexer(mixer.indexer, hidden_size) if mixer.indexer else ()),
    )


def _block_indexer(indexer: Indexer, hidden_size: int) -> tuple[Part, ...]:
    """Queries and one key from the hidden state, both normed."""
    return (
        *named_matrices(
            "indexer",
            "attention",
            self_attn__indexer__q_proj=hidden_size * indexer.heads * indexer.head_dim,
            self_attn__indexer__k_proj=hidden_size * indexer.head_dim,
        ),
        Part("indexer", 0, 2 * indexer.head_dim),
    )


def _latent(mixer: LatentAttention, hidden_size: int) -> tuple[Part, ...]:
    rank = mixer.query_rank
    queries = mixer.heads * (mixer.nope_dim + mixer.rope_dim)
    latent = mixer.kv_rank + mixer.rope_dim
    values = mixer.heads * mixer.value_dim
    biases = (rank + latent + hidden_size) * mixer.biases
    parts = (
        *named_matrices(
            "attn/mixer",
            "attention",
            self_attn__q_proj=0 if rank else hidden_size * queries,
            self_attn__q_a_proj=hidden_size * rank,
            self_attn__q_b_proj=rank * queries,
            self_attn__kv_a_proj_with_mqa=hidden_size * latent,
            self_attn__kv_b_proj=mixer.kv_rank * (mixer.heads * mixer.nope_dim + values),
            self_attn__g_proj=hidden_size * values * mixer.gated,
            self_attn__o_proj=values * hidden_size,
        ),
        Part("attn/mixer", 0, biases),
        Part("norm", 0, rank + mixer.kv_rank),
    )
    indexer = mixer.indexer
    if not indexer or indexer.shared:
        return parts
    return (
        *parts,
        *named_matrices(
            "indexer",
            "attention",
            self_attn__indexer__wq_b=rank * indexer.heads * indexer.head_dim,
            self_attn__indexer__wk=hidden_size * indexer.head_dim,
            self_attn__indexer__weights_proj=hidden_size * indexer.heads,
        ),
        # The key's norm has a weight and a bias.
        Part("indexer", 0, 2 * indexer.head_dim),
    )


def _compressed(mixer: CompressedAttention, hidden_size: int) -> tuple[Part, ...]:
    width = mixer.heads * mixer.head_dim
    rank = mixer.query_rank
    outputs = mixer.output_groups * mixer.output_rank
    parts = [
        *named_matrices(
            "attn/mixer",
            "attention",
            self_attn__q_a_proj=hidden_size * rank,
            self_attn__q_b_proj=rank * width,
            self_attn__kv_proj=hidden_size * mixer.head_dim,
            self_attn__o_a_proj=width * mixer.output_rank,
            self_attn__o_b_proj=outputs * hidden_size,
        ),
        Part("attn/mixer", 0, mixer.heads),
        Part("norm", 0, rank + mixer.head_dim),
    ]
    if mixer.ratio:
        # Windows of the sparse kind overlap: keys and gates are twice as wide.
        entry = mixer.head_dim * (2 if mixer.indexer else 1)
        parts += named_matrices("compressor", "attention", self_attn__compressor=2 * hidden_size * entry)
        parts.append(Part("compressor", 0, mixer.ratio * entry + mixer.head_dim))
    if mixer.indexer:
        indexer = mixer.indexer
        key = 2 * indexer.head_dim
        parts += named_matrices(
            "indexer",
            "attention",
            self_attn__indexer__wq_b=rank * indexer.heads * indexer.head_dim,
            self_attn__indexer__compressor=hidden_size * 2 * key,
            self_attn__indexer__weights_proj=hidden_size * indexer.heads,
        )
        parts.append(Part("indexer", 0, mixer.ratio * key + indexer.head_dim))
    return tuple(parts)


def _delta_net(mixer: DeltaNet, hidden_size: int) -> tuple[Part, ...]:
    values = mixer.value_heads * mixer.value_dim
    channels = 2 * mixer.key_heads * mixer.key_dim + values
    return (
        *named_matrices(
            "attn_lin",
            "recurrent",
            linear_attn__in_proj_qkv=hidden_size * channels,
            linear_attn__in_proj_z=hidden_size * values,
            linear_attn__in_proj_b=hidden_size * mixer.value_heads,
            linear_attn__in_proj_a=hidden_size * mixer.value_heads,
            linear_attn__out_proj=hidden_size * values,
        ),
        Part("attn_lin", 0, channels * mixer.kernel + 2 * mixer.value_heads),
        Part("norm", 0, mixer.value_dim),
    )


def _kimi_delta(mixer: KimiDelta, hidden_size: int) -> tuple[Part, ...]:
    inner = mixer.heads * mixer.head_dim
    narrow, wide = hidden_size * mixer.head_dim, mixer.head_dim * inner
    return (
        *named_matrices(
            "attn_lin",
            "recurrent",
            self_attn__q_proj=hidden_size * inner,
            self_attn__k_proj=hidden_size * inner,
            self_attn__v_proj=hidden_size * inner,
            self_attn__b_proj=hidden_size * mixer.heads,
            self_attn__f_a_proj=narrow,
            self_attn__f_b_proj=wide,
            self_attn__g_proj=hidden_size * inner * mixer.full_gate,
            self_attn__g_a_proj=0 if mixer.full_gate else narrow,
            self_attn__g_b_proj=0 if mixer.full_gate else wide,
            self_attn__o_proj=hidden_size * inner,
        ),
        # Three convolutions, the decay's bias for each channel and its rate for each head.
        Part("attn_lin", 0, 3 * inner * mixer.kernel + inner + mixer.heads),
        Part("norm", 0, mixer.head_dim),
    )


def _mamba2(mixer: Mamba2, hidden_size: int) -> tuple[Part, ...]:
    inner = mixer.heads * mixer.head_dim
    channels = inner + 2 * mixer.groups * mixer.state_dim
    projected = inner + channels + mixer.heads
    vectors = channels * (mixer.kernel + mixer.convolution_bias) + 3 * mixer.heads
    vectors += (projected + hidden_size) * mixer.projection_biases
    return (
        *named_matrices(
            "attn/mixer", "recurrent", mixer__in_proj=hidden_size * projected, mixer__out_proj=hidden_size * inner
        ),
        Part("attn/mixer", 0, vectors),
        Part("norm", 0, inner),
    )


def _lightning(mixer: Lightning, hidden_size: int) -> tuple[Part, ...]:
    inner = mixer.heads * mixer.head_dim
    return (
        *named_matrices(
            "attn_lin",
            "recurrent",
            self_attn__qkv_proj=3 * hidden_size * inner,
            self_attn__output_gate=hidden_size * inner,
            self_attn__out_proj=hidden_size * inner,
        ),
        Part("norm", 0, inner),
    )


def mixer_parts(mixer: Mixer | None, hidden_size: int) -> tuple[Part, ...]:
    """Return the weights of an attention layer or a recurrence.

    Args:
        mixer: The mixer; None has no weights.
        hidden_size: Width of the model.

    Returns:
        Parts of the categories `attn/mixer`, `attn_lin`, `indexer`, `compressor` and `norm`.
    """
    parts: tuple[Part, ...]
    match mixer:
        case None:
            parts = ()
        case Attention():
            parts = _attention(mixer, hidden_size)
        case LatentAttention():
            parts = _latent(mixer, hidden_size)
        case CompressedAttention():
            parts = _compressed(mixer, hidden_size)
        case DeltaNet():
            parts = _delta_net(mixer, hidden_size)
        case KimiDelta():
            parts = _kimi_delta(mixer, hidden_size)
        case Mamba2():
            parts = _mamba2(mixer, hidden_size)
        case Lightning():
            parts = _lightning(mixer, hidden_size)
        case _:
            assert_never(mixer)
    return parts
