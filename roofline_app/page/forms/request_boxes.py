"""The inputs of whole requests: prompt, output, and the number of requests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from roofline_app import format as fmt
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import typed_value
from roofline_app.scenario import Scenario, middle_context
from roofline_app.text import sentence

LABELS = {"prompt": "request_prompt", "output": "request_output", "requests": "request_count"}
KEYS = tuple(LABELS)
# What the other length is when the first one is typed: shown at once in its own box.
_USUAL_TOKENS = 1024


def fields(scenario: Scenario, language: str) -> Iterator[FormField]:
    """Yield the three boxes; an empty one states nothing."""
    for key in KEYS:
        value = getattr(scenario, key)
        label = sentence(f"page.{LABELS[key]}", language)
        yield FormField(key=key, control="text", label=label, value="" if value is None else fmt.count(value))


def written(scenario: Scenario, key: str, text: str) -> Scenario:
    """Return the scenario after a box was changed: the context is that in the middle of the output.

    Raises:
        NotUnderstoodError: When the text is no number of its range.
    """
    stated = typed_value(key, text) if text.strip() else None
    if key != "requests" and stated is None:
        return replace(scenario, prompt=None, output=None, requests=None)
    changes: dict[str, Any] = {key: stated}
    if stated is None:
        return replace(scenario, **changes)
    changes = {"prompt": scenario.prompt or _USUAL_TOKENS, "output": scenario.output or _USUAL_TOKENS, **changes}
    return replace(scenario, **changes, context=middle_context(changes["prompt"], changes["output"]))
