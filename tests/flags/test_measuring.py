"""The recipe that measures: decoding alone, at the setting's context, both servers' results kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_queries import command_queries
from hypothesis import given, settings, strategies as st
from shell_words import option_values, programs, value

from roofline_app.calibration.benchmarks import import_file
from roofline_app.evaluation import evaluate
from roofline_app.flags import ENGINES, Flags, serving_flags
from roofline_app.flags.lengths import SHORT_OUTPUT, measured_lengths
from roofline_app.query import decode
from roofline_app.results.target import Memory, MemoryParts

every_engine = pytest.mark.parametrize("engine", ENGINES)


def _flags(query: str, engine: str) -> Flags:
    return serving_flags(decode(query).scenario, engine)


def _memory(kv: float, spare: float) -> Memory:
    parts = MemoryParts(weights=1e9, kv=kv, state=0.0, drafter=0.0, reserve=0.0)
    return Memory(
        needed_bytes=1e9 + kv, capacity_bytes=1e9 + kv + spare, fits=True, largest_batch=1, parts=parts, drafter=""
    )


@settings(deadline=None)
@given(
    st.integers(1, 2_000_000),
    st.integers(2048, 2_000_000),
    st.integers(0, 64),
    st.floats(0, 1e12),
    st.floats(-1e12, 1e12),
)
def test_a_measured_sequence_ends_within_the_models_context(
    context: int, limit: int, drafts: int, kv: float, spare: float
) -> None:
    lengths = measured_lengths(context, 8, limit=limit, draft_tokens=drafts, memory=_memory(kv, spare))
    assert lengths.input_tokens >= 1
    assert lengths.output_tokens >= 2
    assert lengths.input_tokens + lengths.output_tokens + drafts < lengths.longest <= limit
    # It stands at the setting's context, unless the model's own ends before.
    room = limit - context - drafts - 64
    assert lengths.middle <= context + 1
    assert abs(lengths.middle - context) <= 1 or room < SHORT_OUTPUT


@pytest.mark.parametrize("spare", [0.0, 0.1, 0.5, 10.0])
def test_a_long_output_needs_no_more_cache_than_there_is(spare: float) -> None:
    lengths = measured_lengths(4096, 8, limit=131072, draft_tokens=0, memory=_memory(1e9, spare * 1e9))
    assert lengths.input_tokens + lengths.output_tokens <= max(4096 * (1 + spare), 4096 + SHORT_OUTPUT / 2) + 1


def test_where_memory_allows_outputs_are_several_times_their_prompts() -> None:
    lengths = measured_lengths(4096, 8, limit=131072, draft_tokens=15, memory=_memory(1e9, 1e12))
    assert lengths.output_tokens >= 5 * lengths.input_tokens


@every_engine
@pytest.mark.parametrize("query", [query for query in command_queries(40) if "ngram" not in query])
def test_all_sequences_start_together_on_prompts_that_were_read_before(engine: str, query: str) -> None:
    measure = _flags(query, engine).measure
    if not measure:
        return
    clients = [step.command for step in measure if "--random-input-len" in step.command]
    reading, *measuring = [dict(option_values(next(programs(command)))) for command in clients]
    assert reading["--random-output-len"] == ["1"]
    assert not any("file" in name or "save" in name for name in reading)
    for given_options in measuring:
        assert given_options["--num-prompts"] == given_options["--max-concurrency"] == reading["--num-prompts"]
        assert given_options["--random-input-len"] == reading["--random-input-len"]


def test_what_one_server_wrote_the_other_ones_run_keeps() -> None:
    query = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=8&drafter=eagle3"
    assert "--append-result" in _flags(query, "vllm").measure[-1].command
    files = [value(step.command, "--result-filename") for step in _flags(query, "tensorrt-llm").measure[-2:]]
    assert len(set(files)) == 2
    # SGLang's client appends by itself: one command for both servers.
    assert sum("--output-file" in step.command for step in _flags(query, "sglang").measure) == 1


def test_an_appended_file_holds_both_runs(tmp_path: Path) -> None:
    run = {
        "backend": "vllm", "model_id": "Qwen/Qwen3-8B", "num_prompts": 8, "max_concurrency": 8, "completed": 8,
        "total_input_tokens": 8192, "total_output_tokens": 49152, "duration": 60.0, "output_throughput": 819.2,
        "mean_ttft_ms": 20.0, "mean_tpot_ms": 9.5,
    }  # fmt: skip
    drafting = run | {
        "mean_tpot_ms": 4.0, "spec_decode_acceptance_length": 3.0, "spec_decode_num_drafts": 100,
        "spec_decode_draft_tokens": 500, "spec_decode_accepted_tokens": 200,
    }  # fmt: skip
    file = tmp_path / "speculation.json"
    file.write_text("\n".join(json.dumps(one) for one in (run, drafting)), encoding="utf-8")
    points = import_file(file.name, file.read_bytes()).points
    assert [point.tokens_per_round for point in points] == [1.0, 3.0]


@every_engine
@pytest.mark.parametrize(
    ("query", "ends"),
    [
        ("model=llama-2-7b&gpu=a100-80gb&gpus=1&batch=8&drafter=eagle3", True),
        ("model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=1&context=40960&drafter=eagle3", True),
        ("model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=1&context=4096&drafter=eagle3", False),
        ("preset=long-context", True),
    ],
)
def test_another_context_than_the_settings_is_said(engine: str, query: str, ends: bool) -> None:
    assert any("on average" in note for note in _flags(query, engine).notes) == ends


@every_engine
@pytest.mark.parametrize(("requests", "sent"), [("", 64), ("&requests=100", 100)])
def test_requests_that_a_setting_states_are_measured_whole(engine: str, requests: str, sent: int) -> None:
    node = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=16&drafter=eagle3&prompt=3000&output=500"
    flags = _flags(node + requests, engine)
    clients = [step.command for step in flags.measure if "--random-input-len" in step.command]
    for command in clients:
        assert value(command, "--random-input-len") == "3000"
        assert value(command, "--random-output-len") == "500"
        assert value(command, "--num-prompts") == str(sent)
        assert value(command, "--max-concurrency") == "16"
    assert any("Whole requests" in note for note in flags.notes)
    assert not any("Decoding alone" in note for note in flags.notes)
    # A request beyond the model's context is cut, and that is said.
    cut = _flags(node.replace("prompt=3000", "prompt=41000"), engine)
    assert int(value(cut.measure[-1].command, "--random-input-len")) < 40960 - 500
    assert any("on average" in note for note in cut.notes)


@pytest.mark.parametrize(
    "node",
    [
        "model=deepseek-v4-pro&gpu=b200&gpus=8&batch=32",
        "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8",
        "model=qwen3-32b&gpu=h200-sxm&gpus=2&batch=16",
        "model=gpt-oss-120b&gpu=b200&gpus=1&batch=16",
    ],
)
def test_even_prompts_that_are_not_kept_hardly_lower_a_measured_speedup(node: str) -> None:
    query = f"{node}&context=4096&drafter=block,acceptance=0.85,cost=0.1,block=15"
    client = _flags(query, "vllm").measure[-1].command
    lengths = [int(value(client, f"--random-{part}-len")) for part in ("input", "output")]
    seen = []
    for prompt, output in (lengths, (3584, 1024)):
        found = evaluate(decode(f"{query}&prompt={prompt}&output={output}").scenario)
        assert found.end_to_end is not None
        plain, drafting = found.end_to_end.without, found.end_to_end.drafters[0]
        measured = plain.seconds_per_output_token / drafting.seconds_per_output_token
        seen.append(measured / found.drafters[0].best.speedup)
    printed, short = seen
    assert printed > 0.95
    # Outputs of 1,024 tokens after prompts of 3,584, all at once, would tell less.
    assert short < printed - 0.02
