"""A plain CSV: one run per row, columns by name, units in the names, any order, comma, semicolon or tab.

| columns | meaning |
|---|---|
| batch (or concurrency) | sequences decoded together; needed |
| seconds_per_token, milliseconds_per_token, tokens_per_second_per_user | of one sequence while decoding |
| seconds_per_round, milliseconds_per_round | of one round; needs the acceptance beside it |
| tokens_per_second | of all sequences; divided by the batch where no time of one sequence is stated |
| tokens_per_round | bonus token included |
| accepted_drafts_per_round | bonus token left out, as TensorRT-LLM's forced acceptance counts |
| accepted_share | accepted / proposed draft tokens, 0 to 1; needs the draft length |
| draft_tokens | root and bonus left out |
| verify_tokens | root counted: draft_tokens + 1, as SGLang's num-draft-tokens and DFlash's block count |
| survival | chances by position, such as 0.78:0.58:0.44 |
| input_tokens, output_tokens, context_tokens | means; the context is input + output / 2 where it is not stated |
| model, gpu, gpus, engine, weights, kv, label | as you call them; `weights` and `kv` are formats |

One of the times is needed. Lines that start with # are passed over; empty cells, -, nan and null are missing values.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from itertools import islice

from roofline_app.calibration.benchmarks.points import MeasuredPoint, Pace, Rounds, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, rounds_of, survival_of, unknown_rounds
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.scenario import LARGEST_BATCH, LARGEST_GPUS

TEXTS = frozenset({"model", "gpu", "engine", "weights", "kv", "label", "survival"})
TIMES = (
    "seconds_per_token",
    "milliseconds_per_token",
    "tokens_per_second_per_user",
    "seconds_per_round",
    "milliseconds_per_round",
    "tokens_per_second",
)
NUMBERS = frozenset(
    {
        *TIMES,
        "batch",
        "concurrency",
        "gpus",
        "input_tokens",
        "output_tokens",
        "context_tokens",
        "tokens_per_round",
        "accepted_drafts_per_round",
        "accepted_share",
        "draft_tokens",
        "verify_tokens",
    }
)
_MISSING = frozenset({"", "-", "nan", "null", "none", "n/a", "na"})
_LONGEST_HEADER = 4096
# Blank lines and comments included; no table of runs has as many.
MOST_LINES = 1 << 18
_MOST_COLUMNS = 256


def _header(text: str) -> tuple[list[str], str] | None:
    """Return the columns and the separator, where the first line that is no comment names some of ours."""
    lines = (line for line in io.StringIO(text) if line.strip() and not line.startswith("#"))
    first = next(lines, "").rstrip("\r\n")
    if len(first) > _LONGEST_HEADER:
        return None
    for separator in ",;\t":
        names = [name.strip().strip('"').strip().lower() for name in first.split(separator)]
        if {"batch", "concurrency"} & set(names) and set(TIMES) & set(names) and len(names) <= _MOST_COLUMNS:
            return names, separator
    return None


def is_table(text: str) -> bool:
    """Whether a text starts with a header that names a batch and a time."""
    return _header(text) is not None


def _value(name: str, cell: str) -> object:
    cell = cell.strip()
    if cell.lower() in _MISSING:
        return None
    if name in TEXTS:
        return cell
    try:
        return float(cell)
    except ValueError:
        return cell


def rows(text: str) -> tuple[Iterator[tuple[int, Row | UnusableError]], list[Remark]]:
    """Return the rows of a table, and remarks on its columns.

    Args:
        text: A text for which `is_table` holds.

    Returns:
        Rows as they are read, each with its line or with what is wrong with it, and notices about columns that are
        not read.

    Raises:
        UnusableError: When the text is no table after all, or a column stands twice; while rows are read, when the
            table is broken.
    """
    found = _header(text)
    if found is None:
        raise UnusableError("unknown_format")
    names, separator = found
    twice = next((name for name in names if name in NUMBERS | TEXTS and names.count(name) > 1), None)
    if twice is not None:
        raise UnusableError("column_twice", field=twice)
    strange = [name for name in names if name and name not in NUMBERS | TEXTS]
    return _rows(text, names, separator), [remark("unknown_columns", columns=", ".join(strange))] if strange else []


def _rows(text: str, names: list[str], separator: str) -> Iterator[tuple[int, Row | UnusableError]]:
    lines = ("\n" if line.startswith("#") else line for line in islice(io.StringIO(text, newline=""), MOST_LINES))
    reader = csv.reader(lines, delimiter=separator)
    header_passed = False
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not header_passed:
                header_passed = True
            elif any(cell.strip() for cell in cells[len(names) :]):
                # A separator within a text moves what follows into other columns.
                yield reader.line_num, UnusableError("too_many_cells", columns=len(names))
            else:
                known = {name: _value(name, cell) for name, cell in zip(names, cells, strict=False) if name}
                yield reader.line_num, Row(known, reader.line_num)
        if reader.line_num >= MOST_LINES:
            yield reader.line_num, UnusableError("too_many_lines", most=MOST_LINES)
    except csv.Error as error:
        raise UnusableError("broken_table", line=reader.line_num, reason=str(error)) from None


def _draft_tokens(row: Row) -> int | None:
    drafts = row.count("draft_tokens", MOST_DRAFT_TOKENS)
    verified = row.count("verify_tokens", MOST_DRAFT_TOKENS + 1, least=1)
    if drafts is None or verified is None or verified == drafts + 1:
        return drafts if drafts is not None or verified is None else verified - 1
    raise UnusableError("contradiction", field=row.named("verify_tokens"), given=verified, other="draft_tokens")


def _survival(row: Row) -> tuple[float, ...]:
    text = row.text("survival")
    try:
        rates = [float(piece) for piece in text.split(":")] if text else []
    except ValueError:
        raise UnusableError("not_a_list", field="survival", given=text) from None
    return survival_of(rates, "survival")


def _length(row: Row, draft_tokens: int | None) -> tuple[float | None, str]:
    """Return tokens per round and the column that tells them."""
    stated = row.positive("tokens_per_round")
    if stated is not None:
        return stated, "tokens_per_round"
    accepted = row.finite("accepted_drafts_per_round")
    if accepted is not None:
        return 1 + accepted, "accepted_drafts_per_round"
    share = row.finite("accepted_share")
    if share is None:
        return None, ""
    if not 0 <= share <= 1:
        raise UnusableError("not_a_share", field="accepted_share", given=share)
    if draft_tokens is None:
        raise UnusableError("missing", field="draft_tokens")
    return 1 + share * draft_tokens, "accepted_share"


def _rounds(row: Row) -> Rounds:
    survival = _survival(row)
    draft_tokens = _draft_tokens(row)
    if survival and draft_tokens is None:
        draft_tokens = len(survival)
    length, field = _length(row, draft_tokens)
    if length is None and survival:
        length, field = 1 + sum(survival), "survival"
    if length is not None:
        told = () if draft_tokens is not None or length == 1 else (remark("no_draft_length"),)
        plain = draft_tokens is None and length == 1
        return rounds_of(length, 0 if plain else draft_tokens, field, survival=survival, assumptions=told)
    if draft_tokens:
        return unknown_rounds(draft_tokens)
    return Rounds(tokens_per_round=1.0, draft_tokens=0, assumptions=(remark("plain", field="tokens_per_round"),))


def _per_token(row: Row, batch: float, rounds: Rounds) -> tuple[float, str, tuple[Remark, ...]]:
    """Return seconds per token of one sequence, the column that tells them, and what was assumed."""
    for name, divisor in (("seconds_per_token", 1.0), ("milliseconds_per_token", 1000.0)):
        value = row.positive(name)
        if value is not None:
            return value / divisor, name, ()
    speed = row.positive("tokens_per_second_per_user")
    if speed is not None:
        return 1 / speed, "tokens_per_second_per_user", ()
    for name, divisor in (("seconds_per_round", 1.0), ("milliseconds_per_round", 1000.0)):
        value = row.positive(name)
        if value is not None:
            if rounds.tokens_per_round is None:
                raise UnusableError("missing", field="tokens_per_round")
            return value / divisor / rounds.tokens_per_round, name, ()
    total = row.positive("tokens_per_second")
    if total is None:
        raise UnusableError("missing", field="seconds_per_token")
    return batch / total, "tokens_per_second", (remark("from_throughput", field="tokens_per_second"),)


def point(row: Row) -> MeasuredPoint:
    """Return the point of one row.

    Args:
        row: Cells by column.

    Returns:
        The point.

    Raises:
        UnusableError: When a needed cell is missing or a cell is impossible.
    """
    batch = row.positive("batch", "concurrency")
    if batch is None:
        raise UnusableError("missing", field="batch")
    if not 1 <= batch <= LARGEST_BATCH:
        raise UnusableError("impossible_size", field="batch", given=batch)
    run = Run(
        file_format="csv",
        source_line=row.line,
        engine=row.text("engine"),
        model=row.text("model"),
        gpu=row.text("gpu"),
        gpus=row.count("gpus", LARGEST_GPUS, least=1),
        weights=row.text("weights"),
        kv=row.text("kv"),
        label=row.text("label"),
        batch=batch,
        input_tokens=row.positive("input_tokens"),
        output_tokens=row.positive("output_tokens"),
        context_tokens=row.positive("context_tokens"),
    )
    rounds = _rounds(row)
    seconds, field, assumptions = _per_token(row, batch, rounds)
    pace = Pace(
        seconds_per_token=seconds,
        tokens_per_second=row.positive("tokens_per_second"),
        field=field,
        assumptions=assumptions,
    )
    return measured_point(run, pace, rounds)
