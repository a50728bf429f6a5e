"""SGLang: `bench_serving`, `bench_one_batch_server` and `bench_one_batch`, one JSON object per line and run.

Source:
    sgl-project/sglang: python/sglang/bench_serving.py, bench_one_batch_server.py, bench_one_batch.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofline_app.calibration.benchmarks.points import (
    PLAIN,
    FileFormat,
    MeasuredPoint,
    Pace,
    Rounds,
    Run,
    measured_point,
)
from roofline_app.calibration.benchmarks.remarks import UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, rounds_of, unknown_rounds
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.calibration.benchmarks.serving import engine_of, pace_of, with_batch, with_lengths
from roofline_app.calibration.benchmarks.streams import with_stream
from roofline_app.scenario import LARGEST_BATCH, LARGEST_GPUS

# Their draft length is one block, verified with its root; top-k does not apply.
_BLOCK_ALGORITHMS = ("DFLASH", "DSPARK")
# With these backends the client counts the tokens of a chunk, and shares its time out among them.
_OWN_PROTOCOL = ("sglang", "sglang-native")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a server was started to draft, by its arguments.

    Attributes:
        draft_tokens: Draft length, of a tree its depth; None where the arguments do not say.
        topk: Branches of a tree; None for a chain, and where the arguments do not say.
        verified: Verified nodes of the tree, its root not counted.
    """

    draft_tokens: int | None
    topk: int | None = None
    verified: int | None = None

    def placed(self, rounds: Rounds) -> Rounds:
        """Return rounds with the tree that they drafted, and a remark on what is unusual about it."""
        if self.topk is None:
            told = () if self.draft_tokens else (remark("no_draft_length"),)
        elif self.draft_tokens is None:
            told = (remark("tree"),)
        else:
            told = (remark("tree_shape", topk=self.topk, verified=self.verified),)
        told = told if rounds.tokens_per_round is not None else ()
        return replace(rounds, topk=self.topk, verified=self.verified, assumptions=(*rounds.assumptions, *told))


def draft_of(server: Row) -> Draft:
    """Return what a server was started to draft, by its arguments."""
    verified = server.count("speculative_num_draft_tokens", MOST_DRAFT_TOKENS + 1)
    if server.text("speculative_algorithm").upper() in _BLOCK_ALGORITHMS:
        block = verified or server.count("speculative_dflash_block_size", MOST_DRAFT_TOKENS + 1)
        return Draft(draft_tokens=block - 1 if block else None)
    branches = server.count("speculative_eagle_topk", MOST_DRAFT_TOKENS)
    steps = server.count("speculative_num_steps", MOST_DRAFT_TOKENS)
    if branches == 1:
        return Draft(draft_tokens=verified - 1 if verified else steps)
    if not branches:
        return Draft(draft_tokens=None)
    whole = steps and verified and verified > 1
    return Draft(draft_tokens=steps if whole else None, topk=branches, verified=verified - 1 if verified else None)


def _rounds(row: Row, server: Row, field: str) -> Rounds:
    length = row.positive(field)
    if length is None:
        if server.text("speculative_algorithm"):
            draft = draft_of(server)
            return draft.placed(unknown_rounds(draft.draft_tokens))
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field=field),))
    draft = draft_of(server)
    return draft.placed(rounds_of(length, draft.draft_tokens, row.named(field), assumptions=(remark("cumulative"),)))


def serving(row: Row) -> MeasuredPoint:
    """Return the point of one `bench_serving` run.

    Args:
        row: One line of its file, of any version.

    Returns:
        The point; the acceptance length is what the server reports, cumulative since its start.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    server = row.table("server_info")
    engine, assumptions = engine_of(row.text("backend") or "sglang", "SGLang")
    run = Run(
        file_format="sglang_serving",
        source_line=row.line,
        engine=engine,
        model=server.text("model_path", "served_model_name") or row.text("model", "model_id"),
        gpus=gpus_of(server),
        weights=server.text("quantization"),
        kv=server.text("kv_cache_dtype"),
        label=row.text("tag"),
        assumptions=assumptions,
    )
    run = with_batch(with_lengths(run, row), row)
    rounds = _rounds(row, server, "accept_length")
    shared = row.text("backend") in _OWN_PROTOCOL and rounds.tokens_per_round != 1
    run = with_stream(run, row, shared=shared)
    return measured_point(run, pace_of(row, run, rounds), rounds)


def gpus_of(server: Row) -> int | None:
    """Return the GPUs of a server by its arguments; data-parallel attention shares those of the tensor group."""
    tensor = server.count("tp_size", LARGEST_GPUS, least=1)
    return None if tensor is None else tensor * (server.count("pp_size", LARGEST_GPUS, least=1) or 1)


def _run(row: Row, file_format: FileFormat) -> Run:
    batch = row.count("batch_size", LARGEST_BATCH, least=1)
    if batch is None:
        raise UnusableError("missing", field=row.named("batch_size"))
    return Run(
        file_format=file_format,
        source_line=row.line,
        engine="SGLang",
        model=row.text("model_path", "model"),
        label=row.text("run_name"),
        batch=float(batch),
        input_tokens=row.positive("input_len"),
        output_tokens=row.positive("output_len"),
    )


def _batch_pace(row: Row, run: Run) -> Pace:
    """Return the decoding time: all tokens but the first, between the last first token and the end."""
    throughput = row.positive("steady_state_output_throughput", "output_throughput")
    latency, first = row.positive("latency"), row.positive("last_ttft")
    total = row.positive("total_output_tokens")
    batch = run.batch or 1.0
    tokens = run.output_tokens if total is None else total / batch
    if latency is not None and first is not None and first < latency and tokens is not None and tokens > 1:
        seconds = (latency - first) / (tokens - 1)
        return Pace(
            seconds_per_token=seconds,
            tokens_per_second=throughput,
            field=row.named("latency"),
            assumptions=(remark("after_first"),),
        )
    if throughput is None:
        raise UnusableError("missing", field=row.named("output_throughput"))
    return Pace(seconds_per_token=batch / throughput, tokens_per_second=throughput, field="output_throughput")


def batch_server(row: Row) -> MeasuredPoint:
    """Return the point of one `bench_one_batch_server` run.

    Args:
        row: One line of its file, of any version.

    Returns:
        The point; an acceptance length of 0 or below counts as not stated.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    run = _run(row, "sglang_batch_server")
    return measured_point(run, _batch_pace(row, run), _rounds(row, row.table("server_info"), "acc_length"))


def batch(row: Row) -> MeasuredPoint:
    """Return the point of one `bench_one_batch` run: plain passes without a scheduler.

    Args:
        row: One line of its file.

    Returns:
        The point of a median decoding step.

    Raises:
        UnusableError: When a needed field is missing, as the decoding time is after a run of one output token.
    """
    run = _run(row, "sglang_batch")
    seconds = row.positive("median_decode_latency")
    if seconds is None:
        raise UnusableError("missing", field=row.named("median_decode_latency"))
    pace = Pace(
        seconds_per_token=seconds,
        tokens_per_second=row.positive("median_decode_throughput"),
        field=row.named("median_decode_latency"),
        assumptions=(remark("raw_pass"),),
    )
    return measured_point(run, pace, PLAIN)
