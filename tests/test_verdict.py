"""Headline and verdict hold only numbers of their own evaluation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from strategies import scenarios

from roofline_app import export, format as fmt, registry
from roofline_app.evaluation import evaluate
from roofline_app.query import decode
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.verdict import answer, ranges

NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
# A rounded number, of one digit at worst, is within this many decades of what it stands for.
NEAR = 0.18
BINARY = 1024
FORMS = (fmt.speedup, fmt.count, fmt.significant, fmt.rate, fmt.usd, fmt.bytes_, fmt.seconds, fmt.percent)


def _leaves(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _forms(leaf: float) -> set[str]:
    said = [*(form(leaf) for form in FORMS), fmt.significant(leaf, 2)]
    if isinstance(leaf, int):
        said.append(fmt.tokens(leaf))
    return {number for text in said for number in NUMBER.findall(text)}


def _held(number: str, leaves: list[float]) -> bool:
    """Return whether a number as said is some leaf as formatted; leaves of other digits are not worth formatting."""
    digits = number.replace(",", "").rstrip(".")
    value = float(digits)
    # A tiny number keeps few digits: 0.0054 is said as 0.01.
    places = len(digits.partition(".")[2])
    for leaf in leaves:
        ratio = leaf / value if value else 0.0
        if (
            leaf == value
            or round(leaf, places) == value
            or (ratio > 0 and abs((math.log10(ratio) + 0.5) % 1 - 0.5) < NEAR)
        ):
            if number in _forms(leaf):
                return True
        elif isinstance(leaf, int) and leaf % BINARY == 0 and number in _forms(leaf):
            return True
    return False


def _numbers_said(evaluation: Evaluation) -> list[str]:
    said = answer(evaluation)
    text = f"{said.headline} {said.verdict} {' '.join(said.notices)}"
    names = [
        evaluation.model.name,
        evaluation.node.name,
        evaluation.node.network,
        *(drafter.name for drafter in evaluation.drafters),
    ]
    names += [drafter.physical.name for drafter in evaluation.drafters if drafter.physical]
    names += [drafter.measured.name for drafter in evaluation.drafters if drafter.measured]
    # Sizes are said as a link states them, and stand so in the evaluation.
    names += [size for drafter in evaluation.drafters if drafter.physical for size in drafter.physical.assumed_sizes]
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return NUMBER.findall(text)


def _check_numbers(scenario: Scenario) -> None:
    # A reader's own names may hold any digits; the kinds' names are known.
    unnamed = tuple(replace(drafter, name="") for drafter in scenario.drafters)
    evaluation = evaluate(replace(scenario, drafters=unnamed))
    leaves = list(dict.fromkeys(_leaves(export.as_json(evaluation))))
    for number in _numbers_said(evaluation):
        assert _held(number, leaves), (number, answer(evaluation))


@given(scenarios())
@settings(max_examples=40, deadline=None)
def test_every_number_said_is_in_the_evaluation(scenario: Scenario) -> None:
    _check_numbers(scenario)


@pytest.mark.slow
@given(scenarios())
@settings(max_examples=1000, deadline=None)
def test_every_number_said_of_a_thousand_scenarios_is_in_the_evaluation(scenario: Scenario) -> None:
    _check_numbers(scenario)


def test_a_setting_where_nothing_pays_says_not_to_speculate() -> None:
    scenario = decode(registry.presets()["loses"].query).scenario
    evaluation = evaluate(scenario)
    assert all(drafter.best.draft_tokens == 0 for drafter in evaluation.drafters)
    said = answer(evaluation)
    assert "Do not speculate" in said.headline
    assert "do not speculate" in said.verdict


@pytest.mark.parametrize(
    ("batches", "words"),
    [([], ""), ([1], "1"), ([1, 2, 4, 8, 64], "1–8, 64"), ([2048, 4096], "2,048–4,096"), ([1, 4, 16], "1, 4, 16")],
)
def test_neighbouring_batches_stand_together(batches: list[int], words: str) -> None:
    assert ranges(batches) == words


def test_where_a_drafter_on_gpus_of_its_own_pays_is_said_of_batches_that_fit() -> None:
    line = "model=qwen3.5-27b&gpu=h100-sxm&gpus=4&drafter=draft,cost=physical,placement=separate"
    for batch, context in ((3, 8192), (4, 512), (512, 8192), (2048, 512)):
        evaluation = evaluate(decode(f"{line}&batch={batch}&context={context}").scenario)
        separate = evaluation.drafters[0].separate
        assert separate is not None
        pays = separate.pays_at_batch.tolist()
        verdict = answer(evaluation).verdict
        said = ranges([other for other in pays if other <= evaluation.memory.largest_batch])
        if said or separate.pays:
            assert f"at batch {said or f'{batch:,}'}." in verdict
            assert ("does not pay here" in verdict) != separate.pays
        else:
            assert "at no batch that fits" in verdict
    paying = evaluate(decode("preset=own-gpus").scenario)
    assert "moving it pays, at batch 1–4." in answer(paying).verdict
    never = evaluate(decode(f"{line},link.latency=1&batch=4&context=512").scenario)
    assert "at no batch that fits" in answer(never).verdict


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("link", "keys"),
    [
        ("gpu=h100-sxm&gpus=8", []),
        ("gpu=h100-sxm&gpus=9", ["gpus", "gpus", "gpus"]),
        ("gpu=h100-sxm&gpus=16", ["gpus", "gpus"]),
        ("gpu=h100-nvl&gpus=4", ["gpus"]),
        ("gpu=gb200-nvl72&gpus=32", []),
        ("gpu=gb200-nvl72&gpus=72", ["gpus"]),
        ("gpu=h100-sxm&gpus=8&gpu.interconnect=0", []),
        ("gpu=h100-sxm&gpus=8&gpu.interconnect=0&layout=even&profile=calibrated", []),
        ("gpu=h100-sxm&gpus=1&gpu.interconnect=0&layout=tp", []),
        ("gpu=h100-sxm&gpus=8&gpu.interconnect=0&layout=tp", ["gpu.interconnect"]),
        ("gpu=h100-sxm&gpus=8&gpu.interconnect=0&layout=dp%2Bep", ["gpu.interconnect"]),
        ("gpu=h100-sxm&gpus=8&gpu.interconnect=0&profile=calibrated", ["gpu.interconnect"]),
        ("gpu=dgx-spark&gpus=2&layout=tp", ["gpus", "gpus"]),
        ("gpu=dgx-spark&gpus=2&gpu.interconnect=0&layout=tp", ["gpus", "gpu.interconnect"]),
    ],
)
def test_a_node_that_cannot_be_is_computed_and_said_by_its_key(link: str, keys: list[str], language: str) -> None:
    evaluation = evaluate(decode(f"model=qwen3-8b&batch=1&{link}").scenario)
    said = [notice.replace("：", ":").partition(":")[0] for notice in answer(evaluation, language).notices]
    assert [key for key in said if key in {"gpus", "gpu.interconnect"}] == keys
    assert evaluation.drafters[0].best.speedup > 0
