"""Reference data beside the checkout; a reader's machine has none, and tests that need it skip there."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


def shared_file(name: str) -> Path:
    """Return a reference file, or skip the test where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"needs the reference data: {name} is not beside this checkout")
    return path
