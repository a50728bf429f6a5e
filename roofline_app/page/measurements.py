"""What was measured of the shown setting: published points, a reader's own, and the tables beside predictions."""

from __future__ import annotations

from collections.abc import Iterable

from roofline_app.page.own_points import OwnPoints, config_text, contents
from roofline_app.page.published import published_marks, tables
from roofline_app.page.views.marks import Mark
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario


class Measurements:
    """The page's measurements.

    Attributes:
        own: A reader's points.
        opened: Whether the tables are shown.
    """

    def __init__(self, language: str) -> None:
        """Start with the published ones."""
        self.language = language
        self.own = OwnPoints(language)
        self.opened = False

    def marks(self, scenario: Scenario, evaluation: Evaluation) -> tuple[Mark, ...]:
        """Return the points of the shown model and node."""
        published = published_marks(scenario.model, scenario.gpu, scenario.gpus, self.language)
        return (*published, *self.own.marks(evaluation))

    def take(self, files: Iterable[object]) -> tuple[str, list[str]]:
        """Read files of the reader's.

        Args:
            files: Each with its `name`, and its `content` in base64; what is no file is left out.

        Returns:
            The text of the last config.json, else empty; and what is said about files of measurements.
        """
        config, said = "", list[str]()
        for file in files:
            if isinstance(file, dict):
                content = contents(file.get("content"))
                found = config_text(content)
                config = found or config
                said += [] if found else self.own.add(str(file.get("name", "")), content)
        return config, said

    def state(self, evaluation: Evaluation) -> dict[str, object]:
        """Return the tables where they are shown, and how many files the reader has given."""
        shown = []
        if self.opened:
            own = [self.own.table(evaluation)] if self.own.files else []
            shown = [*own, *tables(evaluation.model.id, evaluation.model.name, self.language)]
        return {"validation": [table.as_json() for table in shown], "own_files": len(self.own.files)}
