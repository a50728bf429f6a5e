"""The inputs of adaptive verification: how the line's requests differ, what its drafter knows, and the budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from roofline_app import format as fmt
from roofline_app.page.forms.drafter_controls import with_line
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import typed_number, typed_value
from roofline_app.query.acceptance_forms import CHANCE
from roofline_app.resolved import drafter_names
from roofline_app.scenario import Scenario, compared_line
from roofline_app.text import sentence

_OF_LINE = ("spread", "confidence")
KEYS: tuple[str, ...] = (*_OF_LINE, "budget")


def fields(scenario: Scenario, language: str) -> Iterator[FormField]:
    """Yield the boxes; a line whose drafts branch has none of its own."""
    index = compared_line(scenario)
    line, name = scenario.drafters[index], drafter_names(scenario.drafters)[index]
    for key in _OF_LINE if line.topk == 1 else ():
        label = sentence(f"page.adaptive_{key}", language, name=name)
        hint = sentence(f"page.hint_{key}", language)
        yield FormField(key=key, control="text", label=label, value=fmt.decimal(getattr(line, key)), hint=hint)
    value = "" if scenario.budget is None else fmt.count(scenario.budget)
    hint = sentence("page.hint_budget", language)
    yield FormField(
        key="budget", control="text", label=sentence("page.adaptive_budget", language), value=value, hint=hint
    )


def written(scenario: Scenario, key: str, text: str) -> Scenario:
    """Return the scenario after a box was changed.

    Raises:
        NotUnderstoodError: When the text is no number of its range.
    """
    if key == "budget":
        return replace(scenario, budget=typed_value(key, text.replace(",", "")) if text.strip() else None)
    stated = typed_number(text, CHANCE) if text.strip() else (0.0 if key == "spread" else 1.0)
    return with_line(scenario, compared_line(scenario), **{key: stated})
