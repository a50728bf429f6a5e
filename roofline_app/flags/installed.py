"""Whether an engine that is installed is of the version that the commands were checked against."""

from __future__ import annotations

import sys
from importlib import metadata

from roofline_app import registry
from roofline_app.text import sentence


def installed_version(package: str) -> str:
    """Return the version of a package of this Python, empty where it has none.

    Args:
        package: Its name.
    """
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def installed_engine(engine_id: str, language: str = "en") -> str:
    """Return whether the engine of this Python differs from the version checked, as a sentence.

    Args:
        engine_id: `vllm`, `sglang` or `tensorrt-llm`.
        language: Of the sentence.

    Raises:
        SpecError: When the engine is unknown.
    """
    engine = registry.engine(engine_id)
    # A local part, such as `+cu130`, names the build of a version.
    installed = installed_version(engine.package).partition("+")[0]
    key = "not_installed" if not installed else "installed_same" if installed == engine.version else "installed_other"
    return sentence(
        f"flags.{key}",
        language,
        engine=engine.name,
        installed=installed,
        version=engine.version,
        date=engine.checked,
        python=sys.executable,
    )
