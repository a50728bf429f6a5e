"""The panel with the commands that serve and measure a setting on an engine."""

from __future__ import annotations

from roofline_app.flags import ENGINES, serving_flags
from roofline_app.page.protocol import EngineCommands
from roofline_app.scenario import Scenario
from roofline_app.specs import SpecError


def engine_commands(scenario: Scenario, engine: str, language: str) -> EngineCommands | None:
    """Return an engine's commands for a setting, as JSON values; None where the engine is none.

    Args:
        scenario: The setting.
        engine: Id of the engine.
        language: Of the texts.
    """
    if engine not in ENGINES:
        return None
    try:
        found = serving_flags(scenario, engine, language=language)
    except SpecError as error:
        return {"engine": engine, "notes": [str(error)], "steps": [], "sources": []}
    return {
        "engine": engine,
        "notes": [found.checked, *found.notes],
        "steps": [{"title": step.title, "command": step.command} for step in (found.serve, *found.measure)],
        "sources": list(found.sources),
    }
