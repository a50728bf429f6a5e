"""Two runs of one setting, without and with speculation, belong together: what the second gained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, log

from roofline_app.calibration.benchmarks.points import MeasuredPoint
from roofline_app.calibration.benchmarks.remarks import UnusableError
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS, rounds_of

# The mean in flight and served lengths differ this much between runs of one command.
_NEAR = 0.1
# Plain runs of one engine, model and accelerator in one file; more are no benchmark.
_MOST_COMPARED = 512
_NO_DRAFT_LENGTH = "no_draft_length"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A run with speculation and the plain run of its setting, as places among the points they were found in.

    Attributes:
        point: Place of the run with speculation.
        baseline: Place of the plain run.
        speedup: Seconds per token of the plain run over those of the other.
    """

    point: int
    baseline: int
    speedup: float


class Baselines:
    """The plain runs among points, to be found by the setting of a run with speculation."""

    def __init__(self, points: Iterable[MeasuredPoint]) -> None:
        """Keep the plain runs that state their time, batch and context."""
        self._runs: dict[tuple[object, ...], list[MeasuredPoint]] = {}
        for point in points:
            if point.draft_tokens == 0 and point.seconds_per_token and point.batch and point.context_tokens:
                self._runs.setdefault(_names(point), []).append(point)

    def of(self, point: MeasuredPoint) -> MeasuredPoint | None:
        """Return the plain run of a point's setting, the nearest in batch and lengths.

        Args:
            point: A run with speculation.

        Returns:
            A plain run of the same engine, model, accelerators and formats, whose batch, context and lengths differ by
            noise only; None where there is none, or where the point does not state its batch and context.
        """
        nearest, found = log(1 + _NEAR), None
        for other in self._runs.get(_names(point), [])[:_MOST_COMPARED]:
            distance = _distance(point, other)
            if distance < nearest or (found is None and distance == nearest):
                nearest, found = distance, other
            if not distance:
                break
        return found


def _names(point: MeasuredPoint) -> tuple[object, ...]:
    return (point.engine, point.model, point.gpu, point.gpus, point.weights, point.kv)


def _distance(one: MeasuredPoint, other: MeasuredPoint) -> float:
    """Return how far batch and lengths of two runs are apart at most, as a logarithm."""
    known = [(one.batch, other.batch), (one.context_tokens, other.context_tokens)]
    if one.input_tokens and other.input_tokens and one.output_tokens and other.output_tokens:
        known += [(one.input_tokens, other.input_tokens), (one.output_tokens, other.output_tokens)]
    return max(abs(log(left / right)) if left and right else inf for left, right in known)


def pairs(points: Sequence[MeasuredPoint]) -> Iterator[Pair]:
    """Yield the runs with speculation that have a plain run of their setting.

    Args:
        points: Runs, in any order.

    Yields:
        Places and speedups, in the order of the points.
    """
    places = {id(point): place for place, point in enumerate(points)}
    baselines = Baselines(points)
    for place, point in enumerate(points):
        baseline = baselines.of(point) if point.draft_tokens != 0 and point.seconds_per_token else None
        if baseline is not None and baseline.seconds_per_token and point.seconds_per_token:
            speedup = baseline.seconds_per_token / point.seconds_per_token
            yield Pair(point=place, baseline=places[id(baseline)], speedup=speedup)


def lacks_draft_length(point: MeasuredPoint) -> bool:
    """Return whether a run speculated with drafts whose number its file does not state."""
    return point.draft_tokens is None


def with_draft_length(point: MeasuredPoint, draft_tokens: int) -> MeasuredPoint:
    """Return a point whose file does not state its draft length, with what its user says.

    Args:
        point: A run with speculation.
        draft_tokens: Drafts per round, root and bonus not counted.

    Returns:
        The point, without the remark that the length is missing.

    Raises:
        UnusableError: When no round of so many drafts commits as many tokens as the file states.
    """
    if not 1 <= draft_tokens <= MOST_DRAFT_TOKENS:
        raise UnusableError("not_a_count", field="draft_tokens", given=draft_tokens, largest=MOST_DRAFT_TOKENS)
    if point.tokens_per_round is not None:
        rounds_of(point.tokens_per_round, draft_tokens, "tokens_per_round")
    told = tuple(assumption for assumption in point.assumptions if assumption.name != _NO_DRAFT_LENGTH)
    return replace(point, draft_tokens=draft_tokens, assumptions=told)
