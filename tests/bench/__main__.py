"""Measure and print: evaluation natively, in Pyodide and as a process; pieces of figures; control to curve; starts.

Everything in one run on one machine, so that the ratios hold whatever the machine.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), *(str(ROOT / "tests" / folder) for folder in ("helpers", "browser/helpers", "bench"))]

from firefox import firefox_visits  # noqa: E402
from heap import heaps  # noqa: E402
from plain.site import plain_files  # noqa: E402
from starts import COMPRESSIONS, LINK, table, transferred_bytes, visits, without_snapshot  # noqa: E402
from timing import evaluation_milliseconds  # noqa: E402
from visit import CHROMIUM_FLAGS, Visit, visiting  # noqa: E402

import build  # noqa: E402 (found by the line above)
from roofline_app.site import assemble, compilation, fetch, publish  # noqa: E402
from roofline_app.site.file_server import in_background, server  # noqa: E402

ROUNDS = 60
SLICE_ROUNDS = 5
PROCESSES = 7
STARTS = 5
CHANGES = 10_000
CHANGE_PARTS = 5
MOVES = 50
MOVE = """async ([widget, source, value]) => {
  const models = [...Bokeh.documents[0]._all_models.values()];
  const model = models.find((m) => m.name === widget && m.type !== "ColumnDataSource");
  const curve = models.find((m) => m.name === source && m.type === "ColumnDataSource");
  const began = performance.now();
  await new Promise((resolve) => { curve.properties.data.change.connect(resolve); model.value = value; });
  const applied = performance.now() - began;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return [applied, performance.now() - began];
}"""


def row(name: str, milliseconds: Sequence[float], target: str = "") -> None:
    """Print one line of the table."""
    ordered = sorted(milliseconds)
    high = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
    print(f"{name:<58} {statistics.median(ordered):>9.1f} {high:>9.1f}  {target}", flush=True)  # noqa: T201


def in_pyodide(compiler: compilation.Compiler, module: str, function: str, rounds: int) -> Any:
    """Return the milliseconds that a function of a module beside this one measures inside Pyodide, under node."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in compiler.pyodide.items():
            (Path(folder) / name).write_bytes(content)
        script = ROOT / "tests" / "bench" / "evaluate.mjs"
        command = [compiler.node, str(script), str(build.DIST), folder, module, function, str(rounds)]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(answer.stdout.splitlines()[-1])


def as_process() -> list[float]:
    """Return the milliseconds of the command line's evaluation, interpreter start included."""
    times = []
    for _ in range(PROCESSES):
        began = time.perf_counter()
        command = [sys.executable, "-m", "roofline_app", "evaluate", ""]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
        times.append((time.perf_counter() - began) * 1000)
    return times


def move(visit: Visit, acceptance: float) -> tuple[float, float]:
    """Move a drafter's acceptance; return milliseconds until its curve's data is there, and until it is painted."""
    applied, painted = visit.page.evaluate(MOVE, ["acceptance-slider-1", "speedup-1", acceptance])
    return float(applied), float(painted)


def starts(plain: Path, compiled: Path) -> None:
    """Print how long every route takes, on the default page and on a link that differs in every key."""
    path = build.chromium()
    routes = {
        "plain: sources in an archive": (plain, False),
        "compiled files in an image": (compiled, False),
        "snapshot, first visit": (build.DIST, False),
        "snapshot, repeat visit": (build.DIST, True),
    }
    for words, query in (("the default page", ""), ("a link that differs in every key", LINK)):
        print(f"\nStart of {words}, Chromium, milliseconds, medians of {STARTS}")  # noqa: T201
        found = {name: visits(path, folder, query, STARTS, again=again) for name, (folder, again) in routes.items()}
        table(found)
        first = found["snapshot, first visit"][0]
        sizes = (f"{transferred_bytes(first, build.DIST, how) / 1e6:.2f} MB {how}" for how in COMPRESSIONS)
        print(f"first visit's download until then: {', '.join(sizes)}")  # noqa: T201
        print(f"\nStart of {words}, Firefox, milliseconds, medians of {STARTS}; the curve's data, not yet painted")  # noqa: T201
        table({name: firefox_visits(folder, query, STARTS, again=again) for name, (folder, again) in routes.items()})


def moves(browser: Browser) -> tuple[list[float], list[float]]:
    """Return milliseconds from control to curve data, and to the painted curve."""
    running = server(build.DIST)
    with visiting(browser, in_background(running)) as visit:
        visit.until_ready()
        time.sleep(1)
        pairs = [move(visit, 0.3 + 0.01 * (index * 7 % 60)) for index in range(MOVES + 5)][5:]
    running.shutdown()
    running.server_close()
    return [applied for applied, _ in pairs], [painted for _, painted in pairs]


def memory(browser: Browser) -> None:
    """Print what the page and Python keep after very many changes of a control."""
    print(f"\n{'changes of a control':<34} {'page, MB':>12} {'Python, MB':>12}")  # noqa: T201
    running = server(build.DIST)
    with visiting(browser, in_background(running)) as visit:
        visit.until_ready()
        session = visit.page.context.new_cdp_session(visit.page)
        for heap in heaps(visit, session, CHANGES, CHANGE_PARTS):
            print(f"{heap.changes:<34,} {heap.page_bytes / 1e6:>12.1f} {heap.python_bytes / 1e6:>12.1f}", flush=True)  # noqa: T201
    running.shutdown()
    running.server_close()


def main() -> None:
    """Measure all; print a table."""
    node, npm = build.node_and_npm()
    compiler = publish.compiler(fetch.Pins.read(ROOT / "pyproject.toml"), node, npm)
    sources = publish.sources(ROOT, compiler, npm)
    print(f"{'milliseconds':<58} {'median':>9} {'95 %':>9}  target")  # noqa: T201
    row("evaluate, native", evaluation_milliseconds(ROUNDS), "3")
    row("evaluate, Pyodide", in_pyodide(compiler, "timing", "evaluation_milliseconds", ROUNDS), "25")
    for figure, times in in_pyodide(compiler, "slices", "slice_milliseconds", SLICE_ROUNDS).items():
        whole = figure == "whole search for nodes"
        row(f"{figure if whole else f'a piece of the {figure}'}, Pyodide", times, "3,000" if whole else "16")
    row("evaluate as a process", as_process(), "400")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=build.chromium(), args=CHROMIUM_FLAGS)
        applied, painted = moves(browser)
        row("control to the curve's data, Chromium", applied)
        row("control to the painted curve, Chromium", painted, "60")
        memory(browser)
        browser.close()
        assemble.write(plain_files(sources, compiler), Path(folder) / "plain")
        shutil.copytree(build.DIST, Path(folder) / "compiled")
        without_snapshot(Path(folder) / "compiled")
        starts(Path(folder) / "plain", Path(folder) / "compiled")


if __name__ == "__main__":
    main()
