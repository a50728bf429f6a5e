"""Measurements of the shown setting: published points, the user's own, and the tables beside predictions."""

from __future__ import annotations

from collections.abc import Iterable

from roofline_app.calibration.benchmarks.pairs import lacks_draft_length
from roofline_app.calibration.benchmarks.remarks import UnusableError
from roofline_app.calibration.benchmarks.running_load import log_load
from roofline_app.page.benchmarks.published import published_marks, tables
from roofline_app.page.benchmarks.user_files import are_other, contributed, own_files
from roofline_app.page.benchmarks.user_points import UserPoints, config_text, contents
from roofline_app.page.benchmarks.user_profile import LEAST_RUNS, UserProfile
from roofline_app.page.benchmarks.user_table import own_table
from roofline_app.page.figures.measured_points.points import Mark
from roofline_app.page.protocol import BenchmarksState, GivenFile
from roofline_app.results import Evaluation
from roofline_app.scenario import LoadPart, Scenario
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
        said += self._offers(scenario) if said else []
        return "\n".join(configs), said

    def load(self, files: Iterable[object]) -> tuple[LoadPart, ...]:
        """Return the load of the first server's log among files in which batches differ; empty where there is none.

        Args:
            files: As for `take`.
        """
        texts = (
            contents(file.get("content")).decode("utf-8", errors="replace") for file in files if isinstance(file, dict)
        )
        return next((load for load in map(log_load, texts) if len(load) > 1), ())

    def _offers(self, scenario: Scenario) -> list[str]:
        """Return what the page can do with the files, in sentences that say where."""
        title = sentence("page.validation_title", self.language)
        offers = list[str]()
        if are_other(self.own.files, scenario, self.language):
            offers.append(sentence("page.own_setting_offered", self.language, title=title))
        if any(lacks_draft_length(point) for imported in self.own.files for point in imported.points):
            offers.append(sentence("page.own_drafts_missing", self.language, title=title))
        if self.profile.look_at(self.own.files, scenario) >= LEAST_RUNS:
            offers.append(sentence("page.own_fit_offered", self.language, title=title))
        return offers

    def set_draft_length(self, change: object) -> list[str]:
        """Set the draft length of a file's runs that do not state theirs.

        Args:
            change: The file's place and the length, as the page sends them.

        Returns:
            Why the length is impossible, in a sentence; nothing where it is taken or no such file is there.
        """
        files = self.own.files
        place = change.get("file") if isinstance(change, dict) else None
        if not (isinstance(change, dict) and isinstance(place, int) and place in range(len(files))):
            return []
        try:
            self.own.set_draft_length(place, str(change.get("drafts")))
        except UnusableError as error:
            reason = error.remark().say(self.language)
            return [sentence("page.own_drafts_refused", self.language, file=files[place].file_name, reason=reason)]
        return []

    def contribution(self, scenario: Scenario) -> GivenFile | None:
        """Return the text that hands the user's runs in, where there are any."""
        return contributed(self.own.files, scenario) if self.own.files else None

    def fit(self, scenario: Scenario) -> None:
        """Fit a profile to the user's points."""
        self.profile.fit(self.own.files, scenario)

    def state(self, scenario: Scenario, evaluation: Evaluation) -> BenchmarksState:
        """Return the tables if they are shown, and the number of the user's files."""
        shown = []
        if self.opened:
            own = [own_table(self.own, evaluation, self.language)] if self.own.runs_of(evaluation) else []
            shown = [*own, *tables(evaluation.model.id, evaluation.model.name, self.language)]
        return {
            "validation": [table.as_json() for table in shown],
            "own_files": own_files(self.own.files, scenario, self.language),
            "own_fit": self.profile.state(self.own.files, scenario),
        }
