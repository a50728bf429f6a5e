"""The names that checkpoints give to one matrix, by which a quantisation statement may mean it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

PREFIXES = (
    "model.layers.",
    "model.language_model.layers.",
    "language_model.model.layers.",
    "backbone.layers.",
    "layers.",
)
_NEXT_TOKEN_PREFIXES = ("mtp.layers.0", "mtp.0", "model.mtp.layers.0", "language_model.mtp.layers.0")
HEADS = ("lm_head", "model.lm_head", "language_model.lm_head", "head", "output")
# One expert stands for all of a layer, whose names differ in its number alone.
EXPERT = "experts.0."
# Other names of blocks; the first is that of transformers' models.
_BLOCKS = {
    "self_attn.": ("self_attn.", "attn.", "attention.", "mixer."),
    "linear_attn.": ("linear_attn.",),
    "mlp.": ("mlp.", "ffn.", "block_sparse_moe.", "mixer.", "feed_forward.", "moe."),
    "mixer.": ("mixer.",),
}
# Other names of matrices, fused ones among them.
_MATRICES = {
    "q_proj": ("q_proj", "qkv_proj", "wq"),
    "k_proj": ("k_proj", "qkv_proj", "wk"),
    "v_proj": ("v_proj", "qkv_proj", "wv"),
    "o_proj": ("o_proj", "wo", "out_proj", "dense"),
    "q_a_proj": ("q_a_proj", "wq_a", "fused_qkv_a_proj_with_mqa", "fused_wqa_wkv"),
    "q_b_proj": ("q_b_proj", "wq_b"),
    "kv_proj": ("kv_proj", "wkv", "fused_wqa_wkv"),
    "kv_a_proj_with_mqa": ("kv_a_proj_with_mqa", "wkv_a", "fused_qkv_a_proj_with_mqa"),
    "kv_b_proj": ("kv_b_proj", "wkv_b"),
    "o_a_proj": ("o_a_proj", "wo_a"),
    "o_b_proj": ("o_b_proj", "wo_b"),
    "indexer.q_proj": ("indexer.q_proj", "index_q_proj"),
    "indexer.k_proj": ("indexer.k_proj", "index_k_proj"),
    "indexer.weights_proj": ("indexer.weights_proj", "indexers_proj"),
    "compressor": ("compressor.wkv", "compressor.wgate", "compressor.kv_proj", "compressor.gate_proj"),
    "indexer.compressor": ("indexer.compressor.wkv", "indexer.compressor.wgate", "indexer.compressor.kv_proj"),
    "in_proj_qkv": ("in_proj_qkv", "in_proj_qkvz"),
    "in_proj_z": ("in_proj_z", "in_proj_qkvz"),
    "in_proj_b": ("in_proj_b", "in_proj_ba"),
    "in_proj_a": ("in_proj_a", "in_proj_ba"),
    "gate_proj": ("gate_proj", "gate_up_proj", "w1"),
    "up_proj": ("up_proj", "gate_up_proj", "w3", "w1"),
    "down_proj": ("down_proj", "w2"),
    "fc1_latent_proj": ("fc1_latent_proj", "routed_expert_down_proj"),
    "fc2_latent_proj": ("fc2_latent_proj", "routed_expert_up_proj"),
}
_FUSED_EXPERTS = ("experts.gate_up_proj", "experts.down_proj")


@dataclass(frozen=True, slots=True)
class Module:
    """One matrix of a layer.

    Attributes:
        name: Its name within the layer, as `to_terms.weights` gives it.
        experts: How many equal ones its name stands for; 1 where it stands for itself.
    """

    name: str
    experts: int = 1

    @property
    def tails(self) -> tuple[str, ...]:
        """Its names within the layer, transformers' first."""
        return _tails(self.name)


@cache
def _tails(name: str) -> tuple[str, ...]:
    block = next((block for block in _BLOCKS if name.startswith(block)), "")
    rest = name.removeprefix(block)
    infix = next((infix for infix in ("experts.", "shared_experts.") if rest.startswith(infix)), "")
    matrices = _MATRICES.get(rest.removeprefix(infix), (rest.removeprefix(infix),))
    infixes = {"experts.": (EXPERT,), "shared_experts.": ("shared_experts.", "shared_expert.", "share_expert.")}
    blocks = _BLOCKS.get(block, ("", "moe.") if infix else ("",))
    if infix == "shared_experts.":
        # Step keeps its shared expert beside the block of its routed ones.
        blocks = (*blocks, "")
    found = [f"{first}{middle}{last}" for first in blocks for middle in infixes.get(infix, ("",)) for last in matrices]
    if infix == "experts.":
        fused = _FUSED_EXPERTS[rest.endswith("down_proj")]
        found += [f"{first}{fused}" for first in blocks]
        # A matrix of all experts, as a link lists it.
        found += [f"{first}{infix}{last}" for first in blocks for last in matrices]
    return tuple(dict.fromkeys(found))


def places(layer: int, *, next_token: bool = False) -> tuple[str, ...]:
    """Return what stands before a matrix's name within its layer, without the last dot.

    Args:
        layer: Number of the layer.
        next_token: Whether it is a next-token layer, which comes after the last and has names of its own.
    """
    found = tuple(f"{prefix}{layer}" for prefix in PREFIXES)
    return (*_NEXT_TOKEN_PREFIXES, *found) if next_token else found
