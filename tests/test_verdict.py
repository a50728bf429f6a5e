"""Headline and verdict hold only numbers of their own evaluation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypothesis import given, settings
from strategies import scenarios

from roofline_app import format as fmt
from roofline_app import report
from roofline_app.evaluation import evaluate
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario

NUMBER = re.compile(r"\d(?:[\d,.]*\d)?")
FORMS = (fmt.speedup, fmt.count, fmt.significant, fmt.rate, fmt.usd, fmt.bytes_)


def _leaves(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield value


def _numbers_held(evaluation: Evaluation) -> set[str]:
    held = set[str]()
    for leaf in _leaves(report.as_json(evaluation)):
        for form in FORMS:
            held.update(NUMBER.findall(form(leaf)))
        if isinstance(leaf, int):
            held.update(NUMBER.findall(fmt.tokens(leaf)))
    return held


def _numbers_said(evaluation: Evaluation) -> list[str]:
    text = f"{evaluation.headline} {evaluation.verdict} {' '.join(evaluation.notices)}"
    names = [evaluation.model.name, evaluation.node.name, *(drafter.name for drafter in evaluation.drafters)]
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return NUMBER.findall(text)


@given(scenarios())
@settings(max_examples=1000, deadline=None)
def test_every_number_said_is_in_the_evaluation(scenario: Scenario) -> None:
    evaluation = evaluate(scenario)
    held = _numbers_held(evaluation)
    for number in _numbers_said(evaluation):
        assert number in held, (number, evaluation.headline, evaluation.verdict)


def test_a_setting_where_nothing_pays_says_not_to_speculate() -> None:
    evaluation = evaluate(Scenario(model="qwen3.5-27b", gpus=1, batch=4096))
    assert "Do not speculate" in evaluation.headline
    assert "do not speculate" in evaluation.verdict
