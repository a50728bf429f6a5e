"""Drafters of the registry: whom they draft for, what their config.json says, and what is refused."""

from __future__ import annotations

import re

import pytest
from reference_data import drafter_config_facts

from roofline_app import registry
from roofline_app.model.config_json.drafter_config import read_drafter
from roofline_app.model.dimensions import DrafterSpec
from roofline_app.specs import SpecError

TARGETS = (
    "qwen3.5-4b",
    "qwen3.5-9b",
    "qwen3.5-27b",
    "qwen3.5-35b-a3b",
    "qwen3.5-122b-a10b",
    "qwen3.5-397b-a17b",
    "qwen3.6-35b-a3b",
)


FACTS = {"id": "x", "name": "x", "targets": ("y",), "source": "https://example.org", "checked": "2026-11-30"}


every_drafter_model = pytest.mark.parametrize("model", registry.drafters().values(), ids=lambda model: model.id)


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_of_the_article_has_its_dflash_drafter(target: str) -> None:
    model = registry.drafter_for(target, "block")
    assert model is not None
    assert model.hidden_size == registry.model(target).dimensions.hidden_size
    # Sixteen positions, of which the first is the verified token's.
    assert model.block == 15


@every_drafter_model
def test_a_drafter_drafts_for_models_of_the_registry(model: DrafterSpec) -> None:
    assert set(model.targets) <= set(registry.model_ids())
    assert not model.assumed or model.assumed.endswith(".")
    if model.model:
        draft = registry.model(model.model)
        for target in map(registry.model, model.targets):
            assert draft.dimensions.vocab_size == target.dimensions.vocab_size
    else:
        widths = {registry.model(target).dimensions.hidden_size for target in model.targets}
        assert widths == {model.hidden_size}


@pytest.mark.parametrize(
    "file",
    [
        "qwen3-4b-dflash",
        "qwen3-8b-dflash",
        "qwen3.5-4b-dflash",
        "qwen3.5-35b-a3b-dflash",
        "qwen3.6-27b-dflash",
        "qwen3-8b-dspark",
        "qwen3-8b-eagle3",
        "llama3-8B-eagle3:llama-3.1-8b-eagle3",
        "qwen3-30B-A3B-eagle3:qwen3-30b-a3b-eagle3",
        "gpt-oss-120B-eagle3:gpt-oss-120b-eagle3",
        "deepseek-v3-671b-eagle3:deepseek-v3-eagle3",
        "kimi-k3-dspark",
        "qwen3-30B-A3B-eagle3.1:qwen3-30b-a3b-eagle3.1",
        "qwen3-8b-domino",
        "qwen3-8b-peagle",
    ],
)
def test_an_entry_is_what_the_real_config_says(file: str) -> None:
    name, _, key = file.partition(":")
    config = drafter_config_facts()[name]
    entry = registry.drafter(key or name)
    facts = {field: getattr(entry, field) for field in ("id", "name", "targets", "source", "checked", "assumed")}
    assert read_drafter(registry.drafter_kinds().values(), config=config, **facts) == entry


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"architectures": ["NoSuchDrafter"]}, "architectures: drafter NoSuchDrafter is not modelled"),
        ({}, "architectures"),
        ({"layer_types": ["full_attention", "linear_attention"]}, "linear_attention is not modelled"),
        ({"layer_types": ["full_attention"]}, "layer_types: lists 1 layers of 2"),
        ({"block_size": 1}, "block_size"),
        ({"dflash_config": {}}, "target_layer_ids"),
        ({"num_key_value_heads": 3}, "kv_heads"),
        ({"n_routed_experts": 64}, "n_routed_experts: a mixture of experts in a drafter is not modelled"),
        ({"kv_lora_rank": 512}, "kv_lora_rank: latent attention in a drafter is not modelled"),
        ({"dflash_config": {"target_layer_ids": [1], "projector_type": "dspark_v4"}}, "dspark_v4 is not modelled"),
        ({"dflash_config": {"target_layer_ids": [1], "projector_type": "dspark"}}, "markov_rank: missing"),
        (
            {"dflash_config": {"target_layer_ids": [1], "projector_type": "dspark", "markov_head_type": "rnn"}},
            "markov_head_type: rnn is not modelled",
        ),
        ({"dflash_config": {"target_layer_ids": [1], "projector_type": "domino"}}, "gru_hidden_dim: missing"),
    ],
)
def test_a_drafter_that_is_not_understood_is_refused_by_name(config: dict[str, object], field: str) -> None:
    whole = {
        "architectures": ["DFlashDraftModel"],
        "hidden_size": 1024,
        "num_hidden_layers": 2,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "intermediate_size": 4096,
        "block_size": 8,
        "dflash_config": {"target_layer_ids": [1, 2]},
    }
    given = {"architectures": []} if not config else whole | config
    with pytest.raises(SpecError, match=re.escape(field)):
        read_drafter(registry.drafter_kinds().values(), config=given, **FACTS)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": ""}, "kind"),
        ({"block": 0}, "block"),
        ({"targets": ()}, "targets"),
        ({"source": "a friend"}, "source"),
        ({"checked": "lately"}, "checked"),
        ({"model": ""}, "layers"),
    ],
)
def test_an_impossible_drafter_is_refused_by_field(changes: dict[str, object], field: str) -> None:
    with pytest.raises(SpecError, match=f"^{field}"):
        DrafterSpec(**({**FACTS, "kind": "draft", "model": "m"} | changes))  # type: ignore[arg-type]
