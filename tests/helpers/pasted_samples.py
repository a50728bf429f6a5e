"""What engines print and log, line by line as their sources do; figures are invented."""

from __future__ import annotations


def block(*lines: tuple[str, object] | str) -> str:
    """Return a result block as serving benchmarks print it: labels in 40 columns, headings between dashes."""
    rows = [line if isinstance(line, str) else f"{line[0] + ':':<40} {line[1]:<10}" for line in lines]
    return "\n".join([f"{' Serving Benchmark Result ':=^50}", *rows, "=" * 50, ""])


def heading(name: str) -> str:
    """Return the heading of a part of a block."""
    return f"{name:-^50}"


# vllm/benchmarks/serve.py: 8 requests in flight, 1,024 tokens in and 256 out, 2.5 tokens a round of 3 drafts.
VLLM_BLOCK = block(
    ("Successful requests", 80),
    ("Failed requests", 0),
    ("Maximum request concurrency", 8),
    ("Benchmark duration (s)", "10.00"),
    ("Total input tokens", 81920),
    ("Total generated tokens", 20480),
    ("Request throughput (req/s)", "8.00"),
    ("Output token throughput (tok/s)", "2048.00"),
    ("Peak output token throughput (tok/s)", "3000.00"),
    ("Peak concurrent requests", "10.00"),
    ("Total token throughput (tok/s)", "10240.00"),
    heading("Time to First Token"),
    ("Mean TTFT (ms)", "40.00"),
    ("Median TTFT (ms)", "38.00"),
    ("P99 TTFT (ms)", "90.00"),
    heading("Time per Output Token (excl. 1st token)"),
    ("Mean TPOT (ms)", "3.70"),
    ("Median TPOT (ms)", "3.60"),
    heading("Inter-token Latency"),
    ("Mean ITL (ms)", "9.00"),
    heading("Speculative Decoding"),
    ("Acceptance rate (%)", "50.00"),
    ("Acceptance length", "2.50"),
    ("Drafts", 8192),
    ("Draft tokens", 24576),
    ("Accepted tokens", 12288),
    "Per-position acceptance (%):",
    ("  Position 0", "80.00"),
    ("  Position 1", "45.00"),
    ("  Position 2", "25.00"),
)

# python/sglang/bench_serving.py
SGLANG_BLOCK = "\n" + block(
    ("Backend", "sglang"),
    ("Traffic request rate", "inf"),
    ("Max request concurrency", 4),
    ("Successful requests", 8),
    ("Benchmark duration (s)", "10.00"),
    ("Total input tokens", 32768),
    ("Total input text tokens", 32768),
    ("Total generated tokens", 8192),
    ("Total generated tokens (retokenized)", 8190),
    ("Request throughput (req/s)", "0.80"),
    ("Input token throughput (tok/s)", "3276.80"),
    ("Output token throughput (tok/s)", "819.20"),
    ("Peak concurrent requests", 5),
    ("Total token throughput (tok/s)", "4096.00"),
    ("Concurrency", "3.90"),
    ("Accept length", "2.50"),
    heading("End-to-End Latency"),
    ("Mean E2E Latency (ms)", "5000.00"),
    ("Median E2E Latency (ms)", "4990.00"),
    heading("Time to First Token"),
    ("Mean TTFT (ms)", "100.00"),
    heading("Time per Output Token (excl. 1st token)"),
    ("Mean TPOT (ms)", "5.00"),
    ("Median TPOT (ms)", "4.90"),
    heading("Inter-Token Latency"),
    ("Mean ITL (ms)", "12.40"),
)

# tensorrt_llm/serve/scripts/benchmark_serving.py prints arguments and limit before it starts.
TENSORRT_LLM_BLOCK = (
    "Namespace(backend='openai', base_url=None, host='127.0.0.1', max_concurrency=8, model='Qwen/Qwen3-8B', "
    "tokenizer=None, num_prompts=80)\n"
    "Traffic request rate: inf\n"
    "Burstiness factor: 1.0 (Poisson process)\n"
    "Maximum request concurrency: 8\n"
    "100%|##########| 80/80 [00:10<00:00,  8.00it/s]\r\n"
) + block(
    ("Total requests", 80),
    ("Successful requests", 80),
    ("Failed requests", 0),
    ("Benchmark duration (s)", "10.00"),
    ("Total input tokens", 81920),
    ("Total generated tokens", 20480),
    ("Request throughput (req/s)", "8.00"),
    ("Output token throughput (tok/s)", "2048.00"),
    ("Total Token throughput (tok/s)", "10240.00"),
    ("User throughput (tok/s)", "270.00"),
    heading("Avg Decoded Tokens per Iter"),
    ("Mean Avg Decoded Tokens per Iter", "3.05"),
    ("Median Avg Decoded Tokens per Iter", "3.00"),
    heading("Time per Output Token (excl. 1st token)"),
    ("Mean TPOT (ms)", "3.70"),
    ("Median TPOT (ms)", "3.60"),
)

# python/sglang/srt/server_args.py, logged when a server starts.
SGLANG_ARGUMENTS = (
    "[2026-11-01 12:00:00] server_args=ServerArgs(model_path='Qwen/Qwen3.5-27B', tokenizer_path='Qwen/Qwen3.5-27B', "
    "trust_remote_code=False, quantization=None, kv_cache_dtype='fp8_e4m3', mem_fraction_static=0.85, tp_size=2, "
    "pp_size=1, speculative_algorithm='EAGLE3', speculative_num_steps=3, speculative_eagle_topk=1, "
    "speculative_num_draft_tokens=4)\n"
)


def decode_line(running: int, speed: float, *, accepted: float = 0.0, rank: str = "TP0", tokens: int = 0) -> str:
    """Return a line as `log_decode_stats` writes it; without speculation it says nothing of acceptance."""
    told = f"accept len: {accepted:.2f}, accept rate: 0.50, " if accepted else ""
    return (
        f"[2026-11-01 12:01:00 {rank}] Decode batch, #running-req: {running}, #token: {tokens}, token usage: 0.05, "
        f"{told}cuda graph: True, gen throughput (token/s): {speed:.2f}, #queue-req: 0\n"
    )


def engine_line(running: int, speed: float, engine: int = 0) -> str:
    """Return a line as vLLM's `LoggingStatLogger` writes it."""
    return (
        f"(APIServer pid=1) INFO 11-01 12:01:00 [loggers.py:271] Engine {engine:03d}: Avg prompt throughput: 0.0 "
        f"tokens/s, Avg generation throughput: {speed:.1f} tokens/s, Running: {running} reqs, Waiting: 0 reqs, "
        "GPU KV cache usage: 4.2%, Prefix cache hit rate: 0.0%\n"
    )


VLLM_START = (
    "(EngineCore pid=7) INFO 11-01 12:00:00 [core.py:107] Initializing a V1 LLM engine (v0.33.0) with config: "
    "model='Qwen/Qwen3-8B', speculative_config=SpeculativeConfig(method='eagle3', model='x', num_spec_tokens=3), "
    "dtype=torch.bfloat16, tensor_parallel_size=2, pipeline_parallel_size=1, data_parallel_size=1, quantization=None, "
    "kv_cache_dtype=fp8_e4m3, device_config=cuda\n"
)


def metrics(drafts: int, drafted: int, accepted: int, by_position: list[int], engine: int = 0) -> str:
    """Return a server's counters as Prometheus text."""
    own = f'engine="{engine}",model_name="Qwen/Qwen3-8B"'
    lines = [
        "# HELP vllm:spec_decode_num_drafts_total Number of spec decoding drafts.",
        "# TYPE vllm:spec_decode_num_drafts_total counter",
        f"vllm:spec_decode_num_drafts_total{{{own}}} {drafts}.0",
        f"vllm:spec_decode_num_drafts_created{{{own}}} 1.76e+09",
        f"vllm:spec_decode_num_draft_tokens_total{{{own}}} {drafted}.0",
        f"vllm:spec_decode_num_accepted_tokens_total{{{own}}} {accepted}.0",
    ]
    lines += [
        f'vllm:spec_decode_num_accepted_tokens_per_pos_total{{{own},position="{position}"}} {count}.0'
        for position, count in enumerate(by_position)
    ]
    return "\n".join(lines) + "\n"


LLAMA_TABLE = """ggml_cuda_init: found 1 CUDA devices (Total VRAM: 32109 MiB):
  Device 0: NVIDIA GeForce RTX 5090, compute capability 12.0, VMM: yes, VRAM: 32109 MiB
| model                          |       size |     params | backend    | ngl |            test |                  t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |
| qwen3 8B Q4_K - Medium         |   4.68 GiB |     8.19 B | CUDA       |  99 |           pp512 |     12000.00 ± 50.00 |
| qwen3 8B Q4_K - Medium         |   4.68 GiB |     8.19 B | CUDA       |  99 |           tg128 |        200.00 ± 0.60 |
| qwen3 8B Q4_K - Medium         |   4.68 GiB |     8.19 B | CUDA       |  99 |  tg128 @ d4096  |        160.00 ± 0.60 |

build: 08d0baac (7099)
"""

LLAMA_LOG = """slot print_timing: id  3 | task 0 |
prompt eval time =     100.00 ms /   1000 tokens (    0.10 ms per token, 10000.00 tokens per second)
       eval time =    2000.00 ms /    250 tokens (    8.00 ms per token,   125.00 tokens per second)
      total time =    2100.00 ms /   1250 tokens
draft acceptance = 0.50000 (  150 accepted /   300 generated), mean len =  2.50
slot      release: id  3 | task 0 | stop processing: n_tokens = 1249, truncated = 0
"""
