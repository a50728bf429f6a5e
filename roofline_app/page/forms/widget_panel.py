"""The page's widgets: what each shows of a scenario, and the scenario after the user has set one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from roofline_app.page.forms import drafter_controls
from roofline_app.page.forms.controls import FIELDS
from roofline_app.page.forms.drafter_controls import LINE_FIELDS
from roofline_app.page.forms.widgets import line_widgets, setting_widgets
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.results import Evaluation
from roofline_app.scenario import MOST_DRAFTERS, Scenario


class WidgetPanel:
    """Panel's widgets, in step with a scenario.

    Attributes:
        widgets: By the names of their controls.
    """

    def __init__(self, language: str, choose: Callable[[str, Any], None]) -> None:
        """Make the widgets; `choose` is called with the name and value of each one that the user sets."""
        self.widgets = dict(setting_widgets(language))
        for index in range(MOST_DRAFTERS):
            self.widgets |= {f"{name}-{index}": widget for name, widget in line_widgets(index, language).items()}
        self._choose = choose
        self._writing = False
        for name, widget in self.widgets.items():
            widget.param.watch(partial(self._changed, name), "value")

    def _changed(self, name: str, event: Any) -> None:
        if not self._writing:
            self._choose(name, event.new)

    def write(self, scenario: Scenario, palette: Palette, refused: str = "") -> None:
        """Set the widgets that do not show the scenario; what a user typed is put into its plain form.

        Args:
            scenario: What they show.
            palette: Colours in use.
            refused: Name of a widget with a text that is not used: it stays, to be mended.
        """
        self._writing = True
        try:
            for name, widget in self.widgets.items():
                if name == refused or not _is_shown(name, scenario):
                    continue
                value = value_of(name, scenario, palette)
                if widget.value != value:
                    widget.value = value
        finally:
            self._writing = False


def _is_shown(name: str, scenario: Scenario) -> bool:
    _, _, number = name.rpartition("-")
    return not number.isdigit() or int(number) < len(scenario.drafters)


def value_of(name: str, scenario: Scenario, palette: Palette) -> Any:
    """Return the value that a widget should show."""
    if name in FIELDS:
        return FIELDS[name].read(scenario)
    kind, _, number = name.rpartition("-")
    line = scenario.drafters[int(number)]
    if kind == "form":
        return drafter_controls.form_of(line.acceptance)
    if kind == "colour":
        return drafter_colour(palette, int(number), line.colour)
    return LINE_FIELDS[kind].read(line)


def chosen(name: str, value: Any, scenario: Scenario, evaluation: Evaluation) -> Scenario:
    """Return the scenario after a widget was set to a value.

    Args:
        name: Of the widget.
        value: What it was set to.
        scenario: Before.
        evaluation: What follows from that.

    Raises:
        NotUnderstoodError: Where the value is a text that means nothing.
    """
    if name in FIELDS:
        return FIELDS[name].write(scenario, value)
    kind, _, number = name.rpartition("-")
    index = int(number)
    if index >= len(scenario.drafters):
        return scenario
    if kind == "form":
        return drafter_controls.with_form(scenario, index, value, evaluation.drafters[index].tokens_per_round)
    return LINE_FIELDS[kind].write(scenario, index, value)
