"""Reading engines' benchmark files: each run becomes a measured point in this project's conventions.

Files and pasted texts are recognised by what they hold, never by their name:

| from | form | module |
|---|---|---|
| SGLang `bench_serving`, `bench_one_batch_server`, `bench_one_batch` | JSON lines | `sglang_bench` |
| vLLM `bench serve` | JSON | `vllm_bench` |
| TensorRT-LLM `trtllm-bench`, `benchmark_serving` | JSON | `trtllm_bench` |
| the result block that all three serving benchmarks print | text | `printed_results` |
| SGLang server, "Decode batch" lines | log | `sglang_log` |
| vLLM server, engine and "SpecDecoding metrics" lines | log | `vllm_log` |
| vLLM server, `/metrics` | Prometheus text | `vllm_metrics` |
| AIPerf, GenAI-Perf | JSON summary | `client_summaries` |
| llama.cpp `llama-bench` | JSON, JSONL, CSV, Markdown | `llama_bench` |
| llama.cpp `llama-server` | JSON answer, log | `llama_server` |
| your own table | CSV | `csv_table` |
"""

from roofline_app.calibration.benchmarks.content import LARGEST_BYTES
from roofline_app.calibration.benchmarks.points import Imported, MeasuredPoint, Stream, as_id, as_json
from roofline_app.calibration.benchmarks.reading import MOST_POINTS, import_file
from roofline_app.calibration.benchmarks.remarks import MeasurementError, Remark

__all__ = [
    "LARGEST_BYTES",
    "MOST_POINTS",
    "Imported",
    "MeasuredPoint",
    "MeasurementError",
    "Remark",
    "Stream",
    "as_id",
    "as_json",
    "import_file",
]
