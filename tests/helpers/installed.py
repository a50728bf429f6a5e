"""The project as others install it: its wheel, in environments of its own, without a registry of packages."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_OURS = Path(sysconfig.get_path("purelib"))


def built_wheel(folder: Path) -> Path:
    """Build the wheel from the sdist, as `python -m build` does; return its path."""
    command = [sys.executable, "-P", "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (wheel,) = folder.glob("*.whl")
    return wheel


def with_packages(folder: Path, *names: str) -> Path:
    """Make an environment that has these packages of ours and nothing else; return its Python.

    Args:
        folder: The environment's; made here.
        names: Of packages as they are imported, and as they are installed where that differs.
    """
    python, packages = _environment(folder)
    for name in names:
        for pattern in (name, f"{name}.py", f"{name}.libs", f"{name}-*.dist-info"):
            for path in _OURS.glob(pattern):
                (packages / path.name).symlink_to(path)
    return python


def with_all(folder: Path) -> Path:
    """Make an environment that has all that the tests have; return its Python."""
    python, packages = _environment(folder)
    (packages / "tests.pth").write_text(str(_OURS), encoding="utf-8")
    return python


def install(python: Path, wheel: Path, extra: str = "") -> None:
    """Install a wheel; what it needs must be there already."""
    wanted = f"{wheel}[{extra}]" if extra else str(wheel)
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", wanted]
    subprocess.run(command, check=True)


def _environment(folder: Path) -> tuple[Path, Path]:
    """Return the Python and the packages' folder of a new environment."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    return python, Path(subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip())
