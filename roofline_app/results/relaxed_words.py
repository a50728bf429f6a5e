"""What a relaxed acceptance takes and buys, as the values of sentences."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.results.drafters import DrafterResult


def relaxed_facts(drafter: DrafterResult) -> dict[str, dict[str, str]]:
    """Return values by sentence of a line that accepts rejected tokens: how many these are, and what they buy.

    Args:
        drafter: The line.
    """
    relaxed, best = drafter.relaxed, drafter.best
    if relaxed is None or relaxed.rejected_share is None or not best.draft_tokens:
        return {"lossy": {}}
    values = {
        "share": fmt.percent(float(relaxed.rejected_share[best.draft_tokens])),
        "draft": fmt.count(best.draft_tokens),
        "speedup": fmt.speedup(best.speedup),
        "strict": fmt.speedup(relaxed.strict_speedup),
    }
    return {"lossy": {}, "lossy_share": values}
