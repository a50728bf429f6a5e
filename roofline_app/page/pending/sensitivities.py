"""Sensitivity, an evaluation at a time, so that a reader's next change never waits for all of them."""

from __future__ import annotations

from dataclasses import replace

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.results import Evaluation
from roofline_app.scenario import Presentation, Scenario
from roofline_app.sensitivity import Sensitivity, alone, sensitivities, settings
from roofline_app.verdict import best_drafter


class PendingSensitivities:
    """The sensitivities of one setting.

    Attributes:
        line: Position of the drafter that they are of.
        waiting: What is still to be evaluated.
        revision: How many settings there were.
    """

    def __init__(self) -> None:
        """Start without a setting."""
        self.line = 0
        self.waiting: dict[str, Scenario] = {}
        self.revision = 0
        self._done: dict[str, Evaluation] = {}
        self._setting: Scenario | None = None
        self._evaluation: Evaluation | None = None

    def aim(self, scenario: Scenario, evaluation: Evaluation) -> None:
        """Take another setting; nothing is computed anew where only the looks have changed."""
        line = evaluation.drafters.index(best_drafter(evaluation))
        setting = replace(alone(scenario, line), presentation=Presentation())
        self.line, self._evaluation = line, evaluation
        if setting != self._setting:
            self._setting, self._done = setting, {}
            self.revision += 1
            calibrated = registry.profile(evaluation.profile.id).is_calibrated
            self.waiting = dict(settings(setting, calibrated=calibrated))

    def advance(self) -> bool:
        """Evaluate the next setting; return whether there was one."""
        if not self.waiting:
            return False
        name = next(iter(self.waiting))
        self._done[name] = evaluate(self.waiting.pop(name))
        return True

    def found(self) -> tuple[Sensitivity, ...]:
        """Return what is known so far."""
        if self._evaluation is None:
            return ()
        return sensitivities(self._evaluation, self._evaluation.drafters[self.line], self._done)
