"""Why one setting, or a user's run, takes another time per token than a setting: in numbers and in one sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from roofline_app import format as fmt, query
from roofline_app.calibration.benchmarks import MeasuredPoint
from roofline_app.calibration.differences import setting_of
from roofline_app.difference import Difference, Side, difference, mixtures, side, token_seconds
from roofline_app.evaluation import evaluate
from roofline_app.scenario import LARGEST_CAP, AcceptanceLength, Scenario
from roofline_app.specs import SpecError
from roofline_app.text import FALLBACK, sentence

Ends = Literal["settings", "run", "pin"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Where the difference between two settings, or a setting and a run, comes from.

    Attributes:
        before: The first setting's line and draft length.
        after: The second's: the run's own setting, where it is a run.
        difference: The seconds of a token of both, and the parts.
        is_measured: Whether the second is a run.
    """

    before: Side
    after: Side
    difference: Difference
    is_measured: bool = False


def explain(one: Scenario, other: Scenario) -> Explanation:
    """Return where the difference between two settings comes from.

    Args:
        one: The first setting.
        other: The second.

    Raises:
        SpecError: When an id is unknown or a config cannot be read.

    Examples:
        >>> found = explain(Scenario(batch=8), Scenario(batch=32))
        >>> [part.group for part in found.difference.parts], found.before.draft_tokens
        (['batch'], 16)
    """
    return _explained(side(evaluate(one)), side(evaluate(other)))


def explain_run(scenario: Scenario, point: MeasuredPoint) -> Explanation:
    """Return where the difference between a setting and a run comes from.

    Args:
        scenario: The setting, with the drafter that the run is held against.
        point: The run: what it does not state is the setting's.

    Raises:
        SpecError: When the run states no time, or neither its draft length nor its tokens per round.
    """
    if point.seconds_per_token is None:
        message = "seconds_per_token: the run states no time"
        raise SpecError(message)
    before = side(evaluate(scenario))
    return _explained(before, _run_side(before, scenario, point), point.seconds_per_token)


def _run_side(before: Side, scenario: Scenario, point: MeasuredPoint) -> Side:
    own = replace(setting_of(point, scenario), drafters=(before.line,))
    if point.input_tokens and point.output_tokens:
        own = replace(own, prompt=round(point.input_tokens), output=round(point.output_tokens), requests=None)
    if point.draft_tokens == 0:
        return Side(scenario=own, draft_tokens=0)
    if point.draft_tokens is None or point.tokens_per_round is None:
        message = "draft_tokens, tokens_per_round: the run speculates and does not state both"
        raise SpecError(message)
    if point.draft_tokens > LARGEST_CAP:
        message = f"draft_tokens: {point.draft_tokens} are more than {LARGEST_CAP}"
        raise SpecError(message)
    acceptance = AcceptanceLength(tokens_per_round=point.tokens_per_round, draft_tokens=point.draft_tokens)
    line = replace(before.line, acceptance=acceptance, relax=0.0, gain=0.0)
    return Side(scenario=replace(own, drafters=(line,)), draft_tokens=point.draft_tokens)


def _explained(before: Side, after: Side, measured: float | None = None) -> Explanation:
    values = {
        swapped: float(token_seconds(evaluate(mixed.scenario))[mixed.draft_tokens])
        for swapped, mixed in mixtures(before, after).items()
    }
    found = difference(values, measured)
    return Explanation(before=before, after=after, difference=found, is_measured=measured is not None)


def as_json(found: Explanation, language: str = FALLBACK) -> dict[str, Any]:
    """Return an explanation as plain JSON values.

    Args:
        found: The explanation.
        language: Of the sentence.
    """
    ends = found.difference.before, found.difference.after
    sides = [
        {
            "query": query.encode(one.scenario),
            "draft_tokens": one.draft_tokens,
            "seconds_per_token": seconds,
            "measured": found.is_measured and one is found.after,
        }
        for one, seconds in zip((found.before, found.after), ends, strict=True)
    ]
    return {
        "before": sides[0],
        "after": sides[1],
        "parts": [{"group": part.group, "seconds": part.seconds} for part in found.difference.parts],
        "sentence": in_words(found.difference, "run" if found.is_measured else "settings", language),
    }


def signed_seconds(seconds: float) -> str:
    """Return seconds with their sign, in a fitting unit."""
    return f"{'−' if seconds < 0 else '+'}{fmt.seconds(abs(seconds))}"


def in_words(found: Difference, between: Ends = "settings", language: str = FALLBACK) -> str:
    """Return a difference in one sentence: both ends, and the parts from the largest on.

    Args:
        found: The difference.
        between: Two settings, a setting and a run, or a pinned setting and the shown one.
        language: Of the words.
    """
    total = found.after - found.before
    values = {
        "before": fmt.seconds(found.before),
        "after": fmt.seconds(found.after),
        "total": fmt.seconds(abs(total)),
        "parts": sentence("difference.between", language).join(
            sentence(
                "difference.part",
                language,
                group=sentence(f"difference.{part.group}", language),
                seconds=signed_seconds(part.seconds),
            )
            for part in found.parts
        ),
    }
    if not found.parts:
        return sentence("difference.none", language, **values)
    return sentence(f"difference.{between}_{'slower' if total > 0 else 'faster'}", language, **values)
