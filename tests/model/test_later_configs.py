"""Config files of mid-2026: parameters, formats, cache and state as counted from outside."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from reference_data import later_config_facts, reference_file

from roofline_app import registry
from roofline_app.model.config_json import read_config
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.terms import Transformer
from roofline_app.model.to_terms import (
    active_parameters,
    kv_bytes_per_token,
    parameters_by_category,
    parameters_by_format,
    state_bytes_per_sequence,
    total_parameters,
    transformer,
    weight_bytes,
    window_bytes_per_sequence,
)
from roofline_app.speculation.drafting.drafter_terms import next_token_terms

COUNTS: dict[str, dict[str, Any]] = json.loads(reference_file("parameter_counts_2.json").read_text(encoding="utf-8"))[
    "models"
]
FORMATS = {"FP8": "fp8", "FP8_BLOCK": "fp8-block", "NVFP4": "nvfp4", "MXFP4": "mxfp4", "W4A16_NVFP4": "nvfp4-w4a16"}
STEP, SUPER = "stepfun-ai__Step-3.7-Flash", "nvidia__NVIDIA-Nemotron-3-Super-120B-A12B-FP8"
WHOLE = [name for name in COUNTS if name != STEP]
# The rest of the stored bytes: scales of whole tensors, routing biases, vectors in fp32.
SMALL_CHANGE = 5e-4
# Its companion lists no module that stays in bf16; the vendor's table does.
TRIMMED = {SUPER: 7e-3}
QUANTISED = set(FORMATS.values())


@cache
def _spec(name: str) -> ModelSpec:
    return read_config(later_config_facts()[name])


@cache
def _terms(name: str) -> Transformer:
    return transformer(_spec(name), _spec(name).precision, registry.formats())


def _filled(by_part: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    return {part: forms for part, forms in by_part.items() if forms}


@pytest.mark.parametrize("name", WHOLE)
def test_parameters_are_those_counted_by_category(name: str) -> None:
    counts = COUNTS[name]
    assert parameters_by_category(_spec(name)) == {part: count for part, count in counts["cats"].items() if count}
    assert total_parameters(_spec(name)) == counts["total"]
    assert active_parameters(_spec(name)) == counts["active_excl_input_embed"]


@pytest.mark.parametrize("name", WHOLE)
def test_every_matrix_is_stored_in_the_format_that_the_file_states(name: str) -> None:
    stated = {
        part: {FORMATS[form]: count for form, count in forms.items() if form in FORMATS}
        for part, forms in COUNTS[name]["stored_formats"].items()
    }
    if name == SUPER:
        # Read alone, its companion quantises these too.
        stated["attn/mixer"]["fp8"] += 285_212_672
        stated["latent_proj"] = {"fp8": COUNTS[name]["cats"]["latent_proj"]}
    found = {
        part: {form: count for form, count in forms.items() if form in QUANTISED}
        for part, forms in parameters_by_format(_spec(name)).items()
    }
    assert {part: forms for part, forms in found.items() if forms} == {
        part: forms for part, forms in stated.items() if forms
    }


@pytest.mark.parametrize("name", WHOLE)
def test_weights_take_the_bytes_of_the_checkpoint(name: str) -> None:
    near = TRIMMED.get(name, SMALL_CHANGE)
    assert weight_bytes(_terms(name)) == pytest.approx(COUNTS[name]["stored_weight_bytes"], rel=near)


@pytest.mark.parametrize("name", COUNTS)
def test_cache_window_and_state_are_those_counted(name: str) -> None:
    counts, terms = COUNTS[name], _terms(name)
    caches, indexers = counts["kv_bytes_per_token"], counts.get("indexer_bytes_per_token", 0)
    form = _spec(name).precision.kv
    expected = next((size for label, size in caches.items() if label.split()[0] == form), next(iter(caches.values())))
    expected += indexers[form] if isinstance(indexers, dict) else indexers
    assert kv_bytes_per_token(terms) == expected
    assert window_bytes_per_sequence(terms) == next(iter(counts.get("window_bytes_per_sequence", {"": 0}).values()))
    assert state_bytes_per_sequence(terms) == next(iter(counts.get("state_bytes_per_sequence", {"": 0}).values()))


@pytest.mark.parametrize("name", [name for name in WHOLE if "mtp" in COUNTS[name] and "MiMo" not in name])
def test_next_token_layers_have_the_parameters_counted(name: str) -> None:
    terms = next_token_terms(_spec(name), _terms(name), _spec(name).precision, registry.formats())
    # DeepSeek-V4's own hyper-connections around it are left out.
    assert terms.parameters == pytest.approx(COUNTS[name]["mtp"]["parameters"], rel=2e-5)


def test_step_without_its_sliding_heads_says_so() -> None:
    spec = _spec(STEP)
    assert spec.assumptions == ("unquantised", "sliding_heads")
    assert total_parameters(spec) == pytest.approx(195_832_688_640, rel=1e-4)
    whole = read_config({**later_config_facts()[STEP], "attention_other_setting": {"num_attention_heads": 96}})
    assert whole.assumptions == ("unquantised",)
    assert total_parameters(whole) == COUNTS[STEP]["total"]
    assert active_parameters(whole) == COUNTS[STEP]["active_excl_input_embed"]


def test_a_companion_that_excludes_nothing_is_noted() -> None:
    assert _spec(SUPER).assumptions == ("nothing_excluded",)


@pytest.mark.parametrize(("name", "model_id"), [(SUPER, "nemotron-3-super"), (STEP, "step-3.7-flash")])
def test_the_registry_knows_what_a_trimmed_file_leaves_out(name: str, model_id: str) -> None:
    spec = registry.model(model_id)
    stored = weight_bytes(transformer(spec, spec.precision, registry.formats()))
    # Its router is stored in fp32.
    assert stored == pytest.approx(COUNTS[name]["stored_weight_bytes"], rel=2e-3)
    assert total_parameters(spec) == COUNTS[name]["total"]


@pytest.mark.parametrize(
    ("file", "model_id"),
    [
        ("zai-org__GLM-5.2", "glm-5.2"),
        ("moonshotai__Kimi-K3", "kimi-k3"),
        ("MiniMaxAI__MiniMax-M3", "minimax-m3"),
        ("XiaomiMiMo__MiMo-V2-Flash", "mimo-v2-flash"),
        ("nvidia__NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", "nemotron-3-ultra"),
    ],
)
def test_a_later_config_equals_the_registry_entry(file: str, model_id: str) -> None:
    assert _spec(file).dimensions == registry.model(model_id).dimensions
    assert _spec(file).precision == registry.model(model_id).precision
