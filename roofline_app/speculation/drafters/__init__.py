"""A drafter line resolved: how its drafts are accepted, what drafts them, and what a round with them takes."""

from roofline_app.speculation.drafters.choice import (
    ChosenDrafter,
    DrafterMemory,
    chosen_drafter,
    drafter_memory,
    drafters_in_memory,
)
from roofline_app.speculation.drafters.cost import DraftingCost, Rounds, drafting_cost
from roofline_app.speculation.drafters.line_acceptance import LineAcceptance, line_acceptance

__all__ = [
    "ChosenDrafter",
    "DrafterMemory",
    "DraftingCost",
    "LineAcceptance",
    "Rounds",
    "chosen_drafter",
    "drafter_memory",
    "drafters_in_memory",
    "drafting_cost",
    "line_acceptance",
]
