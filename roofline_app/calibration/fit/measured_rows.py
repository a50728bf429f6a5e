"""Measured rows: what engines took on real nodes, in one shape whatever the source measured.

Rows come from `data/measured/*.csv`; `data/measured/README.md` says what each column means and what was assumed where a
source is silent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from roofline_app import registry
from roofline_app.data import read_csv
from roofline_app.specs.checks import require_date, require_number, require_source, require_text
from roofline_app.specs.table import Table

Quantity = Literal["step", "speedup", "verify"]
# Where a source of speculative rounds does not say it.
ASSUMED_CONTEXT_TOKENS = 2048


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Who measured.

    Attributes:
        id: Key of the entry, as in the rows.
        name: Name as shown.
        url: Where the figures are stated.
        checked: ISO date of the last check.
        conditions: What the source says about the runs, and what it leaves out.
        step_weight: Weight in a fit of one row's step; those of one model repeat each other, and weigh as the square
            root of their number.
        states_node: Whether the source says which GPUs, and how many, its rows ran on.
        ratio_weight: The same of a row's speedup, or of verifying over a step.
    """

    id: str
    name: str
    url: str
    checked: str
    conditions: str
    step_weight: float
    ratio_weight: float = 0.0
    states_node: bool = True

    def __post_init__(self) -> None:
        """Reject a source without conditions or date."""
        require_text(self, "name", "conditions")
        if self.url:
            require_source(self, "url")
        require_date(self)
        require_number(self, "step_weight", "ratio_weight", least=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured setting.

    Attributes:
        id: Key among the rows of its file.
        source: Key of a `Source`.
        engine: Serving engine.
        model: Registry id.
        gpu: Registry id.
        gpus: GPUs of the node, tensor parallel.
        expert_ranks: Groups that routed experts are spread over; 1 without expert parallelism.
        linear: Format of the linear layers; empty as published.
        experts: Format of the routed experts.
        kv: Format of the cache.
        batch: Sequences decoded together.
        context_tokens: Mean tokens in the cache of each.
        input_tokens: Prompt length whose prefill stalls the others; 0 where prefill is not in the figures.
        output_tokens: Tokens generated per prompt; 0 likewise.
        drafter: Kind of drafter; empty without speculation, or where the source does not say.
        draft_tokens: Draft length, of a tree its depth; 0 without speculation, or where the source does not say.
        topk: Branches of a tree at each depth; 1 for a chain.
        verify_tokens: Tokens of one sequence in the verifying pass, the root included.
        tokens_per_round: Tokens committed per round, bonus included.
        step_seconds: Seconds per token of one sequence without speculation.
        workload: What was asked, and which checkpoint drafted where a source has several.
        ratio: Speedup of speculation, or seconds of verifying over those of a step; 0 where neither was measured.
    """

    id: str
    source: str
    engine: str
    model: str
    gpu: str
    gpus: int
    expert_ranks: int
    linear: str
    experts: str
    kv: str
    batch: int
    context_tokens: float
    step_seconds: float
    input_tokens: int = 0
    output_tokens: int = 0
    drafter: str = ""
    draft_tokens: int = 0
    topk: int = 1
    verify_tokens: int = 1
    tokens_per_round: float = 1.0
    ratio: float = 0.0
    workload: str = ""

    @property
    def family(self) -> str:
        """Family of the GPU."""
        return registry.gpu(self.gpu).family

    @property
    def states_round(self) -> bool:
        """Whether it says what a round consists of and, of speculation, what it commits."""
        return self.draft_tokens > 0 and (self.tokens_per_round > 0.0 or not self.drafter)

    @property
    def ratio_quantity(self) -> Quantity:
        """What `ratio` is."""
        return "speedup" if self.drafter else "verify"


def _setting(fields: Mapping[str, str]) -> dict[str, object]:
    words = ("source", "engine", "model", "gpu", "linear", "experts", "kv")
    counts = ("gpus", "expert_ranks", "batch")
    return {name: fields[name] for name in words} | {name: int(fields[name]) for name in counts}


def decode_row(number: int, fields: Mapping[str, str]) -> Row:
    """Return a row of `decode.csv`.

    Args:
        number: Its place in the file, from 1.
        fields: Cells by column.
    """
    prompt, generated = int(fields["input_tokens"]), int(fields["output_tokens"])
    return Row(
        **_setting(fields),  # type: ignore[arg-type]
        id=f"decode-{number}",
        context_tokens=prompt + generated / 2,
        input_tokens=prompt,
        output_tokens=generated,
        step_seconds=float(fields["seconds_per_token"]),
    )


def round_row(fields: Mapping[str, str]) -> Row:
    """Return a row of `rounds.csv`.

    Args:
        fields: Cells by column.
    """
    plain, fast = float(fields["plain_tokens_per_second"]), float(fields["tokens_per_second"])
    drafted, committed = int(fields["draft_tokens"] or 0), float(fields["tokens_per_round"] or 0.0)
    return Row(
        **_setting(fields),  # type: ignore[arg-type]
        id=fields["id"],
        context_tokens=float(fields["context_tokens"] or ASSUMED_CONTEXT_TOKENS),
        step_seconds=int(fields["batch"]) / plain,
        drafter=fields["drafter"],
        draft_tokens=drafted,
        topk=int(fields["topk"] or 1),
        verify_tokens=int(fields["verify_tokens"] or drafted + 1),
        tokens_per_round=committed,
        ratio=fast / plain,
        workload=fields["workload"],
    )


def _verify(number: int, fields: Mapping[str, str]) -> Row:
    step = float(fields["step_seconds"])
    return Row(
        **_setting(fields),  # type: ignore[arg-type]
        id=f"verify-{number}",
        context_tokens=float(fields["context_tokens"]),
        draft_tokens=int(fields["draft_tokens"]),
        verify_tokens=int(fields["draft_tokens"]) + 1,
        step_seconds=step,
        ratio=float(fields["verifying_seconds"]) / step,
    )


# Who measured, by id.
sources = Table("measured/sources.toml", Source, "source").all


@cache
def measured_rows() -> tuple[Row, ...]:
    """Return every measured row: plain decoding, then speculative rounds, then verifying passes."""
    decode = (decode_row(number, fields) for number, fields in enumerate(read_csv("measured/decode.csv"), start=1))
    rounds = (round_row(fields) for fields in read_csv("measured/rounds.csv"))
    verify = (_verify(number, fields) for number, fields in enumerate(read_csv("measured/verify.csv"), start=1))
    return (*decode, *rounds, *verify)
