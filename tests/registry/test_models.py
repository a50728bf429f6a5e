"""Every entry of models.toml, and the ids that links rely on."""

from __future__ import annotations

from datetime import date

import pytest

from roofline_app import registry
from roofline_app.model.to_terms import active_parameters, total_parameters

PINNED = [
    "qwen3-0.6b",
    "qwen3-4b",
    "qwen3-8b",
    "qwen3-32b",
    "qwen3-30b-a3b",
    "qwen3-coder-30b-a3b",
    "qwen3-235b-a22b",
    "qwen3-coder-480b-a35b",
    "qwen3.5-4b",
    "qwen3.5-9b",
    "qwen3.5-27b",
    "qwen3.5-35b-a3b",
    "qwen3.5-122b-a10b",
    "qwen3.5-397b-a17b",
    "qwen3.6-27b",
    "qwen3.6-35b-a3b",
    "deepseek-v3",
    "deepseek-r1",
    "deepseek-v3.2",
    "deepseek-v4-flash",
    "deepseek-v4-pro",
    "kimi-k2",
    "kimi-k2.5",
    "glm-4.5",
    "glm-4.5-air",
    "glm-5",
    "gpt-oss-20b",
    "gpt-oss-120b",
    "minimax-m2",
    "llama-2-7b",
    "llama-3.1-8b",
    "llama-3.1-70b",
    "llama-3.1-405b",
    "llama-3.3-70b",
    "llama-4-scout",
    "mixtral-8x7b",
    "mistral-small-3.1",
    "gemma-3-27b",
    "gemma-4-31b",
    "nemotron-3-nano",
]


def test_no_published_id_is_gone() -> None:
    assert set(PINNED) <= set(registry.model_ids())


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_computed_parameters_agree_with_the_published_ones(model_id: str) -> None:
    spec = registry.model(model_id)
    assert total_parameters(spec) == pytest.approx(spec.parameters, rel=0.02)


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_computed_active_parameters_agree_with_the_published_ones(model_id: str) -> None:
    spec = registry.model(model_id)
    if not spec.active_parameters:
        # A dense model uses all of its layers.
        embedding = 0 if spec.dimensions.tied else spec.dimensions.vocab_size * spec.dimensions.hidden_size
        assert active_parameters(spec) == total_parameters(spec) - embedding
        return
    # Makers count the embeddings or not, and round to whole billions.
    embedding = spec.dimensions.vocab_size * spec.dimensions.hidden_size
    assert active_parameters(spec) - embedding < spec.active_parameters * 1.05
    assert active_parameters(spec) + embedding > spec.active_parameters * 0.95


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_every_model_has_a_name_a_linked_source_and_a_date(model_id: str) -> None:
    spec = registry.model(model_id)
    assert spec.id == model_id
    assert spec.name
    assert spec.family
    assert spec.source.startswith("https://")
    assert date.fromisoformat(spec.checked) <= date.today()


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_every_number_format_of_a_model_is_known(model_id: str) -> None:
    precision = registry.model(model_id).precision
    used = {
        precision.experts,
        precision.attention,
        precision.recurrent,
        precision.mlp,
        precision.shared,
        precision.head,
        precision.kv,
        precision.state,
    }
    assert used <= set(registry.formats())


def test_models_that_share_a_shape_are_named_in_one_entry() -> None:
    assert "MiniMax-M2.5" in registry.model("minimax-m2").aliases
    assert "LLaMA-2-7B-32K" in registry.model("llama-2-7b").aliases


def test_the_disputed_indexer_of_deepseek_v4_keeps_choice_variants_and_reason() -> None:
    for model_id in ("deepseek-v4-flash", "deepseek-v4-pro"):
        spec = registry.model(model_id)
        assert any("68 B" in variant for variant in spec.variants)
        assert spec.reason


def test_next_token_layers_are_known_where_a_checkpoint_has_them() -> None:
    known = {model_id for model_id in PINNED if registry.model(model_id).dimensions.next_token}
    assert {"deepseek-v3", "deepseek-v4-pro", "qwen3.5-27b", "glm-5", "minimax-m2"} <= known
    assert not known & {"kimi-k2", "qwen3-8b", "gpt-oss-120b"}
