"""A node that may hold a model, resolved: the sequences that fit, and what a prompt costs it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from roofline_app.evaluation.end_to_end import Load, own_prompt_seconds, prompt_seconds, request_scenario
from roofline_app.evaluation.memory import memory
from roofline_app.evaluation.planning.candidates import Candidate
from roofline_app.resolved import ResolvedScenario, resolve
from roofline_app.scenario import LARGEST_BATCH


@dataclass(frozen=True)
class Held:
    """A node and the model on it.

    Attributes:
        candidate: The node.
        resolved: Its setting.
        largest_batch: Sequences that fit into memory; 0 where none does.
        cap: Sequences that a search goes up to.
    """

    candidate: Candidate
    resolved: ResolvedScenario
    largest_batch: int
    cap: int

    @property
    def groups(self) -> int:
        """Groups of GPUs with sequences of their own."""
        return self.resolved.node.gpus if self.resolved.layout.splits_sequences else 1

    @property
    def most(self) -> int:
        """The most sequences to decode together: all that fit, no more than there are requests."""
        return min(self.largest_batch, self.cap, self.resolved.scenario.requests or LARGEST_BATCH)

    @cached_property
    def request(self) -> ResolvedScenario | None:
        """The setting of decoding that whole requests are made of; None where no prompt is stated."""
        scenario = self.resolved.scenario
        requests = request_scenario(scenario)
        if requests is None:
            return None
        return self.resolved if requests.context == scenario.context else resolve(requests)

    def first_token(self, batch: int, line: int, token: float, round_seconds: float) -> float:
        """Return the mean seconds to the first token, as `end_to_end` has them.

        Args:
            batch: Requests in flight.
            line: 0 for plain decoding, or the position of a line from 1 on.
            token: Seconds of a token.
            round_seconds: Of a round, or of a step.
        """
        scenario = self.resolved.scenario
        if scenario.output is None:
            return float("nan")
        load = Load(output=scenario.output, concurrency=batch, requests=scenario.requests)
        return load.first_token(token, self._prompt(line, min(batch, self.groups)), round_seconds)

    def _prompt(self, line: int, prompts: int) -> float:
        """Return the seconds of a prompt, with a line's own; so many are taken at once at most."""
        if (line, prompts) not in self._prompts:
            request, tokens = self.request, self.resolved.scenario.prompt
            assert request is not None
            assert tokens is not None
            seconds = prompt_seconds(request.sharded, request, tokens, prompts)
            if line:
                seconds += own_prompt_seconds(request.drafters[line - 1], request, tokens, prompts)
            self._prompts[line, prompts] = seconds
        return self._prompts[line, prompts]

    @cached_property
    def _prompts(self) -> dict[tuple[int, int], float]:
        return {}


def held(candidate: Candidate, cap: int) -> Held:
    """Return a node with its setting resolved."""
    resolved = resolve(candidate.scenario)
    return Held(candidate=candidate, resolved=resolved, largest_batch=memory(resolved).largest_batch, cap=cap)
