"""The input of the schedule: how long each batch is decoded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import NotUnderstoodError
from roofline_app.query.loads import LOAD, read_load, write_load
from roofline_app.query.notices import Notices
from roofline_app.scenario import LoadPart, Scenario
from roofline_app.text import sentence

KEYS: tuple[str, ...] = (LOAD,)
SHOWN_DIGITS = 4


def fields(scenario: Scenario, language: str) -> Iterator[FormField]:
    """Yield the box; an empty one states nothing."""
    label = sentence("page.schedule_load", language)
    yield FormField(key=LOAD, control="text", label=label, value=write_load(shown(scenario.load)))


def shown(load: Iterable[LoadPart]) -> list[LoadPart]:
    """Return a load with shares as short as they are shown."""
    return [replace(part, share=float(f"{part.share:.{SHOWN_DIGITS}g}")) for part in load]


def written(scenario: Scenario, _key: str, text: str) -> Scenario:
    """Return the scenario after the box was changed; shares may add up to anything.

    Raises:
        NotUnderstoodError: When a part is no batch with a share.
    """
    notices = Notices()
    load = read_load(text.replace("：", ":").replace("；", ";"), notices)
    for notice in notices.all():
        if notice.reason != "not_shares":
            raise NotUnderstoodError(notice.given, notice=notice)
    return replace(scenario, load=load)
