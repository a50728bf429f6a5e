"""What all tests share: hypothesis profiles, and which folders this environment has the packages for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import wraps
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

# The library's tests need numpy, pytest and hypothesis alone.
PACKAGES = {
    "command/sweep": ("distributed", "pyarrow"),
    "browser": ("bokeh", "panel", "playwright", "zstandard"),
    "page": ("bokeh", "panel"),
    "site": ("bokeh", "build", "panel", "remotezip", "zstandard"),
}
MISSING = {
    folder: missing
    for folder, packages in PACKAGES.items()
    if (missing := [package for package in packages if find_spec(package) is None])
}
collect_ignore = list(MISSING)


def pytest_report_header() -> list[str]:
    """Say what is not collected, and for want of what."""
    return [f"tests/{folder} is left out: {', '.join(missing)} missing" for folder, missing in MISSING.items()]


@pytest.fixture(scope="session", autouse=True)
def described_evaluations() -> Iterator[None]:
    """Hold every evaluation that a test writes as JSON against its schema, which then knows every key of it."""
    if find_spec("jsonschema") is None:
        yield
        return
    from against_schemas import wrong  # noqa: PLC0415 - a further package

    from roofline_app import export  # noqa: PLC0415 - not before coverage measures it

    written = export.as_json

    @wraps(written)
    def checked(*arguments: Any, **options: Any) -> dict[str, Any]:
        found = written(*arguments, **options)
        assert wrong("evaluation", found) == []
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(export, "as_json", checked)
        yield
