"""Networks: between the target's GPUs and a drafter's own, and between hosts."""

from __future__ import annotations

from dataclasses import dataclass

from roofline_app.specs.checks import require_date, require_number, require_source, require_text


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkSpec:
    """A network between the target's GPUs and a drafter's own, or between hosts.

    Attributes:
        id: Key of the entry.
        name: Name as shown.
        latency_seconds: Of one message; between hosts, of one collective operation.
        bytes_per_second: One way; between hosts, of each GPU.
        source: Who states the figures.
        checked: ISO date of the last check.
    """

    id: str
    name: str
    latency_seconds: float
    bytes_per_second: float
    source: str
    checked: str

    def __post_init__(self) -> None:
        """Refuse what no network can be."""
        require_source(self)
        require_date(self)
        require_text(self, "name")
        require_number(self, "latency_seconds", least=0)
        require_number(self, "bytes_per_second", above=0)
