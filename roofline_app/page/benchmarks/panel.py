"""Measurements of the shown setting: published points, the user's own, and the tables beside predictions."""

from __future__ import annotations

from collections.abc import Iterable

from roofline_app.page.benchmarks.published import published_marks, tables
from roofline_app.page.benchmarks.user_points import UserPoints, config_text, contents
from roofline_app.page.benchmarks.user_profile import LEAST_RUNS, UserProfile
from roofline_app.page.figures.measured_points.points import Mark
from roofline_app.page.protocol import BenchmarksState
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.text import sentence


class Benchmarks:
    """The page's measurements.

    Attributes:
        own: A user's points.
        profile: The profile that can be fitted to them.
        opened: Whether the tables are shown.
    """

    def __init__(self, language: str) -> None:
        """Start with the published ones."""
        self.language = language
        self.own = UserPoints(language)
        self.profile = UserProfile(language)
        self.opened = False

    def marks(self, scenario: Scenario, evaluation: Evaluation) -> tuple[Mark, ...]:
        """Return the points of the shown model and node."""
        published = published_marks(scenario.model, scenario.gpu, scenario.gpus, self.language)
        return (*published, *self.own.marks(evaluation))

    def take(self, files: Iterable[object], scenario: Scenario) -> tuple[str, list[str]]:
        """Read the user's files.

        Args:
            files: Each with its `name`, and its `content` in base64; what is no file is left out.
            scenario: The shown setting.

        Returns:
            The texts of a config.json and of the hf_quant_config.json beside it, one after the other, empty where
            there is neither; and remarks on files of measurements.
        """
        configs, said = list[str](), list[str]()
        for file in files:
            if isinstance(file, dict):
                content = contents(file.get("content"))
                found = config_text(content)
                configs += [found] if found else []
                said += [] if found else self.own.add(str(file.get("name", "")), content)
        if said and self.profile.look_at(self.own.files, scenario) >= LEAST_RUNS:
            title = sentence("page.validation_title", self.language)
            said.append(sentence("page.own_fit_offered", self.language, title=title))
        return "\n".join(configs), said

    def fit(self, scenario: Scenario) -> None:
        """Fit a profile to the user's points."""
        self.profile.fit(self.own.files, scenario)

    def state(self, scenario: Scenario, evaluation: Evaluation) -> BenchmarksState:
        """Return the tables if they are shown, and the number of the user's files."""
        shown = []
        if self.opened:
            own = [self.own.table(evaluation)] if self.own.files else []
            shown = [*own, *tables(evaluation.model.id, evaluation.model.name, self.language)]
        return {
            "validation": [table.as_json() for table in shown],
            "own_files": len(self.own.files),
            "own_fit": self.profile.state(self.own.files, scenario),
        }
