"""Layouts in words: their names, and why a node has one."""

from __future__ import annotations

from roofline_app.hardware.parallelism import LayoutFacts
from roofline_app.text import sentence


def layout_name(layout: str, language: str) -> str:
    """Return a layout in words."""
    return sentence(f"layouts.{layout.replace('+', '_')}", language)


def layout_reason(facts: LayoutFacts, language: str) -> str:
    """Return why the GPUs share the model this way, and what an engine's recipes say of it."""
    values = {
        "layout": layout_name(facts.id, language),
        "engine": facts.engine_name,
        "latency": layout_name(facts.latency, language) if facts.latency else "",
        "throughput": layout_name(facts.throughput, language) if facts.throughput else "",
    }
    reasons = [f"layouts.why_{facts.why}"]
    if facts.latency and facts.why == "chosen":
        reasons.append("layouts.recipe_latency")
    if facts.throughput:
        reasons.append("layouts.recipe_throughput")
    return sentence("verdict.between", language).join(sentence(key, language, **values) for key in reasons)
