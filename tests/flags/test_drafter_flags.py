"""Commands of draft trees and of kinds whose weights another kind's line can run."""

from __future__ import annotations

import pytest

from roofline_app.flags import serving_flags
from roofline_app.query import decode


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
