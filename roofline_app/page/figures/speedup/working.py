"""How figure 'speedup' is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping

from roofline_app import format as fmt
from roofline_app.page.figures.acceptance.view import line_length
from roofline_app.page.figures.working import ARTICLE, LEVIATHAN, Say, Working, line, round_numbers
from roofline_app.results import DrafterResult, Evaluation


def _is_constant(result: DrafterResult) -> bool:
    """Return whether every draft token has the first one's chance, given that those before it were accepted."""
    chance = float(result.survival[0]) if result.survival.size else 0.0
    expected = (chance ** (position + 1) for position in range(result.survival.size))
    return all(math.isclose(share, power, rel_tol=1e-9) for share, power in zip(result.survival, expected, strict=True))


def _tokens(result: DrafterResult, numbers: Mapping[str, str], say: Say) -> Working:
    if _is_constant(result):
        return line(say("tokens_constant", acceptance=fmt.decimal(float(result.survival[0])), **numbers))
    return line(say("tokens_stated", **numbers))


def _drafting(result: DrafterResult, numbers: Mapping[str, str], say: Say) -> list[Working]:
    if not result.cost:
        return []
    passes = round(float(result.drafting_seconds[line_length(result)]) / result.cost / _step_seconds(result))
    return [line(say("draft_relative", cost=fmt.decimal(result.cost), passes=fmt.count(passes), **numbers))]


def _step_seconds(result: DrafterResult) -> float:
    return float(result.verifying_seconds[0])


def working(evaluation: Evaluation, say: Say, _language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    workings = [line(say("speedup_formula"), ARTICLE)]
    numbers = [round_numbers(result, evaluation) for result in evaluation.drafters]
    workings += [line(say("speedup_numbers", **values)) for values in numbers]
    workings.append(line(say("tokens_formula"), LEVIATHAN))
    for result, values in zip(evaluation.drafters, numbers, strict=True):
        workings += [_tokens(result, values, say), *_drafting(result, values, say)]
    return workings
