"""A drafter line resolved: how its drafts are accepted, what drafts them, and what a round with them takes."""

from roofline_app.lines.accepted import Accepted, accepted
from roofline_app.lines.drafted import Drafted, Rounds, drafted
from roofline_app.lines.drafter import NamedDrafter, drafter_memory_bytes, largest_drafter_bytes, named_drafter

__all__ = [
    "Accepted",
    "Drafted",
    "NamedDrafter",
    "Rounds",
    "accepted",
    "drafted",
    "drafter_memory_bytes",
    "largest_drafter_bytes",
    "named_drafter",
]
