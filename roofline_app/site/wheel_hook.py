"""What hatchling asks when it builds the wheel: the schemas as files, made of this very code."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class SchemaFiles(BuildHookInterface[Any]):
    """Puts the schemas into the wheel, so that they can be read without Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's own form
        """Write the files beside nothing of the checkout, and name them to hatchling."""
        sys.path.insert(0, self.root)
        from roofline_app.command.schemas import FOLDER, schema_files  # noqa: PLC0415 - known from here on

        self._folder = tempfile.TemporaryDirectory()
        for name, content in schema_files().items():
            file = Path(self._folder.name) / name
            file.write_bytes(content)
            build_data["force_include"][str(file)] = f"roofline_app/command/{FOLDER}/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - likewise
        """Remove the files, which the wheel holds by now."""
        self._folder.cleanup()
