"""The result block that a serving benchmark prints, as the fields of the file that it can save.

vLLM's, SGLang's and TensorRT-LLM's clients print the same kind of block between lines of equals signs, one figure a
line. A pasted terminal or a log has anything before, between and behind blocks, and prefixes on every line.

Source:
    vllm-project/vllm: vllm/benchmarks/serve.py; sgl-project/sglang: python/sglang/bench_serving.py;
    NVIDIA/TensorRT-LLM: tensorrt_llm/serve/scripts/benchmark_serving.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roofline_app.calibration.benchmarks.remarks import Remark, remark
from roofline_app.calibration.benchmarks.run_fields import Row

MARK = "Serving Benchmark Result"
MOST_BLOCKS = 2_000
_LONGEST_BLOCK, _MOST_LINES = 8_192, 120
# vLLM's older clients and TensorRT-LLM's print the limit, and all of them their arguments, before they start.
_LONGEST_START = 16_384
_FOOT = "=" * 20
_LABELS = {
    "Backend": "backend",
    "Max request concurrency": "max_concurrency",
    "Maximum request concurrency": "max_concurrency",
    "Successful requests": "completed",
    "Benchmark duration (s)": "duration",
    "Total input tokens": "total_input_tokens",
    "Total generated tokens": "total_output_tokens",
    "Output token throughput (tok/s)": "output_throughput",
    "User throughput (tok/s)": "user_throughput",
    "Concurrency": "concurrency",
    "Accept length": "accept_length",
    "Mean Avg Decoded Tokens per Iter": "mean_avg_decoded_tokens_per_iter",
    "Mean TTFT (ms)": "mean_ttft_ms",
    "Mean TPOT (ms)": "mean_tpot_ms",
    "Median TPOT (ms)": "median_tpot_ms",
    "Mean ITL (ms)": "mean_itl_ms",
    "Median ITL (ms)": "median_itl_ms",
    "Mean E2E Latency (ms)": "mean_e2e_latency_ms",
    "Mean E2EL (ms)": "mean_e2el_ms",
    "Acceptance length": "spec_decode_acceptance_length",
    "Drafts": "spec_decode_num_drafts",
    "Draft tokens": "spec_decode_draft_tokens",
    "Accepted tokens": "spec_decode_accepted_tokens",
}
_TEXTS = frozenset({"backend"})
_UNSTATED = frozenset({"", "not set", "none", "nan"})
_RATES = "spec_decode_per_position_acceptance_rates"
_POSITION = re.compile(r"Position \d{1,4}\Z")
_MOST_RATES = 1_024
_ARGUMENTS = "Namespace("
_MODEL = re.compile(r"[(\s]model='([^']{1,200})'")
_COMMAND_MODEL = re.compile(r"--model[= ]['\"]?([^\s'\"\\]{1,200})")
_LIMIT = re.compile(r"\bmax_concurrency=(\d{1,12})\b")
_LIMIT_LABEL = "Maximum request concurrency: "
_LIMIT_LINE = re.compile(_LIMIT_LABEL + r"(\d{1,12})\b")


def _value(field: str, text: str) -> object:
    if text.lower() in _UNSTATED:
        return None
    try:
        return text if field in _TEXTS else float(text)
    except ValueError:
        return text


def _label(before: str) -> str:
    """Return the label that ends a line's part before its last colon."""
    stripped = before.rstrip()
    for label in _ENDS.get(stripped[-4:], ()):
        start = len(stripped) - len(label)
        if stripped.endswith(label) and (start == 0 or not stripped[start - 1].isalnum()):
            return label
    return ""


def _by_ending() -> dict[str, list[str]]:
    endings: dict[str, list[str]] = {}
    for label in sorted(_LABELS, key=len, reverse=True):
        endings.setdefault(label[-4:], []).append(label)
    return endings


_ENDS = _by_ending()


def _fields(block: str) -> dict[str, object]:
    """Return the figures of one block; the first of a name counts."""
    found: dict[str, object] = {}
    rates = list[float]()
    for line in block.splitlines()[:_MOST_LINES]:
        if _FOOT in line:
            break
        before, colon, after = line.rpartition(":")
        if not colon:
            continue
        label = _label(before)
        if label:
            found.setdefault(_LABELS[label], _value(_LABELS[label], after.strip()))
        elif _POSITION.search(before[-16:]) and len(rates) < _MOST_RATES:
            rate = _value(_RATES, after.strip())
            rates += [rate / 100] if isinstance(rate, float) else []
    return found | ({_RATES: rates} if rates else {})


def _from_start(text: str) -> dict[str, object]:
    """Return what stands above a block: the command, its arguments, and the limit of requests in flight."""
    found: dict[str, object] = {}
    printed = text.rfind(_LIMIT_LABEL)
    limit = _LIMIT_LINE.match(text, printed) if printed >= 0 else None
    models = _COMMAND_MODEL.findall(text)
    found |= {"model_id": models[-1]} if models else {}
    start = text.rfind(_ARGUMENTS)
    if start >= 0:
        arguments = text[start:].partition("\n")[0]
        model = _MODEL.search(arguments)
        limit = limit or _LIMIT.search(arguments)
        found |= {"model_id": model[1]} if model else {}
    return found | ({"max_concurrency": float(limit[1])} if limit else {})


def printed_rows(text: str) -> Iterator[Row | Remark]:
    """Yield the fields of each printed block, named as in the file that the same client can save.

    Args:
        text: A terminal or a log, blocks and all.

    Yields:
        One row per block with any figure in it, its line that of the block's head, from 1; a remark where there are
        more than `MOST_BLOCKS`.
    """
    line, counted, end, read = 1, 0, 0, 0
    start = text.find(MARK)
    while start >= 0:
        read += 1
        if read > MOST_BLOCKS:
            yield remark("too_many_rows", most=MOST_BLOCKS, line=line)
            return
        head_end = start + len(MARK)
        following = text.find(MARK, head_end)
        block = text[head_end : min(head_end + _LONGEST_BLOCK, len(text) if following < 0 else following)]
        line += text.count("\n", counted, start)
        counted = start
        # The rest of the head's own line ends with equals signs too.
        found = _fields(block.partition("\n")[2])
        if found:
            yield Row(_from_start(text[max(end, start - _LONGEST_START) : start]) | found, line)
        end, start = head_end, following
