"""Predictions of measured rows from a profile's constants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from roofline_app import registry
from roofline_app.calibration.fit.measured_rows import Row
from roofline_app.calibration.fit.passes import Passes, PassTable, pass_table
from roofline_app.hardware.parallelism import Layout
from roofline_app.hardware.sharding import sharded
from roofline_app.model.terms import Transformer
from roofline_app.model.to_terms import transformer
from roofline_app.model.to_terms.chosen_formats import WEIGHT_FORMATS
from roofline_app.resolved import chosen_drafter
from roofline_app.scenario import ConstantAcceptance, Drafter, Scenario, Weights
from roofline_app.specs import Node
from roofline_app.speculation.drafting import DraftTerms, Round, draft_passes, physical_drafting_seconds
from roofline_app.timing.pass_time import VERIFIED_TOKEN_SHARE
from roofline_app.timing.prefill import prefill_constants
from roofline_app.timing.profiles import Calibration
from roofline_app.timing.roofline import Roof, node_roof
from roofline_app.timing.workload import INDEPENDENT, ComponentWork, Routing, pass_tokens, work

Floats = NDArray[np.float64]
_KEPT = 64
_CHOICES = {stored: chosen for chosen, stored in WEIGHT_FORMATS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Rows with the work of their passes, ready for any profile's constants; arrays of shape (rows,).

    Attributes:
        rows: The rows.
        step: Plain decoding.
        prefill: One prompt's prefill.
        verify: The verifying pass.
        first: The round's first draft pass, which takes in what the last round committed.
        further: Its further draft passes.
        prefills: Prompts of other clients that each token waits for.
        drafts: Further draft passes of a round.
        verified_tokens: Query tokens of all sequences after the first of each.
        speculates: 1 for rows of speculation, else 0.
        tokens_per_round: Tokens that a round commits.
    """

    rows: tuple[Row, ...]
    step: PassTable
    prefill: PassTable
    verify: PassTable
    first: PassTable
    further: PassTable
    prefills: Floats
    drafts: Floats
    verified_tokens: Floats
    speculates: Floats
    tokens_per_round: Floats

    def predict(self, constants: Calibration) -> tuple[Floats, Floats]:
        """Return seconds per token of plain decoding, and the speedup or verifying over a step; shape (rows,).

        Args:
            constants: A profile's constants.

        Returns:
            The ratio is meaningless for rows that measured none.
        """
        alone = self.step.seconds(constants)
        step = alone + self.prefills * self.prefill.seconds(prefill_constants(constants))
        sampling = VERIFIED_TOKEN_SHARE * constants.seconds_per_sequence * self.verified_tokens
        verifying = self.verify.seconds(constants) + sampling
        drafting = self.first.seconds(constants) + self.drafts * self.further.seconds(constants)
        rounds = verifying + drafting + constants.seconds_per_round
        speedup = np.divide(self.tokens_per_round * alone, rounds, out=np.ones_like(rounds), where=rounds > 0.0)
        return step, np.where(self.speculates > 0.0, speedup, verifying / alone)


@lru_cache(maxsize=_KEPT)
def _roof(gpu: str, gpus: int) -> Roof:
    return node_roof(Node(gpu=registry.gpu(gpu), gpus=gpus), registry.formats())


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How rows are read.

    Attributes:
        routing: Routing: how tokens choose experts.
        even: Whether everything divides evenly over the GPUs, whatever the row's layout.
        alone: Whether a token waits for no other client's prefill.
    """

    routing: Routing
    even: bool = False
    alone: bool = False

    def spread(self, terms: Transformer, row: Row) -> Transformer:
        """Return terms laid out over a row's GPUs."""
        layout = Layout.TENSOR_EXPERT if row.expert_ranks > 1 else Layout.TENSOR
        return sharded(terms, Layout.EVEN if self.even else layout, gpus=row.gpus, ranks=row.expert_ranks)


IDEAL_READING = Reading(routing=INDEPENDENT, even=True, alone=True)


def as_run() -> Reading:
    """Return the reading that the profiles are fitted under: layouts as run, experts as counted, prefill mixed in."""
    counted = registry.routings()["correlated"]
    return Reading(routing=Routing(sequence_exponent=counted.sequence_exponent, batch_exponent=counted.batch_exponent))


def target_terms(row: Row) -> Transformer:
    """Return the terms of a row's model at its formats."""
    spec = registry.model(row.model)
    linear = row.linear
    parts = dict.fromkeys(("attention", "recurrent", "mlp", "shared"), linear)
    precision = replace(spec.precision, **parts, experts=row.experts, kv=row.kv, layers=())  # type: ignore[arg-type]
    if not row.linear:
        precision = replace(spec.precision, kv=row.kv)
    return transformer(spec, precision, registry.formats())


def draft_terms(row: Row) -> DraftTerms:
    """Return the terms of a row's drafter at its formats."""
    weights = Weights(experts=_CHOICES[row.experts], linear=_CHOICES[row.linear], head="bf16")
    line = Drafter(kind=row.drafter, acceptance=ConstantAcceptance(acceptance=0.0), cost=None)
    named = chosen_drafter(line, Scenario(model=row.model, weights=weights, kv=row.kv))
    if named is None:
        message = f"{row.id}: a drafter of kind {row.drafter} has no weights"
        raise ValueError(message)
    return named.terms


def _passes(
    indexed: Iterable[tuple[int, Row]], query_tokens: Callable[[Row], int], reading: Reading, *, prompt: bool = False
) -> list[Passes]:
    """Return one pass of each row, those of equal models on equal nodes together."""
    groups = defaultdict[tuple[object, ...], list[tuple[int, Row]]](list)
    for index, row in indexed:
        key = (row.model, row.gpu, row.gpus, row.expert_ranks, row.linear, row.experts, row.kv)
        groups[key].append((index, row))
    found = []
    for members in groups.values():
        first = members[0][1]
        tokens = pass_tokens(
            batch=np.array([1 if prompt else row.batch for _, row in members]),
            query_tokens=np.array([query_tokens(row) for _, row in members]),
            context_tokens=np.array([row.input_tokens / 2 if prompt else row.context_tokens for _, row in members]),
            routing=reading.routing,
        )
        parts = work(reading.spread(target_terms(first), first), tokens)
        found.append(Passes(rows=[index for index, _ in members], parts=parts, roof=_roof(first.gpu, first.gpus)))
    return found


def _draft_passes(index: int, row: Row, reading: Reading) -> tuple[Passes, Passes, float]:
    """Return a round's first and further draft pass, and how many further ones there are."""
    recorded: list[list[ComponentWork]] = []

    def record(parts: list[ComponentWork]) -> Floats:
        recorded.append(parts)
        return np.zeros(())

    terms = draft_terms(row)
    terms = replace(terms, body=reading.spread(terms.body, row), intake=reading.spread(terms.intake, row))
    block = terms.block
    rounds = Round(
        batch=row.batch,
        draft_tokens=row.draft_tokens,
        committed_tokens=row.tokens_per_round,
        context_tokens=row.context_tokens,
        routing=reading.routing,
    )
    physical_drafting_seconds(terms, rounds, record, block=block)
    first, further = (Passes(rows=[index], parts=parts, roof=_roof(row.gpu, row.gpus)) for parts in recorded)
    return first, further, float(draft_passes(row.draft_tokens, block=block)) - 1.0


def measured(rows: Sequence[Row], reading: Reading) -> Measured:
    """Return rows with the work of their passes.

    Args:
        rows: Rows of one engine on one family of accelerators.
        reading: How they are read.

    Returns:
        The work, and what of it a token or a round consists of.
    """
    count = len(rows)
    indexed = list(enumerate(rows))
    prompts = [] if reading.alone else [(index, row) for index, row in indexed if row.input_tokens]
    verified = [(index, row) for index, row in indexed if row.draft_tokens]
    drafted = [_draft_passes(index, row, reading) for index, row in verified if row.drafter]
    drafts = np.zeros(count)
    for first, _, further in drafted:
        drafts[first.rows[0]] = further
    return Measured(
        rows=tuple(rows),
        step=pass_table(_passes(indexed, lambda _: 1, reading), count),
        prefill=pass_table(_passes(prompts, lambda row: row.input_tokens, reading, prompt=True), count),
        verify=pass_table(_passes(verified, lambda row: row.draft_tokens + 1, reading), count),
        first=pass_table([first for first, _, _ in drafted], count),
        further=pass_table([further for _, further, _ in drafted], count),
        prefills=np.array([(row.batch - 1) / row.output_tokens if row.output_tokens else 0.0 for row in rows]),
        drafts=drafts,
        verified_tokens=np.array([float(row.batch * row.draft_tokens) for row in rows]),
        speculates=np.array([float(row.ratio_quantity == "speedup") for row in rows]),
        tokens_per_round=np.array([row.tokens_per_round for row in rows]),
    )
