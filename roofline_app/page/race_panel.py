"""The token race on the page: its columns, with a user's own runs where wanted, its file and its place in the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roofline_app.page import downloads
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.race.columns import RaceColumns, Run
from roofline_app.page.figures.race.poster import moving_race, still_race
from roofline_app.page.figures.race.view import RaceView, columns_table, race_rows
from roofline_app.page.posters import framed
from roofline_app.page.protocol import GivenFile, RaceWords, TableWords
from roofline_app.page.theme import Palette

RACE = "race"


class RacePanel:
    """The race as the user has it; the other figures know nothing of a user's own runs.

    Attributes:
        columns: What each column shows.
    """

    def __init__(self, language: str) -> None:
        """Start with the computed columns, unseen."""
        self.columns = RaceColumns(language)

    def see(self, figure: object, *, visible: bool) -> None:
        """Note whether the race is on the screen; from then on it is computed."""
        self.columns.seen |= figure == RACE and visible

    def view(self, shown: Shown, runs: Sequence[Run]) -> RaceView:
        """Return the race."""
        return self.columns.view(shown.evaluation, shown.evaluation.scenario.seed, runs)

    def state(self, shown: Shown, palette: Palette, runs: Sequence[Run]) -> RaceWords | None:
        """Return the columns as plain values; None as long as nobody has seen the race."""
        return self.columns.state(shown.evaluation, shown.evaluation.scenario.seed, palette, runs)

    def table(self, shown: Shown, runs: Sequence[Run]) -> TableWords:
        """Return the table of the columns."""
        return columns_table(self.view(shown, runs), shown.language).as_json()

    def file(self, kind: str, shown: Shown, palette: Palette, runs: Sequence[Run]) -> GivenFile | None:
        """Return a file of the race: its values, or a picture, which moves as SVG."""
        view = self.view(shown, runs)
        draw = {"svg": moving_race, "png": still_race}.get(kind)
        if draw is None:
            return downloads.file_of(RACE, kind, shown.evaluation, race_rows(view))
        picture = draw(view, palette, shown.language)
        return downloads.picture_file(RACE, kind, framed(shown.evaluation, RACE, picture, palette, shown.language))

    def choose(self, change: Any, runs: Sequence[Run]) -> None:
        """Choose the content of a column."""
        if isinstance(change, dict):
            self.columns.choose(change.get("column"), change.get("run"), len(runs))
