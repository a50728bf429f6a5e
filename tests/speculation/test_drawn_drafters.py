"""Drawn drafters: the sizes of published ones give their terms, and what is drawn differently costs differently."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from config_files import QWEN3_8B
from reference_data import drafter_config_facts

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.model.drawn_drafter import model_sizes, read_drafter_config, trained_sizes
from roofline_app.query import decode, minified
from roofline_app.query.packed_config import packed
from roofline_app.resolved import ChosenDrafter, chosen_drafter
from roofline_app.results import DrafterResult, PhysicalDrafter
from roofline_app.scenario import ConstantAcceptance, Drafter, DrafterSizes, Scenario
from roofline_app.specs import SpecError
from roofline_app.verdict import answer

PLAIN = [
    (key, target)
    for key, drafter in registry.drafters().items()
    for target in drafter.targets
    if (model_sizes(registry.model(drafter.model)) if drafter.model else trained_sizes(drafter, 1))
]
TARGET = "model=qwen3-8b&gpu=h100-sxm&gpus=1"


def _line(key: str, **changes: object) -> Drafter:
    drafter = registry.drafter(key)
    line = Drafter(
        kind=drafter.kind, acceptance=ConstantAcceptance(acceptance=0.8), cost=None, block=drafter.block, model=""
    )
    return replace(line, **changes)  # type: ignore[arg-type]


def _chosen(line: Drafter, target: str) -> ChosenDrafter:
    found = chosen_drafter(line, Scenario(model=target, drafters=(line,)))
    assert found is not None
    return found


def _physical(parts: str) -> PhysicalDrafter:
    found = _result(parts).physical
    assert found is not None
    return found


def _result(parts: str) -> DrafterResult:
    decoded = decode(f"{TARGET}&drafter={parts}")
    assert not decoded.notices
    return evaluate(decoded.scenario).drafters[0]


@pytest.mark.parametrize(("key", "target"), PLAIN)
def test_the_sizes_of_a_published_drafter_give_its_terms(key: str, target: str) -> None:
    drafter = registry.drafter(key)
    real = _chosen(_line(key, model=drafter.model or key), target)
    words = registry.model(target).dimensions.vocab_size
    whole = model_sizes(registry.model(drafter.model)) if drafter.model else trained_sizes(drafter, words)
    assert whole is not None
    sizes = whole.as_stated()
    # What a kind has besides its layers, and learnt vectors, are no sizes: they come with what is drawn over.
    # Of two of a kind for one target the first stands in.
    second = not drafter.model and registry.drafter_for(target, drafter.kind) != drafter
    besides = second or drafter.sequential is not None or drafter.other_parameters > 0
    over = key if besides else drafter.model
    assert _chosen(_line(key, sizes=sizes, model=over), target).terms == real.terms
    if over:
        return
    # Over what stands in where nothing is registered: every size is one of those that are stated.
    strangers = [
        model.id
        for model in registry.models().values()
        if model.dimensions.hidden_size == drafter.hidden_size and not registry.drafter_for(model.id, drafter.kind)
    ]
    for stranger in strangers:
        assert (
            _chosen(_line(key, sizes=sizes), stranger).terms.body == _chosen(_line(key, model=key), stranger).terms.body
        )


@pytest.mark.parametrize("file", sorted(drafter_config_facts()))
def test_a_pasted_config_is_the_registered_drafter_of_that_file(file: str) -> None:
    config = drafter_config_facts()[file]
    name = {
        "llama3-8B-eagle3": "llama-3.1-8b-eagle3",
        "qwen3-30B-A3B-eagle3": "qwen3-30b-a3b-eagle3",
        "gpt-oss-120B-eagle3": "gpt-oss-120b-eagle3",
        "deepseek-v3-671b-eagle3": "deepseek-v3-eagle3",
        "qwen3-30B-A3B-eagle3.1": "qwen3-30b-a3b-eagle3.1",
    }.get(file, file)
    target = registry.drafter(name).targets[0]
    pasted = _line(name, config=minified(json.dumps(config)))
    assert _chosen(pasted, target).terms == _chosen(_line(name, model=name), target).terms


def test_a_pasted_draft_model_is_the_model() -> None:
    config = packed(json.dumps(QWEN3_8B))
    drawn, real = _physical(f"draft,drafter-config={config}"), _physical("draft,model=qwen3-8b")
    assert drawn.parameters == real.parameters
    assert drawn.weight_bytes == real.weight_bytes
    assert np.array_equal(drawn.seconds, real.seconds)
    assert drawn.sizes is not None
    assert (drawn.sizes.width, drawn.sizes.layers, drawn.assumed_sizes) == (4096, 36, ())


def test_a_next_token_layer_that_is_drawn_as_it_is_stays_as_it_is() -> None:
    drawn, real = _physical("mtp,layers=1"), _physical("mtp,cost=physical")
    assert (drawn.parameters, drawn.kv_bytes_per_token) == (real.parameters, real.kv_bytes_per_token)
    assert drawn.weight_bytes == pytest.approx(real.weight_bytes, rel=1e-12)
    assert drawn.seconds == pytest.approx(real.seconds, rel=1e-3)


def test_each_size_counts_what_it_is() -> None:
    # Qwen3 8B: width 4096. A layer of EAGLE-3: q, k, v read twice the width.
    base = "eagle3,layers=1,width=4096,heads=32,kv-heads=8,head-dim=128,ffn=12288,states=3,vocabulary=32000"
    one = _physical(base).parameters
    more = {
        "layers=2": 4096 * 6144 + 4096 * 4096 + 3 * 4096 * 12288,
        "ffn=12289": 3 * 4096,
        "states=4": 4096 * 4096,
        "vocabulary=32001": 4096,
        "kv-heads=16": 2 * 8 * 128 * 8192,
    }
    for size, expected in more.items():
        name, _, _ = size.partition("=")
        changed = ",".join(part for part in base.split(",") if not part.startswith(f"{name}="))
        grown = _physical(f"{changed},{size}").parameters - one
        # Further layers may norm, or read, what the first one does.
        assert grown >= expected
        assert grown <= expected * 1.6 if name == "layers" else grown == expected


def test_a_head_of_its_own_is_read_instead_of_the_targets() -> None:
    shared, own = _physical("block,head=shared,block=15"), _physical("block,vocabulary=32000,block=15")
    words = registry.model("qwen3-8b").dimensions.vocab_size
    assert own.parameters - shared.parameters == 32_000 * 4096
    assert own.seconds[1] < shared.seconds[1]
    whole = _physical("block,head=own,block=15")
    assert whole.parameters - shared.parameters == words * 4096
    assert whole.seconds[1] == pytest.approx(float(shared.seconds[1]), rel=1e-12)


@pytest.mark.parametrize("kind", ["eagle3", "block", "draft", "mtp"])
def test_narrower_formats_and_fewer_layers_take_fewer_bytes_and_no_longer(kind: str) -> None:
    whole = _physical(f"{kind},layers=4,precision=bf16")
    for smaller in (f"{kind},layers=4,precision=fp8", f"{kind},layers=3,precision=bf16", f"{kind},layers=4,width=512"):
        found = _physical(smaller)
        assert found.weight_bytes < whole.weight_bytes or "width" in smaller
        assert np.all(found.seconds <= whole.seconds)


def test_a_window_leaves_out_what_lies_before_it() -> None:
    query = "block,layers=6,block=15{}&context=65536"
    whole, windowed = (_physical(query.format(more)) for more in ("", ",window=4096,full-layers=1"))
    assert windowed.seconds[1] < whole.seconds[1]
    assert windowed.parameters == whole.parameters
    assert windowed.sizes is not None
    assert (windowed.sizes.window, windowed.sizes.full_layers) == (4096, 1)


def test_what_is_not_stated_is_said_and_another_width_too() -> None:
    decoded = decode(f"{TARGET}&drafter=eagle3,layers=2&drafter=block,width=1024,block=15&drafter=mtp")
    first, second = answer(evaluate(decoded.scenario)).notices[:2]
    assert first.startswith("EAGLE-3: sizes that are not stated are taken as width=4096, heads=32, kv-heads=")
    assert "layers=" not in first
    assert second.startswith("Block: sizes that are not stated are taken as")
    said = answer(evaluate(decoded.scenario)).notices
    assert sum("of another width than Qwen3 8B" in notice for notice in said) == 1


@pytest.mark.parametrize(("model", "is_said"), [("deepseek-v3.2", True), ("qwen3-8b", False)])
def test_a_layer_of_another_build_is_said_to_be_drawn_as_a_dense_one(model: str, is_said: bool) -> None:
    decoded = decode(f"model={model}&gpu=h200-sxm&gpus=8&drafter=mtp,layers=1")
    said = answer(evaluate(decoded.scenario)).notices
    assert any("MTP: drawn as dense layers of attention" in notice for notice in said) == is_said


def test_other_widths_count_an_embedding_and_a_matrix_before_a_shared_head() -> None:
    spec = registry.model("qwen3-8b").dimensions
    shared, own = _physical("block,width=1024,block=15"), _physical("block,width=1024,vocabulary=1000,block=15")
    assert shared.joins_widths
    assert shared.parameters - own.parameters == 1024 * 4096 - 1000 * 1024
    assert shared.weight_bytes > spec.vocab_size * 1024 * 2


@pytest.mark.parametrize(
    ("kind", "config", "why"),
    [
        ("block", "{", "not JSON"),
        ("block", "[]", "config.json"),
        ("block", {"architectures": ["NoSuchDrafter"]}, "architectures: drafter NoSuchDrafter is not modelled"),
        ("eagle3", drafter_config_facts()["qwen3-8b-dflash"], "architectures: a drafter of kind block, not eagle3"),
        ("eagle3", {"quantization_config": {"quant_method": "fp8"}}, "quantization_config"),
        ("eagle3", {"architectures": ["LlamaForCausalLMEagle3"], "vocab_size": None}, "vocab_size: missing"),
        ("mtp", {}, "drafter-config: MTP has no config.json of its own"),
        ("draft", {"model_type": "qwen3"}, "hidden_size"),
    ],
)
def test_a_config_that_is_no_drafter_of_the_kind_is_refused_by_field(kind: str, config: object, why: str) -> None:
    text = config if isinstance(config, str) else json.dumps(config)
    with pytest.raises(SpecError, match=why):
        read_drafter_config(registry.drafter_kinds().values(), registry.drafter_kind(kind), text)


@pytest.mark.parametrize(
    ("sizes", "field"),
    [
        (DrafterSizes(heads=30, kv_heads=8), "kv_heads"),
        (DrafterSizes(layers=0), "layers"),
        (DrafterSizes(ffn=0), "intermediate_size"),
        (DrafterSizes(width=0), "hidden_size"),
    ],
)
@pytest.mark.parametrize("kind", ["eagle3-like", "block-like"])
def test_sizes_that_nothing_can_have_are_refused_by_field(kind: str, sizes: DrafterSizes, field: str) -> None:
    key = {"eagle3-like": "qwen3-8b-eagle3", "block-like": "qwen3-8b-dflash"}[kind]
    with pytest.raises(SpecError, match=field):
        _chosen(_line(key, sizes=sizes), "qwen3-8b")


def test_a_head_without_words_of_its_own_has_all_of_them() -> None:
    config = dict(drafter_config_facts()["qwen3-8b-eagle3"])
    words = config.pop("draft_vocab_size", None)
    assert words
    found = read_drafter_config(registry.drafter_kinds().values(), registry.drafter_kind("eagle3"), json.dumps(config))
    assert found.vocab_size == config["vocab_size"]  # type: ignore[union-attr]
