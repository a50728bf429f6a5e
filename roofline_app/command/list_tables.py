"""Tables of the registry's lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from roofline_app.command.cells import table_of
from roofline_app.export.tables import Table
from roofline_app.text import sentence

_PEAKS = tuple(f"dense_flops_per_second.{kind}" for kind in ("bf16", "fp8", "fp4"))
_LINKS = ("interconnect_bytes_per_second", "gpus_per_node", "price_usd_per_hour")
# What a person chooses by; every fact, and its source, stands in the other forms.
COLUMNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "models": ("id", "name", "parameters", "active_parameters", "max_context_tokens"),
        "gpus": ("id", "name", "memory_bytes", "memory_bytes_per_second", *_PEAKS, *_LINKS),
        "drafters": ("id", "name", "kind", "targets"),
        "acceptances": ("id", "kind", "model", "conditions"),
        "profiles": ("id", "name", "engine", "family", "rows", "fitted"),
        "presets": ("id", "title", "query"),
    }
)
KIND_COLUMNS = ("id", "name", "acceptance", "cost", "block", "description")


def list_tables(verb: str, entries: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Return a list as tables.

    Args:
        verb: Name of the list.
        entries: As the list's JSON has them; kinds of drafters have a table of their own.
    """
    if verb != "drafters":
        return [table_of(entries, COLUMNS[verb])]
    kinds = [entry for entry in entries if "drafting" in entry]
    weights = [entry for entry in entries if "drafting" not in entry]
    return [
        table_of(kinds, KIND_COLUMNS, sentence("tables.kinds_caption")),
        table_of(weights, COLUMNS[verb], sentence("tables.weights_caption")),
    ]
