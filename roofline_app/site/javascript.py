"""Checks of the scripts: types, lint, format and unit tests, by the tools that `static/package.json` pins."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_PROJECTS = ("static", "static/worker", "static/tsconfig.node.json")  # page, worker, node
_TESTS = "tests/javascript"
_TOPS = ("roofline_app", "static", "tests")
_TYPES = ".d.ts"
_ESLINT = ("--config", "static/eslint.config.js", "--cache", "--cache-location", "static/node_modules/.cache/eslint/")
_PRETTIER = ("--config", "static/.prettierrc", "--log-level", "warn")


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools, installed where they are missing.

    Attributes:
        root: Folder of the project.
        node: Command that starts node.
        npm: Command that starts npm.
    """

    root: Path
    node: str
    npm: Sequence[str]

    def check(self) -> str:
        """Return the tools' complaints about the scripts; empty if there are none."""
        self.install()
        scripts, types = self._scripts()
        commands = [
            *(self._command("typescript/bin/tsc", "--project", project) for project in _PROJECTS),
            self._command("eslint/bin/eslint.js", *_ESLINT, *scripts),
            self._command("prettier/bin/prettier.cjs", *_PRETTIER, "--check", *scripts, *types),
            [self.node, "--test", *(name for name in scripts if name.startswith(f"{_TESTS}/"))],
        ]
        running = [
            subprocess.Popen(command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for command in commands
        ]
        answers = [(process.communicate()[0], process.returncode) for process in running]
        return "\n".join(said for said, status in answers if status)

    def fix(self) -> None:
        """Mend what the linter can mend, and format."""
        self.install()
        scripts, types = self._scripts()
        subprocess.run(self._command("eslint/bin/eslint.js", *_ESLINT, "--fix", *scripts), cwd=self.root, check=False)
        prettier = self._command("prettier/bin/prettier.cjs", *_PRETTIER, "--write", *scripts, *types)
        subprocess.run(prettier, cwd=self.root, check=True, stdout=subprocess.DEVNULL)

    def install(self) -> Path:
        """Return the folder of the pinned packages, installed where they are not; no lock file names their hosts."""
        packages = self.root / "static" / "node_modules"
        stamp = packages / ".pinned"
        wanted = hashlib.sha256((self.root / "static" / "package.json").read_bytes()).hexdigest()
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
            options = ["--silent", "--no-fund", "--no-audit", "--no-package-lock", "--ignore-scripts"]
            subprocess.run([*self.npm, "install", *options], cwd=packages.parent, check=True)
            stamp.write_text(wanted, encoding="utf-8")
        return packages

    def _command(self, tool: str, *arguments: str) -> list[str]:
        return [self.node, str(self.root / "static" / "node_modules" / tool), *arguments]

    def _scripts(self) -> tuple[list[str], list[str]]:
        """Return every script of the tree, and every file of types."""
        found = sorted(
            path.relative_to(self.root).as_posix()
            for top in _TOPS
            for pattern in ("*.js", "*.mjs", f"*{_TYPES}")
            for path in (self.root / top).rglob(pattern)
            if "node_modules" not in path.parts
        )
        return [name for name in found if not name.endswith(_TYPES)], [name for name in found if name.endswith(_TYPES)]
