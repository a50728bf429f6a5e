"""Commands of draft trees and of kinds whose weights another kind's line can run."""

from __future__ import annotations

import pytest

from roofline_app.flags import serving_flags
from roofline_app.query import decode
from roofline_app.registry import engine_ids


def test_a_tree_is_served_where_the_engine_drafts_trees_and_said_to_be_a_chain_elsewhere() -> None:
    query = "model=llama-3.1-8b&gpu=h100-sxm&gpus=1&batch=1&drafter=eagle3,topk=4,verified=16"
    tree = serving_flags(decode(query).scenario, "sglang")
    words = tree.serve.command.split()
    assert words[words.index("--speculative-eagle-topk") + 1] == "4"
    assert words[words.index("--speculative-num-steps") + 1] == str(tree.draft_tokens)
    # SGLang counts the root among the verified tokens; drafted tokens can be kept along a chain only.
    assert words[words.index("--speculative-num-draft-tokens") + 1] == "17"
    assert "SGLANG_SIMULATE_ACC_TOKEN_MODE=fixed" in tree.measure[1].command
    chain = serving_flags(decode(query.replace(",topk=4,verified=16", "")).scenario, "sglang")
    assert "SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token" in chain.measure[1].command
    for engine in ("vllm", "tensorrt-llm"):
        served = serving_flags(decode(query).scenario, engine)
        plain = serving_flags(decode(query.replace(",topk=4,verified=16", "")).scenario, engine)
        assert served.serve == plain.serve
        assert any("drafts chains" in note for note in served.notes)


@pytest.mark.parametrize("line", ["dspark", "block,model=qwen3-8b-dspark", "block,model=qwen3-8b-dspark,cost=physical"])
def test_dspark_weights_are_served_as_dspark_with_seven_drafts(line: str) -> None:
    query = f"model=qwen3-8b&gpu=b200&gpus=1&batch=1&drafter={line},acceptance=0.95"
    words = serving_flags(decode(query).scenario, "sglang").serve.command.split()
    assert words[words.index("--speculative-algorithm") + 1] == "DSPARK"
    assert words[words.index("--speculative-dspark-block-size") + 1] == "7"
    assert words[words.index("--speculative-num-draft-tokens") + 1] == "8"
    assert '"method": "dspark"' in serving_flags(decode(query).scenario, "vllm").serve.command


def test_adaptive_verification_is_asked_for_where_the_engine_has_it() -> None:
    """DSpark in vLLM has it, sized at every step; SGLang has it by its environment, TensorRT-LLM not at all."""
    base = "model=qwen3-8b&gpu=b200&gpus=1&batch=64&profile=calibrated&drafter=dspark"
    plain, asked = (serving_flags(decode(base + more).scenario, "vllm") for more in ("", ",spread=0.3"))
    assert "enable_adaptive_verification" not in plain.serve.command
    assert '"num_speculative_tokens": 7' in asked.serve.command
    assert '"enable_adaptive_verification": true' in asked.serve.command
    assert "num_speculative_tokens_per_batch_size" not in asked.serve.command
    assert any("takes no budget from outside" in note for note in asked.notes)
    assert "enable_adaptive_verification" in serving_flags(decode(f"budget=256&{base}").scenario, "vllm").serve.command
    notes = {engine: serving_flags(decode(f"{base},spread=0.3").scenario, engine).notes for engine in engine_ids()}
    assert any("SGLANG_RAGGED_VERIFY_MODE=compact" in note for note in notes["sglang"])
    assert any("every draft is verified whole" in note for note in notes["tensorrt-llm"])
    other = serving_flags(decode("model=qwen3-8b&gpu=b200&gpus=1&drafter=eagle3,spread=0.3").scenario, "vllm")
    assert "enable_adaptive_verification" not in other.serve.command
    assert any("every draft is verified whole" in note for note in other.notes)
