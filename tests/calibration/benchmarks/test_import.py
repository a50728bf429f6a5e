from __future__ import annotations

import json
import math
import random
import time
from dataclasses import fields
from typing import Any

import pytest
from benchmark_samples import (
    AIPERF,
    GENAI_PERF,
    LLAMA_BENCH,
    LLAMA_SERVER,
    SGLANG_BATCH,
    SGLANG_BATCH_SERVER,
    SGLANG_SERVING,
    TENSORRT_LLM,
    TENSORRT_LLM_SERVING,
    VLLM_SERVING,
    lines,
    log_line,
    without,
)
from hypothesis import given, settings, strategies as st
from pasted_samples import (
    LLAMA_LOG,
    LLAMA_TABLE,
    SGLANG_BLOCK,
    TENSORRT_LLM_BLOCK,
    VLLM_BLOCK,
    VLLM_START,
    decode_line,
    engine_line,
    metrics,
)

from roofline_app.calibration.benchmarks import (
    LARGEST_BYTES,
    MOST_POINTS,
    MeasuredPoint,
    MeasurementError,
    as_json,
    import_file,
)

CSV = "batch,model,seconds_per_token,tokens_per_round,draft_tokens,survival\n8,m,0.004,2.5,3,0.8:0.45:0.25\n"
SAMPLES = {
    "sglang_serving": lines(SGLANG_SERVING),
    "sglang_batch_server": lines(SGLANG_BATCH_SERVER),
    "sglang_batch": lines(SGLANG_BATCH),
    "vllm_serving": lines(VLLM_SERVING),
    "tensorrt_llm": lines(TENSORRT_LLM),
    "tensorrt_llm_serving": lines(TENSORRT_LLM_SERVING),
    "aiperf": lines(AIPERF),
    "genai_perf": lines(GENAI_PERF),
    "llama_bench": lines(LLAMA_BENCH),
    "llama_server": lines(LLAMA_SERVER),
    "vllm_log": log_line(100, [80, 45, 25]).encode(),
    "vllm_metrics": metrics(100, 300, 150, [80, 45, 25]).encode(),
    "sglang_log": decode_line(8, 500, accepted=2.5, tokens=16_000).encode(),
    "csv": CSV.encode(),
}
# Texts that only fuzzing shares with files: several points, or the kind of the same client's file.
TEXTS = {
    "vllm_block": VLLM_BLOCK.encode(),
    "sglang_block": SGLANG_BLOCK.encode(),
    "tensorrt_llm_block": TENSORRT_LLM_BLOCK.encode(),
    "llama_table": LLAMA_TABLE.encode(),
    "llama_log": LLAMA_LOG.encode(),
    "engine_lines": (VLLM_START + (engine_line(8, 1600) + log_line(100, [80, 45, 25])) * 2).encode(),
}
RUNS = (
    SGLANG_SERVING,
    SGLANG_BATCH_SERVER,
    SGLANG_BATCH,
    VLLM_SERVING,
    TENSORRT_LLM,
    TENSORRT_LLM_SERVING,
    AIPERF,
    GENAI_PERF,
    LLAMA_BENCH,
    LLAMA_SERVER,
)


@pytest.mark.parametrize(("kind", "content"), SAMPLES.items())
@pytest.mark.parametrize("name", ["a.jsonl", "b.csv", "c.log", "no extension", ""])
def test_a_file_is_recognised_by_what_it_holds(kind: str, content: bytes, name: str) -> None:
    imported = import_file(name, content)
    assert [point.file_format for point in imported.points] == [kind]


def test_runs_of_several_kinds_in_one_file_are_all_read() -> None:
    kinds = [point.file_format for point in import_file("all.jsonl", lines(*RUNS)).points]
    engines = ["sglang_serving", "sglang_batch_server", "sglang_batch", "vllm_serving"]
    engines += ["tensorrt_llm", "tensorrt_llm_serving"]
    assert kinds == [*engines, "aiperf", "genai_perf", "llama_bench", "llama_server"]


def test_a_line_cut_by_a_crash_leaves_the_others() -> None:
    imported = import_file("run.jsonl", lines(SGLANG_BATCH) + b"\n" + lines(SGLANG_BATCH)[:-1] + b'\n{"run_name": "def')
    assert len(imported.points) == 2
    assert imported.notices[0].text == "line 4, object: not complete JSON; the row is left out"


def test_a_document_cut_by_a_crash_leaves_those_before() -> None:
    text = json.dumps(SGLANG_BATCH, indent=1) + "\n" + json.dumps(SGLANG_BATCH, indent=1)[:-20]
    imported = import_file("run.json", text.encode())
    assert len(imported.points) == 1
    assert "not JSON" in imported.notices[0].text


def test_rows_of_no_known_kind_are_named() -> None:
    imported = import_file("run.jsonl", lines(SGLANG_BATCH) + b'{"a": 1}\n3\n')
    assert [notice.text for notice in imported.notices] == [
        "line 2, fields: those of no known benchmark; the row is left out",
        "line 3, object: missing; the row is left out",
    ]


def test_the_time_per_token_alone_is_enough_to_recognise_a_served_run() -> None:
    run = {"mean_tpot_ms": 5.0, "max_concurrency": 2}
    assert import_file("a.json", lines(run)).points[0].file_format == "vllm_serving"
    assert import_file("a.json", lines(run | {"backend": "sglang-oai"})).points[0].file_format == "sglang_serving"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "content: empty", id="empty"),
        pytest.param(b" \n\t", "content: empty", id="blank"),
        pytest.param(b"\x00\x01\x02", "content: binary", id="binary"),
        pytest.param(b"\x1f\x8b\x08\x00" + b"\xff" * 20, "content: neither UTF-8 nor UTF-16", id="compressed"),
        pytest.param("caf\u00e9, \u00fc".encode("latin-1"), "content: neither UTF-8 nor UTF-16", id="latin-1"),
        pytest.param(b"\xff\xfea", "content: neither UTF-8 nor UTF-16", id="half a UTF-16 character"),
        pytest.param(b"hello", "content: no benchmark of SGLang, vLLM or TensorRT-LLM", id="prose"),
        pytest.param(b"a,b\n1,2\n", "content: no benchmark of SGLang, vLLM or TensorRT-LLM", id="another table"),
        pytest.param(b"{", "content: not JSON", id="cut JSON"),
        pytest.param(b"[]", "content: no row that can be used", id="no rows"),
        pytest.param(b"[1, 2]", "line 1, object: missing", id="numbers"),
        pytest.param(b'{"a": 1}', "fields: those of no known benchmark", id="another object"),
        pytest.param(b"[" * 100_000, "content: nested more than 64 levels deep", id="deep lists"),
        pytest.param(b'{"a":' * 100_000, "content: nested more than 64 levels deep", id="deep tables"),
        pytest.param(b"[" + b"[]," * 1_500_000 + b"0]", "content: more than 1048576 tables", id="many lists"),
        pytest.param(b'{"mean_tpot_ms": ' + b"9" * 10_000 + b"}", "max_concurrency: missing", id="endless digits"),
    ],
)
def test_a_file_that_is_none_of_ours_is_refused_in_one_line(content: bytes, said: str) -> None:
    with pytest.raises(MeasurementError) as refused:
        import_file("strange.bin", content)
    message = str(refused.value)
    assert message.startswith("strange.bin: ")
    assert said in message
    assert "\n" not in message


def test_a_file_of_100_mb_is_refused_at_once() -> None:
    began = time.perf_counter()
    with pytest.raises(MeasurementError, match="content: 100000000 bytes are more than 16777216"):
        import_file("big.jsonl", b" " * 100_000_000)
    assert time.perf_counter() - began < 1


@pytest.mark.wide
@pytest.mark.parametrize(
    "pattern",
    [b'"', b'"\\', b"{}\n", b"[", b'{"a":1}', b"SpecDecoding metrics: ", b"SpecDecoding metrics:\n", b"\n", b"9,"],
)
def test_a_hostile_file_of_the_largest_size_takes_seconds_only(pattern: bytes) -> None:
    began = time.perf_counter()
    for start in (b"", b"[", b"batch,seconds_per_token\n"):
        with pytest.raises(MeasurementError):
            import_file("hostile", start + pattern * ((LARGEST_BYTES // 8) // len(pattern)))
    assert time.perf_counter() - began < 30


def test_a_hostile_name_stays_short_and_on_one_line() -> None:
    with pytest.raises(MeasurementError) as refused:
        import_file("evil\n\u202e" + "x" * 10_000, b"")
    message = str(refused.value)
    assert len(message) < 120
    assert message.isprintable()


def test_values_of_a_file_stay_short_and_on_one_line() -> None:
    run = SGLANG_BATCH | {"run_name": "a\nb\u2028" + "y" * 500, "batch_size": "<b>\n" + "z" * 500}
    with pytest.raises(MeasurementError) as refused:
        import_file("run.jsonl", lines(run))
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()


def test_only_the_first_points_of_an_endless_file_are_kept() -> None:
    small = {"batch_size": 1, "median_decode_latency": 0.01}
    imported = import_file("run.jsonl", lines(small) * (MOST_POINTS + 10))
    assert len(imported.points) == MOST_POINTS
    assert f"only the first {MOST_POINTS} rows are read" in imported.notices[-1].text


def test_notices_beyond_a_few_dozen_are_counted() -> None:
    imported = import_file("run.jsonl", lines(SGLANG_BATCH) + b'{"a": 1}\n' * 100)
    assert len(imported.notices) == 41
    assert imported.notices[-1].text == "60 further rows were left out"


def test_an_import_can_be_written_as_json() -> None:
    for content in SAMPLES.values():
        written = json.dumps(as_json(import_file("file", content)), allow_nan=False)
        (point,) = json.loads(written)["points"]
        assert set(point) == {field.name for field in fields(MeasuredPoint)}
        assert all(sentence.endswith(".") for sentence in point["assumptions"])


def test_a_refusal_can_be_said_in_any_language() -> None:
    with pytest.raises(MeasurementError) as refused:
        import_file("run.jsonl", lines(without(SGLANG_BATCH, "batch_size") | {"acc_length": 1, "last_ttft": 1}))
    assert refused.value.reason.say("zh")


def _holds(point: MeasuredPoint) -> None:
    """Check what every point promises, however it came about."""
    for name in ("batch", "input_tokens", "output_tokens", "context_tokens", "seconds_per_token", "seconds_per_round"):
        value = getattr(point, name)
        assert value is None or (math.isfinite(value) and value > 0), name
    if point.tokens_per_round is not None:
        assert point.tokens_per_round >= 1
        assert point.draft_tokens is None or point.tokens_per_round <= point.draft_tokens + 1
    assert all(0 <= rate <= 1 for rate in point.survival)
    assert list(point.survival) == sorted(point.survival, reverse=True)


def _check(content: bytes) -> None:
    try:
        imported = import_file("fuzz", content)
    except MeasurementError as refused:
        message = str(refused)
        assert len(message.splitlines()) == 1
        return
    assert imported.points
    for point in imported.points:
        _holds(point)
    json.dumps(as_json(imported), allow_nan=False)


@given(st.binary(max_size=2000))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    _check(content)


@given(
    st.sampled_from(sorted(SAMPLES | TEXTS)),
    st.lists(st.tuples(st.integers(0, 5000), st.binary(max_size=8), st.integers(0, 8)), max_size=6),
)
@settings(max_examples=300)
def test_a_damaged_file_is_read_or_refused(kind: str, edits: list[tuple[int, bytes, int]]) -> None:
    content = bytearray((SAMPLES | TEXTS)[kind])
    for anywhere, piece, removed in edits:
        at = anywhere % (len(content) + 1)
        content[at : at + removed] = piece
    _check(bytes(content))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NUMBERS = st.floats() | st.integers(-(10**6), 10**6) | st.floats(0, 100)


def _changed(run: dict[str, Any], values: list[object], seed: int) -> dict[str, Any]:
    chooser = random.Random(seed)
    changed = dict(run)
    for value in values:
        name = chooser.choice(sorted(changed))
        inner = changed[name]
        if isinstance(inner, dict) and inner:
            changed[name] = inner | {chooser.choice(sorted(inner)): value}
        else:
            changed[name] = value
    return changed


@given(st.sampled_from(RUNS), st.lists(JSON | NUMBERS, max_size=8), st.integers(0, 1000))
@settings(max_examples=400)
def test_any_value_in_any_field_is_read_or_refused(run: dict[str, Any], values: list[object], seed: int) -> None:
    _check(lines(_changed(run, values, seed)))


@given(st.lists(st.lists(st.one_of(NUMBERS.map(str), st.text(max_size=12)), min_size=6, max_size=6), max_size=5))
@settings(max_examples=200)
def test_any_cells_are_read_or_refused(rows: list[list[str]]) -> None:
    header = CSV.splitlines()[0]
    _check("\n".join([header, *(",".join(row) for row in rows)]).encode("utf-8", "surrogatepass"))


@given(
    st.lists(
        st.tuples(
            st.floats(allow_nan=True).map(str),
            st.integers(-5, 10**18).map(str),
            st.integers(0, 10**18).map(str),
            st.lists(st.floats(-1, 2).map(lambda rate: f"{rate:.3f}") | st.text(max_size=4), max_size=5),
        ),
        max_size=5,
    )
)
@settings(max_examples=200)
def test_any_log_line_is_read_or_refused(intervals: list[tuple[str, str, str, list[str]]]) -> None:
    text = "".join(
        f"SpecDecoding metrics: Mean acceptance length: {length}, Accepted: {accepted} tokens, "
        f"Drafted: {drafted} tokens, Per-position acceptance rate: {', '.join(rates)}, Avg\n"
        for length, accepted, drafted, rates in intervals
    )
    _check(text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "above",
    ["$ cat result.json\n", "user@host:~/bench$ cat result.json\n", "Saved. The result:\n", "\x1b[32mdone\x1b[0m\n"],
)
def test_json_below_a_prompt_or_words_keeps_its_line(above: str) -> None:
    (point,) = import_file("pasted", above.encode() + lines(VLLM_SERVING)).points
    assert (point.file_format, point.source_line) == ("vllm_serving", 2)


@pytest.mark.parametrize("above", ["$ cat points.csv\n", "~/bench ❯ cat points.csv\n"])
def test_a_table_below_a_prompt_keeps_its_line(above: str) -> None:
    (point,) = import_file("pasted", above.encode() + CSV.encode()).points
    assert (point.file_format, point.source_line) == ("csv", 3)


def test_json_above_a_prompt_is_read_and_what_follows_is_said() -> None:
    imported = import_file("pasted", lines(VLLM_SERVING) + b"user@host:~$ ")
    assert len(imported.points) == 1
    assert "line 2" in imported.notices[0].text


def test_a_log_that_quotes_a_mark_within_json_stays_json() -> None:
    run = VLLM_SERVING | {"generated_texts": ["Decode batch", "SpecDecoding metrics:", "Serving Benchmark Result"]}
    assert [point.file_format for point in import_file("a.json", lines(run)).points] == ["vllm_serving"]
