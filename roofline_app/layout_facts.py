"""What an evaluation tells of the layout: which one, and why."""

from __future__ import annotations

from typing import Literal

from roofline_app import registry
from roofline_app.hardware.parallelism import LayoutFacts
from roofline_app.resolved import ResolvedScenario, engine_of
from roofline_app.scenario import Scenario
from roofline_app.text import sentence


def _why(scenario: Scenario, setting: ResolvedScenario) -> Literal["chosen", "recipe", "engine", "ideal", "single"]:
    if scenario.gpus == 1:
        return "single"
    if scenario.layout:
        return "chosen"
    if not setting.profile.constants:
        return "ideal"
    return "recipe" if setting.recipe else "engine"


def layout_name(layout: str, language: str) -> str:
    """Return a layout in words."""
    return sentence(f"layouts.{layout.replace('+', '_')}", language)


def layout_facts(scenario: Scenario, setting: ResolvedScenario, language: str) -> LayoutFacts:
    """Return how the GPUs share the model, and why this way.

    Args:
        scenario: The reader's choices.
        setting: What they stand for.
        language: Of the sentence.
    """
    why, recipe = _why(scenario, setting), setting.recipe
    told = recipe if recipe and why in {"recipe", "chosen"} else None
    engine = engine_of(scenario, setting.profile) if told or why == "engine" else ""
    known = engine in registry.engine_ids()
    values = {
        "layout": layout_name(setting.layout, language),
        "engine": registry.engine(engine).name if known else setting.profile.name,
        "latency": layout_name(recipe.latency, language) if recipe else "",
        "throughput": layout_name(recipe.throughput, language) if recipe and recipe.throughput else "",
    }
    reasons = [f"layouts.why_{why}"]
    if told:
        reasons += ["layouts.recipe_latency"] if why == "chosen" else []
        reasons += ["layouts.recipe_throughput"] if told.throughput else []
    return LayoutFacts(
        id=setting.layout.value,
        why=why,
        engine=engine,
        throughput=told.throughput if told else "",
        source=told.source if told else "",
        reason=sentence("verdict.between", language).join(sentence(key, language, **values) for key in reasons),
    )
