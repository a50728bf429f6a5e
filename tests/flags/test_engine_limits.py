"""Where a setting goes beyond what an engine does by itself, its commands say so; defaults are those of the sources.

vLLM 0.33.0: engine/arg_utils.py (`get_batch_defaults`), config/vllm.py (`_set_cudagraph_sizes`); SGLang 0.5.23:
srt/arg_groups/memory_hook.py; TensorRT-LLM: `CudaGraphConfig` of llmapi/llm_args.py.
"""

from __future__ import annotations

import json

import pytest
from command_queries import command_queries
from shell_words import option_values, programs, value, written

from roofline_app import registry
from roofline_app.flags import Flags, serving_flags
from roofline_app.query import decode

DENSE = "model=llama-3.1-8b&gpus=1&context=512"
BUDGETS = {"h100-sxm": 8192, "h200-sxm": 8192, "a100-80gb": 2048, "l40s": 2048, "b200": 16384, "mi300x": 16384}


def _flags(query: str, engine: str) -> Flags:
    return serving_flags(decode(query).scenario, engine)


def _options(command: str) -> dict[str, list[str]]:
    (words,) = programs(command)
    return dict(option_values(words))


def _servers(flags: Flags) -> list[str]:
    return [step.command for step in (flags.serve, *flags.measure) if "bench" not in step.command]


@pytest.mark.parametrize("gpu", BUDGETS)
@pytest.mark.parametrize("batch", [64, 256, 512, 1024, 2048, 4096])
@pytest.mark.parametrize("drafter", ["eagle3", "block", "mtp,acceptance=0.9,cost=0.01"])
def test_vllms_token_budget_has_room_for_every_sequence_and_its_drafts(gpu: str, batch: int, drafter: str) -> None:
    flags = _flags(f"{DENSE}&gpu={gpu}&batch={batch}&drafter={drafter}", "vllm")
    longest = 0
    for command in _servers(flags):
        given = _options(command)
        if "--speculative-config" in given:
            longest = max(longest, json.loads(given["--speculative-config"][0])["num_speculative_tokens"])
        budget = int(given.get("--max-num-batched-tokens", [str(BUDGETS[gpu])])[0])
        assert batch * (longest + 1) <= budget
        # What the default has room for is left to it.
        assert ("--max-num-batched-tokens" in given) == (batch * (longest + 1) > BUDGETS[gpu]) or "dummy" in command


def test_both_measured_servers_have_the_same_budget() -> None:
    plain, drafting = _servers(_flags(f"{DENSE}&gpu=a100-80gb&batch=512&drafter=eagle3", "vllm"))[1:]
    assert value(plain, "--max-num-batched-tokens") == value(drafting, "--max-num-batched-tokens")


@pytest.mark.parametrize(("gpu", "most"), [("h100-sxm", 512), ("b200", 1024), ("rtx-5090", 512), ("mi300x", 512)])
@pytest.mark.parametrize(("batch", "captured"), [(4, True), (32, None), (64, None), (65, None), (1024, False)])
def test_vllm_is_told_to_capture_passes_beyond_512_tokens_1024_on_blackwell(
    gpu: str, most: int, batch: int, captured: bool | None
) -> None:
    flags = _flags(f"{DENSE}&gpu={gpu}&batch={batch}&drafter=block,acceptance=0.9,cost=0.01", "vllm")
    tokens = batch * (flags.draft_tokens + 1)
    assert captured is None or captured == (tokens <= most)
    for command in (flags.serve.command, flags.measure[1].command):
        sizes = [int(size) for size in _options(command).get("--cudagraph-capture-sizes", [])]
        assert (sizes == []) == (tokens <= most)
        assert sizes == [] or tokens in sizes


@pytest.mark.parametrize("query", [query for query in command_queries(80) if "layout=dp" not in query])
def test_captured_sizes_are_whole_batches_of_the_schedules_lengths(query: str) -> None:
    given = _options(_flags(query, "vllm").serve.command)
    if "--cudagraph-capture-sizes" not in given or "--speculative-config" not in given:
        return
    config = json.loads(given["--speculative-config"][0])
    longest, batch = config["num_speculative_tokens"], int(given["--max-num-seqs"][0])
    schedule = config.get("num_speculative_tokens_per_batch_size", [[1, batch, longest]])
    possible = {
        count * (length + 1) for first, last, length in schedule for count in range(first, min(last, batch) + 1)
    }
    assert {int(size) for size in given["--cudagraph-capture-sizes"]} <= possible


@pytest.mark.parametrize(
    ("gpu", "gpus", "batch", "told"),
    [
        ("h100-sxm", 1, 256, False),
        ("h100-sxm", 1, 257, True),
        ("h200-sxm", 8, 512, False),
        ("h200-sxm", 8, 513, True),
        ("b200", 1, 512, False),
        ("b200", 1, 1024, True),
        ("l40s", 1, 33, True),
        ("rtx-5090", 1, 48, False),
    ],
)
def test_sglang_is_told_to_capture_batches_beyond_its_default(gpu: str, gpus: int, batch: int, told: bool) -> None:
    flags = _flags(f"model=llama-3.1-8b&gpu={gpu}&gpus={gpus}&batch={batch}&context=512&drafter=eagle3", "sglang")
    for command in _servers(flags):
        assert _options(command).get("--cuda-graph-max-bs-decode") == ([str(batch)] if told else None)


@pytest.mark.parametrize(
    ("batch", "told"), [(8, False), (31, False), (32, False), (48, True), (64, False), (128, False), (256, True)]
)
def test_tensorrt_llm_is_told_to_pad_and_capture_what_its_default_leaves_out(batch: int, told: bool) -> None:
    flags = _flags(f"{DENSE}&gpu=h100-sxm&batch={batch}&drafter=eagle3", "tensorrt-llm")
    wanted = ["cuda_graph_config:", f"  max_batch_size: {batch}", "  enable_padding: true"]
    for command in _servers(flags):
        lines = written(command)
        assert ("cuda_graph_config:" in lines) == told
        assert not told or lines[lines.index("cuda_graph_config:") :][:3] == wanted


@pytest.mark.parametrize("context", [4096, 32768, 131072])
def test_tensorrt_llm_splits_prompts_that_are_longer_than_a_pass(context: int) -> None:
    flags = _flags(f"model=llama-3.1-8b&gpu=h200-sxm&gpus=1&batch=1&context={context}&drafter=eagle3", "tensorrt-llm")
    prompt = int(value(flags.measure[-1].command, "--random-input-len"))
    for command in _servers(flags):
        assert ("--enable_chunked_prefill" in _options(command)) == (prompt > 8192)


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm"])
def test_a_batch_within_the_defaults_needs_no_more_options(engine: str) -> None:
    flags = _flags(f"{DENSE}&gpu=h100-sxm&batch=16&drafter=eagle3", engine)
    assert not any("defaults" in note for note in flags.notes)
    larger = _flags(f"{DENSE}&gpu=h100-sxm&batch=2048&drafter=eagle3", engine)
    assert any("defaults" in note for note in larger.notes)


@pytest.mark.parametrize("engine", ["vllm", "tensorrt-llm"])
@pytest.mark.parametrize("layout", ["dp%2Btp", "dp%2Bep"])
@pytest.mark.parametrize("batch", [3, 64, 1000])
def test_data_parallel_ranks_share_the_batch_and_draft_alike(engine: str, layout: str, batch: int) -> None:
    query = f"model=deepseek-r1&gpu=h200-sxm&gpus=8&batch={batch}&layout={layout}&drafter=mtp"
    flags = _flags(query, engine)
    option = registry.engine(engine).flags["batch"]
    for command in _servers(flags):
        assert int(value(command, option)) == -(-batch // 8)
        assert "per_batch_size" not in command
        assert "draft_len_schedule" not in command
    if engine == "vllm":
        config = json.loads(value(flags.serve.command, "--speculative-config"))
        assert config["num_speculative_tokens"] == flags.draft_tokens
    assert any(option in note for note in flags.notes)
    # The clients send all of them.
    assert value(flags.measure[-1].command, "--max-concurrency") == str(batch)


def test_sglang_counts_the_sequences_of_all_ranks() -> None:
    flags = _flags("model=deepseek-r1&gpu=h200-sxm&gpus=8&batch=64&layout=dp%2Bep&drafter=mtp", "sglang")
    assert value(flags.serve.command, "--max-running-requests") == "64"
