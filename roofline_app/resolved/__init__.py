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
from roofline_app.resolved.models import model_spec, sharded_terms, terms_of
from roofline_app.resolved.profile import resolved_profile
from roofline_app.resolved.scenario import ResolvedScenario, resolve

__all__ = [
    "ChosenDrafter",
    "ResolvedDrafter",
    "ResolvedScenario",
    "chosen_drafter",
    "drafter_names",
    "drawn_sizes",
    "model_spec",
    "real_drafters",
    "recipe_layout",
    "resolve",
    "resolved_profile",
    "sharded_terms",
    "terms_of",
    "usual_layout",
]
