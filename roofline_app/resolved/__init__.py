"""Scenarios resolved: the one place where ids meet the registry."""

from roofline_app.resolved.drafters import (
    ChosenDrafter,
    ResolvedDrafter,
    chosen_drafter,
    drafter_names,
    drawn_sizes,
    real_drafters,
)
from roofline_app.resolved.layout import recipe_layout, usual_layout
from roofline_app.resolved.models import sharded_terms
from roofline_app.resolved.scenario import ResolvedScenario, resolve

__all__ = [
    "ChosenDrafter",
    "ResolvedDrafter",
    "ResolvedScenario",
    "chosen_drafter",
    "drafter_names",
    "drawn_sizes",
    "real_drafters",
    "recipe_layout",
    "resolve",
    "sharded_terms",
    "usual_layout",
]
