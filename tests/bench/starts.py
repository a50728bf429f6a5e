"""How long routes to the page take: from navigation to the drawn page, and to a control that has changed a curve.

The control is moved as soon as it is drawn; on a link, whose values come with Python, as soon as Python is there.
"""

from __future__ import annotations

import gzip
import json
import re
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import brotli  # type: ignore[import-untyped]
from conftest import CHROMIUM_FLAGS
from playwright.sync_api import BrowserType

from roofline_app.site.serve import in_background, server

LONGEST_SECONDS = 120.0
LINK = (
    "model=llama-3.3-70b&gpu=h200-sxm&gpus=4&reserve=0.2&batch=16&context=16384&cap=8&weights=fp8&kv=fp8"
    "&kv-read=add&price=3&drafter=draft,acceptance=0.6,cost=0.2&drafter=eagle3,acceptance=0.7,cost=0.15&seed=7"
)
COMPRESSIONS = {"gzip": partial(gzip.compress, compresslevel=6), "brotli": partial(brotli.compress, quality=9)}
COMPRESSED = {".js", ".mjs", ".css", ".html", ".json", ".wasm"}
MOVE = """
globalThis.times = {};
const wait = () => {
  const { drawn, python } = document.documentElement?.dataset ?? {};
  if (!drawn || (location.search && python !== "ready")) return setTimeout(wait, 4);
  const [page] = Bokeh.documents;
  const [control, curve] = ["batch-slider", "speedup-0"].map((name) => page.get_model_by_name(name));
  times.drawn = performance.now();
  curve.properties.data.change.connect(() => {
    times.answered ??= performance.now();
    requestAnimationFrame(() => setTimeout(() => { times.painted ??= performance.now(); }));
  });
  control.value += 1;
};
wait();
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Milliseconds since navigation.

    Attributes:
        chart: First contentful paint; where the page carries a drawing of its first chart, that.
        drawn: BokehJS has drawn.
        painted: A control's first answer is on the screen.
        requests: Paths that were asked for until then.
    """

    chart: float
    drawn: float
    painted: float
    requests: tuple[str, ...]


def opened(chromium: BrowserType, path: str, profile: str, address: str, *, until_stored: bool = False) -> Start:
    """Open a page in a new process of the browser, with this profile, and return its times."""
    context = chromium.launch_persistent_context(
        profile, executable_path=path, args=CHROMIUM_FLAGS, viewport={"width": 1240, "height": 900}
    )
    page = context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.add_init_script(MOVE)
    page.goto(address)
    end = time.monotonic() + LONGEST_SECONDS
    while not page.evaluate("() => globalThis.times?.painted") and time.monotonic() < end:
        time.sleep(0.02)
    times = page.evaluate("() => times")
    asked = tuple(requests)
    paint = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    while until_stored and not page.evaluate("() => document.documentElement.dataset.stored"):
        time.sleep(0.1)
    time.sleep(0.3)
    context.close()
    return Start(chart=paint, drawn=times["drawn"], painted=times["painted"], requests=asked)


def visits(chromium: BrowserType, path: str, folder: Path, query: str, count: int, *, again: bool) -> list[Start]:
    """Return the times of first visits, or of repeat visits after a first that is not counted."""
    running = server(folder)
    address = in_background(running) + (f"?{query}" if query else "")
    found = []
    with tempfile.TemporaryDirectory() as kept:
        if again:
            opened(chromium, path, kept, address, until_stored=True)
        for _ in range(count):
            with tempfile.TemporaryDirectory() as fresh:
                found.append(opened(chromium, path, kept if again else fresh, address))
    running.shutdown()
    running.server_close()
    return found


def median(starts: Sequence[Start], moment: str) -> float:
    """Return the median of a moment."""
    return statistics.median(float(getattr(start, moment)) for start in starts)


def transferred_bytes(start: Start, folder: Path, compression: str) -> int:
    """Return what a static host sends until a control answers: text and code compressed, images as they are."""
    total = 0
    for address in set(start.requests):
        name = re.sub(r"^https?://[^/]+/", "", address).partition("?")[0] or "index.html"
        path = folder / name
        if path.is_file():
            content = path.read_bytes()
            total += len(COMPRESSIONS[compression](content)) if path.suffix in COMPRESSED else len(content)
    return total


def without_snapshot(folder: Path) -> None:
    """Make a copy of the site start from its images of compiled files."""
    page = folder / "index.html"
    found = re.search(r'(id="build">)(.*?)(</script>)', page.read_text(encoding="utf-8"))
    assert found
    manifest = {key: value for key, value in json.loads(found[2]).items() if key != "prepared"}
    text = page.read_text(encoding="utf-8")
    replaced = text[: found.start(2)] + json.dumps(manifest).replace("<", "\\u003c") + text[found.end(2) :]
    page.write_text(replaced, encoding="utf-8")


def table(routes: Mapping[str, Sequence[Start]]) -> None:
    """Print medians of every route, and how much earlier than on the first route a control answers."""
    plain = next(iter(routes.values()))
    print(f"{'route':<34} {'first paint':>12} {'drawn':>8} {'answer':>8} {'gain':>6}")  # noqa: T201
    for name, starts in routes.items():
        times = [median(starts, moment) for moment in ("chart", "drawn", "painted")]
        gain = median(plain, "painted") / times[2]
        print(f"{name:<34} {times[0]:>12.0f} {times[1]:>8.0f} {times[2]:>8.0f} {gain:>5.1f}×", flush=True)  # noqa: T201
