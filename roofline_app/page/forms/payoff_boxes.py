"""The inputs of the payoff: traffic, tokens per round after training, and the bill."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from roofline_app import format as fmt
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import typed_value
from roofline_app.scenario import Scenario
from roofline_app.text import sentence

LABELS = {"traffic": "payoff_traffic", "after": "payoff_tokens", "training": "payoff_training"}
KEYS = tuple(LABELS)


def fields(scenario: Scenario, language: str) -> Iterator[FormField]:
    """Yield the three boxes; an empty one states nothing."""
    for key in KEYS:
        value = getattr(scenario, key)
        yield FormField(
            key=key,
            control="text",
            label=sentence(f"page.{LABELS[key]}", language),
            value="" if value is None else fmt.count(value) if key == "traffic" else fmt.decimal(value),
        )


def written(scenario: Scenario, key: str, text: str) -> Scenario:
    """Return the scenario after a box was changed.

    Raises:
        NotUnderstoodError: When the text is no number of its range.
    """
    stated = typed_value(key, text.strip().removeprefix("$")) if text.strip() else None
    changes: dict[str, Any] = {key: stated}
    return replace(scenario, **changes)
