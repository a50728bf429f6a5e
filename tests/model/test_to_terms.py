"""Dimensions as parameters, weight bytes, cache, state and arithmetic."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest
from config_files import FILES
from hostile_configs import DENSE, LATENT
from reference_data import reference_file

from roofline_app import registry
from roofline_app.model.config_json import read_config
from roofline_app.model.dimensions import (
    Attention,
    CompressedAttention,
    DeltaNet,
    Dense,
    Dimensions,
    Indexer,
    LatentAttention,
    LayerGroup,
    Lightning,
    Mamba2,
    ModelSpec,
    Moe,
)
from roofline_app.model.terms import Cache, Experts, Projection, Reach, Recurrence, Transformer
from roofline_app.model.to_terms import (
    active_parameters,
    kv_bytes_per_token,
    parameters_by_category,
    state_bytes_per_sequence,
    total_parameters,
    transformer,
    weight_bytes,
    window_bytes_per_sequence,
    with_weights,
)
from roofline_app.scenario import Weights
from roofline_app.specs import Precision, SpecError

COUNTS = json.loads(reference_file("parameter_counts.json").read_text(encoding="utf-8"))["models"]
COUNTED = {name.removesuffix(".json"): counts for name, counts in COUNTS.items()}


def _terms(model_id: str, kv: str = "published") -> Transformer:
    spec = registry.model(model_id)
    return transformer(spec, with_weights(spec.precision, Weights(), kv), registry.formats())


@pytest.mark.parametrize("file", COUNTED)
def test_parameters_agree_with_the_model_built_from_its_config(file: str) -> None:
    counts, model_id = COUNTED[file], FILES[file]
    spec = registry.model(model_id)
    assert parameters_by_category(spec) == {name: count for name, count in counts["cats"].items() if count}
    assert total_parameters(spec) == counts["total"]
    assert active_parameters(spec) == counts["active_excl_input_embed"]


def test_qwen3_5_9b_with_vision_tower_and_next_token_layer_is_its_safetensors() -> None:
    # Tower and layer as counted from their own configs; the sum is what Hugging Face shows.
    assert total_parameters(registry.model("qwen3.5-9b")) + 456_010_480 + 243_290_624 == 9_653_104_368


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What the reference table states for one model.

    Attributes:
        kv_bytes: Per token in bf16, indexer keys included (DeepSeek-V4: native).
        kv_fp8_bytes: Per token in fp8.
        window_bytes: Per sequence in bf16.
        state_bytes: Per sequence.
        flops: Attention FLOPs per query token and context token, indexers not included.
    """

    kv_bytes: float
    kv_fp8_bytes: float
    window_bytes: float = 0
    state_bytes: float = 0
    flops: float = 0


KEPT = {
    "qwen3-0.6b": Kept(kv_bytes=114688, kv_fp8_bytes=57344, flops=229376),
    "qwen3-8b": Kept(kv_bytes=147456, kv_fp8_bytes=73728, flops=589824),
    "qwen3-32b": Kept(kv_bytes=262144, kv_fp8_bytes=131072, flops=2097152),
    "qwen3-30b-a3b": Kept(kv_bytes=98304, kv_fp8_bytes=49152, flops=786432),
    "qwen3-235b-a22b": Kept(kv_bytes=192512, kv_fp8_bytes=96256, flops=3080192),
    "qwen3-coder-480b-a35b": Kept(kv_bytes=253952, kv_fp8_bytes=126976, flops=3047424),
    "qwen3.5-9b": Kept(kv_bytes=32768, kv_fp8_bytes=16384, state_bytes=51511296, flops=131072),
    "qwen3.5-27b": Kept(kv_bytes=65536, kv_fp8_bytes=32768, state_bytes=153944064, flops=393216),
    "qwen3.6-27b": Kept(kv_bytes=65536, kv_fp8_bytes=32768, state_bytes=153944064, flops=393216),
    "qwen3.5-35b-a3b": Kept(kv_bytes=20480, kv_fp8_bytes=10240, state_bytes=64389120, flops=163840),
    "qwen3.6-35b-a3b": Kept(kv_bytes=20480, kv_fp8_bytes=10240, state_bytes=64389120, flops=163840),
    "qwen3.5-122b-a10b": Kept(kv_bytes=24576, kv_fp8_bytes=12288, state_bytes=153649152, flops=393216),
    "qwen3.5-397b-a17b": Kept(kv_bytes=30720, kv_fp8_bytes=15360, state_bytes=192061440, flops=491520),
    "deepseek-v3": Kept(kv_bytes=70272, kv_fp8_bytes=35136, flops=16990208),
    "deepseek-r1": Kept(kv_bytes=70272, kv_fp8_bytes=35136, flops=16990208),
    # 656 B per layer and token in the fp8 layout of sparse latent attention, where the table has 576 B nominal.
    "deepseek-v3.2": Kept(kv_bytes=70272 + 8052, kv_fp8_bytes=61 * 656 + 8052, flops=16990208),
    "glm-5": Kept(kv_bytes=89856 + 10296, kv_fp8_bytes=78 * 656 + 10296, flops=10862592),
    "kimi-k2": Kept(kv_bytes=70272, kv_fp8_bytes=35136, flops=8495104),
    "kimi-k2.5": Kept(kv_bytes=70272, kv_fp8_bytes=35136, flops=8495104),
    "glm-4.5-air": Kept(kv_bytes=188416, kv_fp8_bytes=94208, flops=2260992),
    "glm-4.5": Kept(kv_bytes=376832, kv_fp8_bytes=188416, flops=4521984),
    "gpt-oss-20b": Kept(kv_bytes=24576, kv_fp8_bytes=12288, window_bytes=3145728, flops=196608),
    "gpt-oss-120b": Kept(kv_bytes=36864, kv_fp8_bytes=18432, window_bytes=4718592, flops=294912),
    "minimax-m2": Kept(kv_bytes=253952, kv_fp8_bytes=126976, flops=1523712),
    "llama-3.1-8b": Kept(kv_bytes=131072, kv_fp8_bytes=65536, flops=524288),
    "llama-3.1-70b": Kept(kv_bytes=327680, kv_fp8_bytes=163840, flops=2621440),
    "llama-3.3-70b": Kept(kv_bytes=327680, kv_fp8_bytes=163840, flops=2621440),
    "llama-3.1-405b": Kept(kv_bytes=516096, kv_fp8_bytes=258048, flops=8257536),
    "llama-4-scout": Kept(kv_bytes=49152, kv_fp8_bytes=24576, window_bytes=1207959552, flops=245760),
    "mixtral-8x7b": Kept(kv_bytes=131072, kv_fp8_bytes=65536, flops=524288),
    "mistral-small-3.1": Kept(kv_bytes=163840, kv_fp8_bytes=81920, flops=655360),
    "gemma-3-27b": Kept(kv_bytes=81920, kv_fp8_bytes=40960, window_bytes=436207616, flops=163840),
    "gemma-4-31b": Kept(kv_bytes=81920, kv_fp8_bytes=40960, window_bytes=838860800, flops=655360),
    "nemotron-3-nano": Kept(kv_bytes=6144, kv_fp8_bytes=3072, state_bytes=49082368, flops=98304),
}


@pytest.mark.parametrize(("model_id", "kept"), KEPT.items(), ids=KEPT)
def test_cache_state_and_attention_arithmetic_agree_with_the_reference_table(model_id: str, kept: Kept) -> None:
    terms = _terms(model_id, "bf16")
    assert kv_bytes_per_token(terms) == kept.kv_bytes
    assert kv_bytes_per_token(_terms(model_id, "fp8")) == kept.kv_fp8_bytes
    assert window_bytes_per_sequence(terms) == kept.window_bytes
    assert state_bytes_per_sequence(terms) == kept.state_bytes
    growing = [
        layer.count * term.flops_per_entry
        for layer in terms.layers
        for term in layer.memory
        if isinstance(term, Cache) and term.format == "bf16" and term.bytes_kept_per_token
    ]
    assert sum(growing) == kept.flops


@pytest.mark.parametrize(
    ("model_id", "kv_bytes", "window_bytes", "weights_bytes"),
    [
        # SGLang's own log gives 3850.25 B per token; native weights are 155.5 GB and 849.5 GB with all but the
        # experts, embedding and head in fp8, and the routers are kept in bf16 here.
        pytest.param("deepseek-v4-flash", 3850.25, 3214336, 155.5e9, id="Flash"),
        pytest.param("deepseek-v4-pro", 5511.4375, 4559872, 849.5e9, id="Pro"),
    ],
)
def test_deepseek_v4_keeps_584_byte_entries_and_fp8_indexer_keys(
    model_id: str, kv_bytes: float, window_bytes: float, weights_bytes: float
) -> None:
    terms = _terms(model_id)
    assert kv_bytes_per_token(terms) == kv_bytes
    assert window_bytes_per_sequence(terms) == window_bytes
    assert state_bytes_per_sequence(terms) == 0
    assert weight_bytes(terms) == pytest.approx(weights_bytes, rel=1e-3)


def test_a_million_tokens_of_deepseek_v4_pro_take_a_tenth_of_v3_2() -> None:
    # The model card: 10 % of the cache.
    ratio = kv_bytes_per_token(_terms("deepseek-v4-pro")) / kv_bytes_per_token(_terms("deepseek-v3.2", "fp8"))
    assert ratio == pytest.approx(0.105, abs=0.02)


def test_kimi_k2_5_weighs_what_its_int4_checkpoint_weighs() -> None:
    # 595 GB of safetensors.
    assert weight_bytes(_terms("kimi-k2.5")) == pytest.approx(595e9, rel=0.005)


def test_gpt_oss_120b_fits_in_eighty_gigabytes_as_published() -> None:
    # The card: 60.8 GiB of checkpoint.
    assert weight_bytes(_terms("gpt-oss-120b")) == pytest.approx(60.8 * 2**30, rel=0.01)


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_bf16_weights_take_two_bytes_a_parameter(model_id: str) -> None:
    spec = registry.model(model_id)
    terms = transformer(spec, Precision(), registry.formats())
    assert weight_bytes(terms) == 2 * total_parameters(spec)


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_every_layer_is_in_one_group(model_id: str) -> None:
    spec = registry.model(model_id)
    terms = _terms(model_id)
    assert sum(layer.count for layer in terms.layers) == sum(group.count for group in spec.dimensions.layers)
    assert active_parameters(spec) <= total_parameters(spec)
    # Equal kinds may differ in their feed-forward block, never in both.
    groups = spec.dimensions.layers
    assert len({(group.mixer, group.feed_forward) for group in groups}) == len(groups)


def test_a_tied_head_is_stored_once_and_still_read() -> None:
    tied, untied = _terms("qwen3-0.6b"), _terms("qwen3-8b")
    assert tied.stored_embedding_bytes == 0
    assert untied.stored_embedding_bytes == untied.head[0].parameters * 2
    assert tied.head[0].parameters == 151936 * 1024


def _compressed(model_id: str, kv: str = "published", *, sparse: bool) -> tuple[Cache | Recurrence, ...]:
    """Return the memory of a layer that compresses its cache, and selects from it (`sparse`) or reads all of it."""
    groups = zip(registry.model(model_id).dimensions.layers, _terms(model_id, kv).layers, strict=True)
    return next(
        terms.memory
        for group, terms in groups
        if isinstance(group.mixer, CompressedAttention) and group.mixer.ratio and bool(group.mixer.indexer) == sparse
    )


def test_compressed_sparse_layers_select_from_what_the_indexer_scans() -> None:
    window, selected, keys = _compressed("deepseek-v4-pro", sparse=True)
    assert isinstance(window, Cache)
    assert isinstance(selected, Cache)
    assert isinstance(keys, Cache)
    assert (window.reach, window.limit, window.bytes_kept_per_token) == (Reach.WINDOW, 128, 0)
    assert (selected.reach, selected.limit, selected.tokens_per_entry) == (Reach.SELECTED, 1024, 4)
    assert (keys.reach, keys.bytes_per_entry, keys.format) == (Reach.ALL, 132, "fp8")
    assert selected.flops_per_entry == 2 * 128 * 1024
    assert keys.flops_per_entry == 2 * 64 * 128


def test_heavily_compressed_layers_attend_to_every_entry() -> None:
    _, entries = _compressed("deepseek-v4-pro", sparse=False)
    assert isinstance(entries, Cache)
    assert (entries.reach, entries.tokens_per_entry, entries.bytes_per_entry) == (Reach.ALL, 128, 584)


def test_a_bf16_cache_of_deepseek_v4_keeps_its_fp8_indexer_keys() -> None:
    window, _, keys = _compressed("deepseek-v4-pro", "bf16", sparse=True)
    assert isinstance(window, Cache)
    assert isinstance(keys, Cache)
    assert (window.bytes_per_entry, keys.bytes_per_entry) == (1024, 132)


def test_shared_indexers_have_neither_weights_nor_keys() -> None:
    # GLM-5.2: 21 of 78 layers own an indexer of 32 heads of 128, and its keys take 2772 B per token.
    own = read_config({**LATENT, "indexer_types": ["full"] * 61})
    shared = read_config({**LATENT, "indexer_types": ["full"] + ["shared"] * 60})
    assert parameters_by_category(own)["indexer"] == 61 * parameters_by_category(shared)["indexer"]
    terms = transformer(shared, shared.precision, registry.formats())
    assert kv_bytes_per_token(terms) == 61 * 1152 + 132


def test_choosing_formats_changes_the_parts_that_they_are_for() -> None:
    published = registry.model("deepseek-v4-pro").precision
    chosen = with_weights(published, Weights(experts="fp4", linear="fp8", head="bf16"), "fp8")
    assert (chosen.experts, chosen.attention, chosen.shared, chosen.head) == ("nvfp4", "fp8-block", "fp8-block", "bf16")
    assert (chosen.recurrent, chosen.mlp, chosen.kv, chosen.state) == ("fp8-block", "fp8-block", "fp8", "fp32")
    assert with_weights(published, Weights(), "published") == published


def test_the_head_computes_in_bf16_whatever_it_is_stored_in() -> None:
    spec = registry.model("qwen3-8b")
    terms = transformer(spec, with_weights(spec.precision, Weights(head="fp8")), registry.formats())
    assert terms.head[0].format == "bf16"
    assert terms.head[0].bytes_per_parameter == pytest.approx(1, rel=1e-3)


def test_routers_stay_in_bf16() -> None:
    spec = registry.model("qwen3-30b-a3b")
    weights = Weights(experts="fp4", linear="fp4")
    terms = transformer(spec, with_weights(spec.precision, weights), registry.formats())
    (layer,) = terms.layers
    assert [projection.format for projection in layer.router] == ["bf16"]
    (experts,) = layer.feed_forward
    assert isinstance(experts, Experts)
    assert experts.format == "nvfp4"


def test_a_model_may_be_built_from_its_dimensions() -> None:
    attention = Attention(heads=32, kv_heads=8, head_dim=128, norm_parameters=256)
    layers = (LayerGroup(mixer=attention, feed_forward=Dense(intermediate_size=12288), count=36),)
    dimensions = Dimensions(hidden_size=4096, vocab_size=151936, tied=False, layers=layers)
    built = ModelSpec(id="mine", name="Mine", family="Mine", dimensions=dimensions, max_context_tokens=40960)
    assert total_parameters(built) == total_parameters(registry.model("qwen3-8b"))


def test_lightning_attention_keeps_a_square_state_per_head_in_fp32() -> None:
    layers = (LayerGroup(mixer=Lightning(heads=64, head_dim=128), feed_forward=None),)
    dimensions = Dimensions(hidden_size=6144, vocab_size=8, tied=True, layers=layers)
    spec = ModelSpec(id="mine", name="Mine", family="Mine", dimensions=dimensions, max_context_tokens=1)
    terms = transformer(spec, Precision(), registry.formats())
    assert state_bytes_per_sequence(terms) == 64 * 128 * 128 * 4
    assert parameters_by_category(spec)["attn_lin"] == 5 * 6144 * 8192
    assert isinstance(terms.layers[0].projections[0], Projection)


INDEXER = Indexer(heads=64, head_dim=128, selected=512)
LATENT_MIXER = LatentAttention(heads=8, query_rank=0, kv_rank=512, nope_dim=128, rope_dim=64, value_dim=128)
COMPRESSED_MIXER = CompressedAttention(
    heads=64, head_dim=512, rope_dim=64, query_rank=1024, output_groups=8, output_rank=1024, window=128
)


def _refused(field: str, build: object, **changes: object) -> None:
    with pytest.raises(SpecError, match=rf"^{field}: "):
        replace(build, **changes)  # type: ignore[type-var]


def test_dimensions_refuse_the_impossible_by_name() -> None:
    attention = Attention(heads=8, kv_heads=8, head_dim=64)
    _refused("kv_heads", attention, kv_heads=3)
    _refused("heads", attention, heads=0)
    _refused("limit", attention, reach=Reach.WINDOW)
    _refused("query_rank", LATENT_MIXER, indexer=INDEXER)
    _refused("selected", INDEXER, selected=0)
    _refused("ratio", COMPRESSED_MIXER, indexer=INDEXER)
    _refused("rope_dim", COMPRESSED_MIXER, rope_dim=513)
    _refused("output_groups", COMPRESSED_MIXER, output_groups=7)
    _refused("key_heads", DeltaNet(key_heads=2, value_heads=4, key_dim=8, value_dim=8, kernel=4), key_heads=3)
    _refused("groups", Mamba2(heads=4, head_dim=8, state_dim=8, groups=2, kernel=4), groups=3)
    _refused("head_dim", Lightning(heads=8, head_dim=64), head_dim=True)
    _refused("intermediate_size", Dense(intermediate_size=8), intermediate_size=8.5)
    _refused("experts_per_token", Moe(experts=8, experts_per_token=2, intermediate_size=8), experts_per_token=9)


def test_a_model_refuses_facts_of_the_wrong_kind_by_name() -> None:
    spec = read_config(DENSE)
    _refused("layers", spec.dimensions, layers=())
    _refused("hidden_size", spec.dimensions, hidden_size=-1)
    _refused("name", spec, name=7)
    _refused("aliases", spec, aliases=("a", 1))
    _refused("parameters", spec, parameters="8B")
    _refused("source", spec, source="http://example.org")
    _refused("reason", spec, variants=("Someone says otherwise.",))
    _refused("max_context_tokens", spec, max_context_tokens=0)
