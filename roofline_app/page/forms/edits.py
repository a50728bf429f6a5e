"""Changes that a user makes in the forms of the page's state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from roofline_app.page.forms import (
    adaptive_boxes,
    assumptions,
    drafter_card,
    load_box,
    node_boxes,
    payoff_boxes,
    request_boxes,
)
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import NotUnderstoodError
from roofline_app.page.protocol import FieldWords
from roofline_app.results import Evaluation
from roofline_app.results.nodes import PlannedNode
from roofline_app.scenario import MOST_NODES, Scenario
from roofline_app.specs import SpecError
from roofline_app.text import sentence

LONGEST_QUOTE, LONGEST_REASON = 80, 300


class _Boxes(Protocol):
    """A form of boxes of which each states one number of the scenario, or nothing."""

    KEYS: tuple[str, ...]

    def fields(self, scenario: Scenario, language: str, /) -> Iterable[FormField]:
        """Return the boxes."""

    def written(self, scenario: Scenario, key: str, text: str, /) -> Scenario:
        """Return the scenario after a box was changed."""


_BOXES: Mapping[str, _Boxes] = {
    "adaptive": adaptive_boxes,
    "nodes": node_boxes,
    "payoff": payoff_boxes,
    "requests": request_boxes,
    "schedule": load_box,
}


def boxes(scenario: Scenario, ranked: tuple[PlannedNode, ...], language: str) -> dict[str, list[FieldWords]]:
    """Return the forms of boxes by name.

    Args:
        scenario: The choices.
        ranked: Nodes that can be taken.
        language: Of the words.
    """
    found = {name: list(form.fields(scenario, language)) for name, form in _BOXES.items()}
    if ranked:
        found["nodes"].append(node_boxes.take_field(ranked, language))
    return {name: [field.as_json() for field in form] for name, form in found.items()}


def refusal(control: str, error: NotUnderstoodError, used: str, language: str) -> str:
    """Return the refusal of a typed text: what was typed, and what stays.

    Args:
        control: Name of the control.
        error: Why it is not used.
        used: What the control shows all the same.
        language: Of the sentence.
    """
    if error.notice:
        return error.notice.refuse(language)
    return sentence(
        "page.not_in_range" if error.allowed else "page.not_understood",
        language,
        control=control,
        given=error.given[:LONGEST_QUOTE],
        allowed=error.allowed,
        used=used or sentence("page.nothing", language),
    )


def edited(
    change: Mapping[str, object], scenario: Scenario, evaluation: Evaluation, language: str
) -> tuple[Scenario, list[str]]:
    """Return the scenario after a change of a form's field, and a notice.

    Args:
        change: Names of the `form` and the `field`, and its `value`; unknown ones change nothing.
        scenario: The scenario so far.
        evaluation: What follows from it.
        language: Of the notice.
    """
    form, key, text = (str(change.get(name, "")) for name in ("form", "field", "value"))
    if form == "assumptions" and key in assumptions.WRITERS:
        return _assumed(key, text, scenario, language)
    if form in _BOXES and key in _BOXES[form].KEYS:
        return _boxed(_BOXES[form], key, text, scenario, language)
    line = form.removeprefix("line-")
    if not line.isdecimal() or int(line) >= len(scenario.drafters):
        return scenario, []
    index = int(line)
    result = evaluation.drafters[index]
    try:
        return drafter_card.written(scenario, index, key, text, result), []
    except SpecError as error:
        reason = str(error).splitlines()[0][:LONGEST_REASON]
        return scenario, [sentence("page.drafter_config_refused", language, drafter=result.name, reason=reason)]
    except NotUnderstoodError as error:
        field = _field(key, drafter_card.Card(scenario, index, result, language).fields())
        return scenario, [refusal(f"{result.name}, {field.label}", error, field.value, language)]


def _assumed(key: str, text: str, scenario: Scenario, language: str) -> tuple[Scenario, list[str]]:
    try:
        return assumptions.WRITERS[key](scenario, text), []
    except NotUnderstoodError as error:
        label = sentence(f"page.{key}_control", language)
        return scenario, [refusal(label, error, str(getattr(scenario, key)), language)]


def _boxed(boxes: _Boxes, key: str, text: str, scenario: Scenario, language: str) -> tuple[Scenario, list[str]]:
    try:
        return boxes.written(scenario, key, text), []
    except node_boxes.PriceListError as error:
        reason = sentence(f"nodes.{error.reason}", language, most=MOST_NODES)
        return scenario, [sentence("nodes.prices_refused", language, line=error.line, given=error.given, reason=reason)]
    except NotUnderstoodError as error:
        field = _field(key, boxes.fields(scenario, language))
        return scenario, [refusal(field.label, error, field.value, language)]


def _field(key: str, fields: Iterable[FormField]) -> FormField:
    return next((field for field in fields if field.key == key), FormField(key=key, control="note", label=key))
