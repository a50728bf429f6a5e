"""Layouts as engines' recipes have them: which one a calibrated profile takes, and that the answer says why."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from dataclasses import replace
from importlib import resources

import pytest

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.hardware.layout_words import layout_reason
from roofline_app.hardware.parallelism import Layout, LayoutSpec
from roofline_app.query import decode
from roofline_app.resolved import usual_layout
from roofline_app.resolved.layout import undivided_heads
from roofline_app.results import Evaluation
from roofline_app.specs.table import RegistryError, read_entry
from roofline_app.verdict import answer

ENTRY = {
    "engine": "vllm",
    "models": ["qwen3-8b"],
    "latency": "tp",
    "source": "https://example.org",
    "checked": "2026-11-30",
}


def _evaluation(query: str) -> Evaluation:
    return evaluate(decode(query).scenario)


@pytest.mark.parametrize("spec", registry.layouts().values(), ids=lambda spec: spec.id)
def test_a_recipe_is_of_a_known_engine_and_known_models(spec: LayoutSpec) -> None:
    assert spec.engine in registry.engine_ids()
    assert set(spec.models) <= set(registry.model_ids())


def test_no_two_recipes_speak_of_the_same_model_engine_and_gpus() -> None:
    told = [(spec.engine, model) for spec in registry.layouts().values() for model in spec.models]
    assert max(Counter(told).values()) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("latency", "pp"),
        ("latency", ""),
        ("throughput", "even"),
        ("models", []),
        ("least_gpus", 1),
        ("checked", "today"),
    ],
)
def test_an_impossible_recipe_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(RegistryError, match=rf"layouts\.toml \[x\]: .*{field}"):
        read_entry("layouts.toml", "x", {**ENTRY, field: value}, LayoutSpec)


@pytest.mark.parametrize(
    ("query", "layout", "why"),
    [
        pytest.param("", "even", "ideal", id="the ideal roofline says nothing between GPUs"),
        pytest.param("profile=calibrated", "tp", "recipe", id="SGLang serves DeepSeek-V4 tensor parallel"),
        pytest.param("profile=calibrated&engine=vllm", "tp+ep", "recipe", id="vLLM spreads its experts"),
        pytest.param("profile=tensorrt-llm-blackwell", "tp+ep", "recipe", id="a profile by its id has its engine's"),
        pytest.param("profile=calibrated&engine=vllm&gpu=mi300x", "tp+ep", "recipe", id="so has the pooled profile"),
        pytest.param("model=qwen3-32b&gpu=h100-sxm&profile=calibrated", "tp", "engine", id="a dense model has none"),
        pytest.param("model=minimax-m2&profile=calibrated&gpus=4", "tp", "engine", id="four GPUs share experts"),
        pytest.param("model=minimax-m2&profile=calibrated&gpus=8", "tp+ep", "recipe", id="blocks do not divide by 8"),
        pytest.param("profile=calibrated&gpus=1", "tp", "single", id="one GPU holds all"),
        pytest.param("profile=calibrated&layout=dp%2Bep", "dp+ep", "chosen", id="a reader's choice"),
    ],
)
def test_the_answer_names_the_layout_and_why(query: str, layout: str, why: str) -> None:
    told = _evaluation(query).layout
    assert (told.id, told.why) == (layout, why)
    assert layout_reason(told, "en")
    assert bool(told.source) == (why == "recipe" or bool(told.throughput))


def test_a_recipe_is_the_same_as_its_layout_chosen() -> None:
    usual = _evaluation("profile=calibrated&engine=vllm&batch=8")
    chosen = _evaluation("profile=calibrated&engine=vllm&batch=8&layout=tp%2Bep")
    assert usual.step == chosen.step
    assert usual.layout.throughput == chosen.layout.throughput == "dp+ep"


def test_a_readers_own_file_of_a_known_model_has_that_models_recipe() -> None:
    models = resources.files("roofline_app.data").joinpath("models.toml").read_text(encoding="utf-8")
    config = json.dumps(tomllib.loads(models)["deepseek-v4-pro"]["config"])
    scenario = decode("profile=calibrated&engine=vllm").scenario
    assert usual_layout(replace(scenario, model="custom", config=config)) is Layout.TENSOR_EXPERT


def test_the_reason_is_said_in_chinese() -> None:
    assert "方案" in layout_reason(_evaluation("profile=calibrated").layout, "zh")


@pytest.mark.parametrize(
    ("query", "heads"),
    [
        pytest.param("model=llama-3.1-8b&gpus=3", 32, id="32 heads over three"),
        pytest.param("model=llama-3.1-8b&gpus=8", 0, id="one key-value head each"),
        pytest.param("model=llama-3.1-8b&gpus=16", 0, id="key-value heads are copied"),
        pytest.param("model=llama-3.1-8b&gpus=1", 0, id="one GPU"),
        pytest.param("model=deepseek-v3&gpus=72", 128, id="a rack, tensor parallel"),
        pytest.param("model=deepseek-v3&gpus=72&layout=dp%2Bep", 0, id="each GPU attends for its own"),
        pytest.param("model=qwen3.5-27b&gpus=5", 16, id="recurrent heads too"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_heads_that_no_engine_divides_are_said(query: str, heads: int, language: str) -> None:
    evaluation = _evaluation(f"{query}&gpu=gb200-nvl72")
    assert evaluation.layout.undivided_heads == heads
    said = [notice for notice in answer(evaluation, language).notices if notice.startswith("gpus")]
    assert len(said) == (heads > 0)
    assert all(str(heads) in notice for notice in said)
    assert evaluation.step.seconds > 0.0


@pytest.mark.parametrize("gpus", [2, 4, 8])
def test_usual_nodes_divide_every_models_heads(gpus: int) -> None:
    assert not [key for key, spec in registry.models().items() if undivided_heads(spec, Layout.TENSOR, gpus)]
