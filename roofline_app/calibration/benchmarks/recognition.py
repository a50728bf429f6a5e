"""Which reader takes a JSON object, by the fields that only one kind of file has, in any version."""

from __future__ import annotations

from collections.abc import Callable

from roofline_app.calibration.benchmarks import (
    client_summaries,
    llama_bench,
    llama_server,
    sglang_bench,
    trtllm_bench,
    vllm_bench,
)
from roofline_app.calibration.benchmarks.points import MeasuredPoint
from roofline_app.calibration.benchmarks.run_fields import Row

Reader = Callable[[Row], MeasuredPoint]

_SGLANG_BATCH = ("median_decode_latency", "prefill_latency")
_SGLANG_BATCH_SERVER = ("acc_length", "last_ttft", "last_gen_throughput")
_VLLM = ("endpoint_type", "tokenizer_id", "total_token_throughput", "mean_e2el_ms", "spec_decode_acceptance_length")
_SGLANG = (
    "accept_length",
    "mean_e2e_latency_ms",
    "median_e2e_latency_ms",
    "total_output_tokens_retokenized",
    "output_throughput_retokenized",
    "server_info",
    "random_input_len",
)
_EITHER = ("mean_tpot_ms", "median_tpot_ms")


def recognised(row: Row) -> Reader | None:
    """Return the function that reads a JSON object, chosen by its fields.

    Args:
        row: The object.

    Returns:
        The reader, or None where no engine's benchmark is recognised.
    """
    if row.is_table("performance") and (row.is_table("request_info") or row.is_table("engine")):
        return trtllm_bench.report
    if client_summaries.is_summary(row):
        return client_summaries.summary
    if llama_server.is_timed(row):
        return llama_server.timed
    # The first match counts: TensorRT-LLM's client grew out of vLLM's, and keeps most of its fields.
    by_fields: tuple[tuple[tuple[str, ...], Reader], ...] = (
        ((*_SGLANG_BATCH,) if row.has("batch_size") else (), sglang_bench.batch),
        ((*_SGLANG_BATCH_SERVER,) if row.has("batch_size") else (), sglang_bench.batch_server),
        (llama_bench.FIELDS[:1] if row.has(*llama_bench.FIELDS[1:]) else (), llama_bench.bench),
        (trtllm_bench.SERVING_FIELDS, trtllm_bench.serving),
        (_VLLM, vllm_bench.serving),
        (_SGLANG, sglang_bench.serving),
        (_EITHER, sglang_bench.serving if row.text("backend").startswith("sglang") else vllm_bench.serving),
    )
    return next((reader for names, reader in by_fields if row.has(*names)), None)
