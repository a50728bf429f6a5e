"""The published links of `tests/query/golden_links.txt`."""

from __future__ import annotations

from pathlib import Path

_FILE = Path(__file__).resolve().parents[1] / "query" / "golden_links.txt"
GOLDEN_LINKS = tuple([line for line in _FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")][::2])
