"""Every kind of drafter, in every way in which a line can state it: evaluated, or refused by name."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.flags import ENGINES, serving_flags
from roofline_app.query import decode, encode
from roofline_app.scenario import (
    AcceptanceChoice,
    AcceptanceLength,
    ConstantAcceptance,
    Drafter,
    MeasuredAcceptance,
    MixedAcceptance,
    MixPart,
    Placement,
    Scenario,
    SurvivalRates,
)
from roofline_app.specs import DrafterKindSpec, SpecError
from roofline_app.specs.table import UnknownIdError
from roofline_app.text import LANGUAGES

KINDS = tuple(registry.drafter_kinds().values())
COSTS = (0.05, None)
PLACEMENTS: tuple[Placement, ...] = ("same", "separate")
HALF = ConstantAcceptance(acceptance=0.5)
MEASURED = MeasuredAcceptance(preset=registry.acceptance_ids()[0])
FORMS: tuple[AcceptanceChoice, ...] = (
    HALF,
    AcceptanceLength(tokens_per_round=2.5, draft_tokens=3),
    SurvivalRates(survival=(0.9, 0.7, 0.4)),
    MEASURED,
    MixedAcceptance(parts=(MixPart(share=0.5, acceptance=HALF), MixPart(share=0.5, acceptance=MEASURED))),
)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
every_cost = pytest.mark.parametrize("cost", COSTS, ids=("a share of a step", "own work"))
every_placement = pytest.mark.parametrize("placement", PLACEMENTS)


def _scenario(line: Drafter) -> Scenario:
    return Scenario(model="qwen3-8b", gpu="h100-sxm", gpus=1, batch=4, cap=6, drafters=(line,))


def _lines(kind: str, cost: float | None, placement: Placement) -> list[Scenario]:
    """Return a scenario for each form of acceptance."""
    block = registry.drafter_kind(kind).block
    return [
        _scenario(Drafter(kind=kind, acceptance=form, cost=cost, block=block, placement=placement)) for form in FORMS
    ]


@every_kind
@every_cost
@every_placement
def test_every_line_is_evaluated_or_refused_by_name(
    kind: DrafterKindSpec, cost: float | None, placement: Placement
) -> None:
    asks_for_weights = cost is None or placement == "separate"
    for scenario in _lines(kind.id, cost, placement):
        if asks_for_weights and not kind.has_own_work:
            with pytest.raises(SpecError, match=rf"^drafters: (cost|placement) of {kind.name} needs weights"):
                evaluate(scenario)
            continue
        (drafter,) = evaluate(scenario).drafters
        assert drafter.kind == kind.id
        assert (drafter.physical is None) != kind.has_own_work
        for curve in (drafter.speedup, drafter.tokens_per_round, drafter.verifying_seconds):
            assert np.all(np.isfinite(curve) & (curve > 0.0))
        # Every draft is paid for; an empty one is not.
        assert np.all(np.isfinite(drafter.drafting_seconds))
        assert drafter.drafting_seconds[1:].min() > drafter.drafting_seconds[0] == 0.0


@pytest.mark.parametrize("engine", ENGINES)
@every_kind
@every_cost
@every_placement
def test_every_line_gets_commands_or_a_named_reason(
    kind: DrafterKindSpec, cost: float | None, placement: Placement, engine: str
) -> None:
    method = kind.method(engine)
    asks_for_weights = cost is None or placement == "separate"
    for scenario in _lines(kind.id, cost, placement):
        if method and asks_for_weights and not kind.has_own_work:
            with pytest.raises(SpecError, match=f"{kind.name} needs weights"):
                serving_flags(scenario, engine)
            continue
        flags = serving_flags(scenario, engine)
        assert flags.serve.command
        if method is None:
            assert "has none of these drafters" in flags.notes[0]
        elif flags.draft_tokens:
            assert re.search(rf"\b{method.method}\b", flags.serve.command)
        else:
            assert flags.notes[0].startswith("Do not speculate")


@every_kind
@every_cost
@every_placement
def test_every_link_is_read_with_a_notice_for_what_its_kind_lacks(
    kind: DrafterKindSpec, cost: float | None, placement: Placement
) -> None:
    stated = "physical" if cost is None else str(cost)
    decoded = decode(f"drafter={kind.id},cost={stated},placement={placement}")
    lacking = [] if kind.has_own_work else [*(["drafter.cost"] if cost is None else []), "drafter.placement"]
    assert sorted(notice.key for notice in decoded.notices) == lacking
    assert decode(encode(decoded.scenario)).notices == ()
    assert evaluate(decoded.scenario).drafters[0].kind == kind.id


@pytest.mark.parametrize("kind", ["ideal", "ngram"])
def test_own_work_of_a_kind_without_weights_is_said_to_be_its_share_of_a_step(kind: str) -> None:
    spec = registry.drafter_kind(kind)
    decoded = decode(f"drafter={kind},cost=physical")
    (notice,) = decoded.notices
    assert (notice.key, notice.given, notice.used) == ("drafter.cost", "physical", "cost=0")
    for language in LANGUAGES:
        assert all(part in notice.say(language) for part in ("physical", spec.name, "cost=0"))
    assert decoded.scenario.drafters[0].cost == spec.cost


def test_an_unknown_kind_is_named_with_the_nearest_one() -> None:
    scenario = _scenario(Drafter(kind="eagel3", acceptance=HALF, cost=0.1))
    with pytest.raises(UnknownIdError, match="unknown kind of drafter 'eagel3'; did you mean eagle3"):
        evaluate(scenario)
    with pytest.raises(UnknownIdError, match="'eagel3'"):
        serving_flags(scenario, "vllm")
    with pytest.raises(UnknownIdError, match="'eagel3'"):
        encode(scenario)


def test_a_drafter_of_another_kind_is_refused_with_both_kinds() -> None:
    line = Drafter(kind="eagle3", acceptance=HALF, cost=None, model="qwen3-8b-dflash")
    with pytest.raises(SpecError, match="'qwen3-8b-dflash' is a drafter of kind block, not eagle3"):
        evaluate(_scenario(line))


@pytest.mark.parametrize("block", [1, 3, 8, 15])
def test_a_block_is_as_many_drafts_in_figures_as_in_commands(block: int) -> None:
    for cost in COSTS:
        line = Drafter(kind="block", acceptance=ConstantAcceptance(acceptance=1.0), cost=cost, block=block)
        seconds = evaluate(replace(_scenario(line), cap=2 * block)).drafters[0].drafting_seconds
        # One pass up to the block's last draft, and a second one from the next on.
        assert seconds[block] == pytest.approx(seconds[1], rel=0.02)
        assert seconds[block + 1] > 1.5 * seconds[block]
        assert serving_flags(replace(_scenario(line), cap=2 * block), "vllm").draft_tokens == block


def test_kinds_with_described_weights_have_a_stand_in_for_every_model() -> None:
    described = {kind.id for kind in KINDS if kind.weights in {"model", "trained"}}
    assert described == {kind.id for kind in KINDS if kind.generic}


@every_kind
def test_a_stand_in_drafts_in_blocks_if_its_kind_does(kind: DrafterKindSpec) -> None:
    blocks = [drafter.block for drafter in registry.drafters().values() if drafter.kind == kind.id]
    blocks += [kind.generic.block] if kind.generic else []
    assert all((block > 1) == kind.in_blocks for block in blocks)
