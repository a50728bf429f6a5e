"""Stand-ins for what Panel looks for in a browser and this page does without. Installed before Panel is imported."""

from __future__ import annotations

import sys
import types


def install() -> None:
    """Provide a `pyodide_http` that patches nothing, and keep Panel from evaluating the script of its own link.

    Outside of Pyodide only the former happens.
    """
    http = types.ModuleType("pyodide_http")
    http.patch_all = lambda: None  # type: ignore[attr-defined]
    sys.modules["pyodide_http"] = http
    code = sys.modules.get("pyodide.code")
    if code is not None:
        code.run_js = lambda _script: None  # type: ignore[attr-defined]
