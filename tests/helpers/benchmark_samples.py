"""Benchmark files as engines write them, from the fields that their sources document; figures are invented."""

from __future__ import annotations

import json
from typing import Any

# python/sglang/bench_serving.py; the run that fits these figures: 4 requests in flight for 10 s at 5 ms per token.
SGLANG_SERVING: dict[str, Any] = {
    "tag": "trial",
    "backend": "sglang",
    "dataset_name": "random",
    "request_rate": float("inf"),
    "max_concurrency": 4,
    "sharegpt_output_len": None,
    "random_input_len": 4096,
    "random_output_len": 1024,
    "random_range_ratio": 1.0,
    "server_info": {
        "model_path": "Qwen/Qwen3.5-27B",
        "tp_size": 2,
        "pp_size": 1,
        "speculative_algorithm": "EAGLE3",
        "speculative_num_steps": 3,
        "speculative_eagle_topk": 1,
        "speculative_num_draft_tokens": 4,
        "internal_states": [{"avg_spec_accept_length": 2.5}],
    },
    "duration": 10.0,
    "completed": 8,
    "total_input_tokens": 32768,
    "total_output_tokens": 8192,
    "total_output_tokens_retokenized": 8190,
    "request_throughput": 0.8,
    "input_throughput": 3276.8,
    "output_throughput": 819.2,
    "total_throughput": 4096.0,
    "mean_e2e_latency_ms": 5000.0,
    "mean_ttft_ms": 100.0,
    "mean_tpot_ms": 5.0,
    "median_tpot_ms": 4.9,
    "mean_itl_ms": 12.4,
    "concurrency": 3.9,
    "accept_length": 2.5,
    # With --output-details: a chunk's time is shared out among its tokens.
    "input_lens": [4096, 4096, 4096],
    "output_lens": [6, 4, 1],
    "ttfts": [0.1, 0.12, 0.1],
    "itls": [[0.004, 0.004, 0.004, 0.0125, 0.0062], [0.005, 0.005, 0.0061], []],
}

# python/sglang/bench_one_batch_server.py
SGLANG_BATCH_SERVER: dict[str, Any] = {
    "run_name": "default",
    "batch_size": 8,
    "input_len": 1024,
    "output_len": 101,
    "latency": 1.2,
    "input_throughput": 40960.0,
    "output_throughput": 808.0,
    "overall_throughput": 7500.0,
    "last_ttft": 0.2,
    "last_gen_throughput": 810.0,
    "acc_length": 3.1,
    "total_output_tokens": None,
    "num_early_stopped": None,
    "steady_state_output_throughput": None,
    "cache_hit_rate": None,
}

# python/sglang/bench_one_batch.py
SGLANG_BATCH: dict[str, Any] = {
    "run_name": "default",
    "batch_size": 4,
    "input_len": 1024,
    "output_len": 1024,
    "prefill_latency": 3.58,
    "prefill_throughput": 1143.6,
    "median_decode_latency": 0.0189,
    "median_decode_throughput": 211.8,
    "total_latency": 22.97,
    "overall_throughput": 356.6,
}

# vllm/benchmarks/serve.py
VLLM_SERVING: dict[str, Any] = {
    "date": "20260801-120000",
    "endpoint_type": "vllm",
    "backend": "vllm",
    "label": None,
    "model_id": "Qwen/Qwen3-8B",
    "tokenizer_id": "Qwen/Qwen3-8B",
    "num_prompts": 80,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 8,
    "duration": 10.0,
    "completed": 80,
    "failed": 0,
    "total_input_tokens": 81920,
    "total_output_tokens": 20480,
    "request_throughput": 8.0,
    "request_goodput": None,
    "output_throughput": 2048.0,
    "total_token_throughput": 10240.0,
    "max_concurrent_requests": 10,
    "mean_ttft_ms": 40.0,
    "mean_tpot_ms": 3.7,
    "median_tpot_ms": 3.6,
    "mean_itl_ms": 9.0,
    "spec_decode_acceptance_rate": 50.0,
    "spec_decode_acceptance_length": 2.5,
    "spec_decode_num_drafts": 8192,
    "spec_decode_draft_tokens": 24576,
    "spec_decode_accepted_tokens": 12288,
    "spec_decode_per_position_acceptance_rates": [0.8, 0.45, 0.25],
    # With --save-detailed: a pause per chunk of the stream.
    "output_lens": [9, 256, 256],
    "itls": [[0.01, 0.012, 0.009], [0.009] * 100, [0.02] * 100],
}

# tensorrt_llm/bench/dataclasses/reporting.py
TENSORRT_LLM: dict[str, Any] = {
    "engine": {
        "model": "deepseek-ai/DeepSeek-R1",
        "model_path": "None",
        "version": "1.2.0",
        "backend": "Pytorch",
        "dtype": "bfloat16",
        "kv_cache_dtype": "FP8",
        "quantization": "FP8_BLOCK_SCALES",
    },
    "machine": {"name": "NVIDIA B200", "memory.total": 178.35, "clocks.mem": 3.996},
    "world_info": {"tp_size": 8, "pp_size": 1, "ep_size": 8, "world_size": 8, "max_batch_size": 64},
    "request_info": {
        "num_requests": 100,
        "avg_num_concurrent_requests": 15.5,
        "avg_input_length": 1024.0,
        "avg_output_length": 2000.0,
    },
    "performance": {
        "total_latency_ms": 60000.0,
        "avg_request_latency_ms": 9300.0,
        "request_throughput_req_s": 1.6667,
        "system_output_throughput_tok_s": 3333.3,
        "output_throughput_per_user_tok_s": 215.0,
        "output_throughput_per_gpu_tok_s": 416.7,
    },
    "streaming_metrics": {"token_output_speed_tok_s": 222.0, "avg_ttft_ms": 300.0, "avg_tpot_ms": 4.5},
    "decoding_stats": {
        "mode": "MTP",
        # 800 rounds of 3 drafts: 2400 drafted, 2000 - 800 accepted.
        "num_draft_tokens_percentiles": {"p50": 2400.0, "average": 2400.0},
        "num_accepted_draft_tokens_percentiles": {"p50": 1200.0, "average": 1200.0},
        "draft_acceptance_rate_percentiles": {"p50": 0.5, "average": 0.5},
        "acceptance_length_percentiles": {"p50": 2.5, "average": 2.5},
    },
    "dataset": {"isl": {"average": 1024}},
}

# tensorrt_llm/serve/scripts/benchmark_serving.py with --save-result
TENSORRT_LLM_SERVING: dict[str, Any] = {
    "date": "20261101-120000",
    "backend": "openai",
    "model_id": "Qwen/Qwen3.5-27B",
    "tokenizer_id": "Qwen/Qwen3.5-27B",
    "num_prompts": 80,
    "duration": 10.0,
    "completed": 80,
    "total_input_tokens": 81920,
    "total_output_tokens": 20480,
    "request_throughput": 8.0,
    "request_goodput:": None,
    "output_throughput": 2048.0,
    "total_token_throughput": 10240.0,
    "user_throughput": 270.0,
    "avg_decoded_tokens_per_iter": {
        "mean": 3.05,
        "min": 2.4,
        "max": 3.6,
        "median": 3.0,
        "std": 0.2,
        "percentiles": {"p99": 3.5},
    },
    "mean_avg_decoded_tokens_per_iter": 3.05,
    "median_avg_decoded_tokens_per_iter": 3.0,
    "mean_ttft_ms": 40.0,
    "mean_tpot_ms": 3.7,
    "median_tpot_ms": 3.6,
    "mean_itl_ms": 11.0,
    "request_rate": "inf",
    "burstiness": 1.0,
    "max_concurrency": 8,
}

# aiperf/common/models/export_models.py
AIPERF: dict[str, Any] = {
    "schema_version": "1.0",
    "aiperf_version": "0.5.0",
    "request_throughput": {"unit": "requests/sec", "avg": 2.0},
    "request_latency": {"unit": "ms", "avg": 4000.0, "p50": 3990.0, "min": 3900.0, "max": 4200.0},
    "inter_token_latency": {"unit": "ms", "avg": 5.0, "p50": 4.9},
    "inter_chunk_latency": {"unit": "ms", "avg": 12.5, "p50": 12.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 1600.0},
    "output_token_throughput_per_user": {"unit": "tokens/sec/user", "avg": 200.0},
    "output_sequence_length": {"unit": "tokens", "avg": 512.0},
    "input_sequence_length": {"unit": "tokens", "avg": 1024.0},
    "telemetry_data": {
        "summary": {"endpoints_configured": ["localhost:9401"]},
        "endpoints": {"localhost:9401": {"gpus": {"gpu_0": {"gpu_index": 0, "gpu_name": "NVIDIA B200"}}}},
    },
    "input_config": {
        "endpoint": {"model_names": ["Qwen/Qwen3-8B"], "streaming": True},
        "loadgen": {"concurrency": 8, "request_count": 80},
    },
}

# genai-perf/genai_perf/export_data/json_exporter.py
GENAI_PERF: dict[str, Any] = {
    "request_throughput": {"unit": "requests/sec", "avg": 2.0},
    "request_latency": {"unit": "ms", "avg": 4000.0, "p99": 4200.0},
    "time_to_first_token": {"unit": "ms", "avg": 40.0},
    "inter_token_latency": {"unit": "ms", "avg": 5.0},
    "output_token_throughput": {"unit": "tokens/sec", "avg": 1600.0},
    "output_token_throughput_per_user": {"unit": "tokens/sec/user", "avg": 200.0},
    "output_sequence_length": {"unit": "tokens", "avg": 512.0},
    "input_sequence_length": {"unit": "tokens", "avg": 1024.0},
    "input_config": {
        "model_names": ["Qwen/Qwen3-8B"],
        "endpoint": {"backend": "tensorrtllm", "streaming": True},
        "perf_analyzer": {"stimulus": {"concurrency": 8}},
        "subcommand": "profile",
    },
}

# tools/llama-bench/llama-bench.cpp
LLAMA_BENCH: dict[str, Any] = {
    "build_commit": "8cf427ff",
    "build_number": 7099,
    "cpu_info": "a processor",
    "gpu_info": "NVIDIA GeForce RTX 5090",
    "backends": "CUDA",
    "model_filename": "models/Qwen3-8B-Q4_K_M.gguf",
    "model_type": "qwen3 8B Q4_K - Medium",
    "n_batch": 2048,
    "n_ubatch": 512,
    "type_k": "f16",
    "type_v": "f16",
    "n_gpu_layers": -1,
    "split_mode": "layer",
    "n_prompt": 0,
    "n_gen": 128,
    "n_depth": 4096,
    "test_time": "2026-11-01T12:00:00Z",
    "avg_ns": 640000000,
    "stddev_ns": 1000000,
    "avg_ts": 200.0,
    "stddev_ts": 0.4,
    "samples_ns": [640000000, 640000000],
    "samples_ts": [200.0, 200.0],
}

# tools/server/server-task.cpp: 100 rounds of 3 drafts.
LLAMA_SERVER: dict[str, Any] = {
    "model": "Qwen3-8B-Q4_K_M.gguf",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "{}"}}],
    "usage": {"prompt_tokens": 1000, "completion_tokens": 250},
    "timings": {
        "cache_n": 200,
        "prompt_n": 800,
        "prompt_ms": 100.0,
        "predicted_n": 250,
        "predicted_ms": 2000.0,
        "predicted_per_token_ms": 8.0,
        "predicted_per_second": 125.0,
        "draft_n": 300,
        "draft_n_accepted": 150,
    },
}

# vllm/v1/spec_decode/metrics.py
LOG_LINE = (
    "(APIServer pid=1) INFO 08-04 20:51:08 [metrics.py:120] SpecDecoding metrics: "
    "Mean acceptance length: {length:.2f}, "
    "Accepted throughput: 10.00 tokens/s, Drafted throughput: 30.00 tokens/s, Accepted: {accepted} tokens, "
    "Drafted: {drafted} tokens, Per-position acceptance rate: {rates}, Avg Draft acceptance rate: 50.0%\n"
)


def log_line(rounds: int, accepted_by_position: list[int]) -> str:
    """Return the line that vLLM logs for an interval of full-length rounds."""
    accepted = sum(accepted_by_position)
    return LOG_LINE.format(
        length=1 + accepted / rounds,
        accepted=accepted,
        drafted=rounds * len(accepted_by_position),
        rates=", ".join(f"{count / rounds:.3f}" for count in accepted_by_position),
    )


def lines(*runs: dict[str, Any]) -> bytes:
    """Return runs as JSON lines; Infinity and NaN as Python writes them."""
    return "".join(json.dumps(run) + "\n" for run in runs).encode()


def without(run: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return a run of a version that lacks some fields."""
    return {name: value for name, value in run.items() if name not in names}
