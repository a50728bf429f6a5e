"""A drafter line resolved: how its drafts are accepted, what drafts them, and what a round with them takes."""

from roofline_app.lines.accepted import Accepted, accepted
from roofline_app.lines.drafted import Drafted, Rounds, drafted
from roofline_app.lines.drafter import NamedDrafter, Occupied, drafters_in_memory, named_drafter, occupied

__all__ = [
    "Accepted",
    "Drafted",
    "NamedDrafter",
    "Occupied",
    "Rounds",
    "accepted",
    "drafted",
    "drafters_in_memory",
    "named_drafter",
    "occupied",
]
