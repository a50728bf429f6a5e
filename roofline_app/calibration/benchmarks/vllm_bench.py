"""vLLM: `vllm bench serve` results, one JSON object.

Source:
    vllm-project/vllm: vllm/benchmarks/serve.py.
"""

from __future__ import annotations

from roofline_app.calibration.benchmarks.points import MeasuredPoint, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import remark
from roofline_app.calibration.benchmarks.rounds import mean_draft_tokens, rounds_of, survival_of
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.calibration.benchmarks.serving import engine_of, pace_of, with_batch, with_lengths
from roofline_app.calibration.benchmarks.streams import with_stream

_RATES = "spec_decode_per_position_acceptance_rates"
_LENGTH = "spec_decode_acceptance_length"


def _rounds(row: Row) -> Rounds:
    rates = survival_of(row.numbers(_RATES), row.named(_RATES))
    rounds, drafted = row.positive("spec_decode_num_drafts"), row.positive("spec_decode_draft_tokens")
    length = row.positive(_LENGTH)
    accepted = row.finite("spec_decode_accepted_tokens")
    if length is None and rounds is not None and accepted is not None:
        length = 1 + accepted / rounds
    if length is None:
        return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field=_LENGTH),))
    draft_tokens = len(rates) or (mean_draft_tokens(drafted, rounds) if drafted and rounds else None)
    assumptions = () if draft_tokens else (remark("no_draft_length"),)
    return rounds_of(length, draft_tokens, row.named(_LENGTH), survival=rates, assumptions=assumptions)


def serving(row: Row) -> MeasuredPoint:
    """Return the point of one `vllm bench serve` result.

    Args:
        row: The result, of any version.

    Returns:
        The point; survival by position where the server told it.

    Raises:
        UnusableError: When a needed field is missing or impossible.
    """
    engine, assumptions = engine_of(row.text("backend", "endpoint_type"), "vLLM")
    run = Run(
        file_format="vllm_serving",
        source_line=row.line,
        engine=engine,
        model=row.text("model_id", "tokenizer_id"),
        gpu=row.text("gpu"),
        label=row.text("label"),
        assumptions=assumptions,
    )
    run = with_batch(with_lengths(run, row), row)
    rounds = _rounds(row)
    run = with_stream(run, row)
    return measured_point(run, pace_of(row, run, rounds), rounds)
