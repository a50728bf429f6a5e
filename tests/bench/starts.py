"""How long routes to the page take: from navigation to the drawn page, and to a control that has changed a curve.

The control is moved as soon as it is drawn; on a link, whose values come with Python, as soon as Python is there. The
page itself says its times: a debugger, as tools that drive browsers attach one, makes engines keep positions of code,
which costs a start of this size about a tenth of a second. The browser has been open for a while, as a reader's has.
"""

from __future__ import annotations

import functools
import gzip
import json
import queue
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
from visit import CHROMIUM_FLAGS

from roofline_app.site.file_server import in_background, server

LONGEST_SECONDS = 120.0
STARTING_SECONDS = 1.5  # of a browser's own start
LEAVING_SECONDS = 0.3
LINK = (
    "model=llama-3.3-70b&gpu=h200-sxm&gpus=4&reserve=0.2&batch=16&context=16384&cap=8&weights=fp8&kv=fp8"
    "&kv-read=add&price=3&drafter=draft,acceptance=0.6,cost=0.2&drafter=eagle3,acceptance=0.7,cost=0.15&seed=7"
)
COMPRESSIONS = {
    "gzip": functools.partial(gzip.compress, compresslevel=6),
    "brotli": functools.partial(brotli.compress, quality=9),
}
COMPRESSED = {".js", ".css", ".html", ".json", ".wasm"}
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
TELL = """
const tell = (name, value) => fetch(name, { method: "POST", body: JSON.stringify(value) });
const end = () => {
  if (!times.painted) return setTimeout(end, 20);
  times.chart = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  tell("times", times);
  const stored = () => (document.documentElement.dataset.stored ? tell("stored", true) : setTimeout(stored, 100));
  stored();
};
end();
"""
CHARSET = '<meta charset="utf-8">'
MEASURE = "measure.js"
WAITING = f"""<!doctype html><script>
setTimeout(() => {{ location.href = `./${{location.search}}`; }}, {STARTING_SECONDS * 1000});
</script>"""


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


class Listening:
    """A copy of a site that measures itself, and what it says.

    Attributes:
        address: Of a page that waits until the browser has started, and opens the site's.
        requests: Paths that were asked for so far.
    """

    def __init__(self, folder: Path, copy: Path) -> None:
        """Copy a site into an empty folder and serve it."""
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        page = (copy / "index.html").read_text(encoding="utf-8")
        (copy / "index.html").write_text(page.replace(CHARSET, f'{CHARSET}\n<script src="{MEASURE}"></script>', 1))
        (copy / MEASURE).write_text(MOVE + TELL)
        (copy / "waiting.html").write_text(WAITING)
        self.requests: list[str] = []
        self._said: queue.Queue[tuple[str, Any]] = queue.Queue()
        self._server = server(copy)
        files: Any = self._server.RequestHandlerClass
        listener = _listener(files.func, self.requests, self._said)
        self._server.RequestHandlerClass = functools.partial(listener, **files.keywords)
        self.address = in_background(self._server) + "waiting.html"

    def wait_for(self, name: str) -> Any:
        """Return what the page says by a name."""
        end = time.monotonic() + LONGEST_SECONDS
        while True:
            said, value = self._said.get(timeout=max(end - time.monotonic(), 0))
            if said == name:
                return value

    def close(self) -> None:
        """Serve no longer."""
        self._server.shutdown()
        self._server.server_close()


def _listener(files: type[Any], requests: list[str], said: queue.Queue[tuple[str, Any]]) -> Any:
    """Return a handler that serves files, notes what is asked for, and takes what a page says."""

    def do_get(self: Any) -> None:
        requests.append(self.path)
        files.do_GET(self)

    def do_post(self: Any) -> None:
        said.put((self.path.strip("/"), json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
        self.send_response(204)
        self.end_headers()

    return type("Listener", (files,), {"do_GET": do_get, "do_POST": do_post})


@contextmanager
def browser(path: str, profile: str, address: str) -> Iterator[None]:
    """Run Chromium on an address, in a process of its own, with this profile."""
    flags = [*CHROMIUM_FLAGS, "--headless=new", f"--user-data-dir={profile}", "--window-size=1240,900"]
    running = subprocess.Popen(
        [path, *flags, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield
    finally:
        time.sleep(LEAVING_SECONDS)
        running.send_signal(signal.SIGTERM)
        running.wait(LONGEST_SECONDS)


def opened(path: str, site: Listening, profile: str, query: str, *, until_stored: bool = False) -> Start:
    """Open a page in a new process of the browser, with this profile, and return its times."""
    site.requests.clear()
    with browser(path, profile, site.address + (f"?{query}" if query else "")):
        times = site.wait_for("times")
        asked = tuple(site.requests)
        if until_stored:
            site.wait_for("stored")
    return Start(chart=times["chart"], drawn=times["drawn"], painted=times["painted"], requests=asked)


def visits(path: str, folder: Path, query: str, count: int, *, again: bool) -> list[Start]:
    """Return the times of first visits, or of repeat visits after a first that is not counted."""
    found = []
    with tempfile.TemporaryDirectory() as kept, tempfile.TemporaryDirectory() as copy:
        site = Listening(folder, Path(copy))
        if again:
            opened(path, site, kept, query, until_stored=True)
        for _ in range(count):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as fresh:
                found.append(opened(path, site, kept if again else fresh, query))
        site.close()
    return found


def median(starts: Sequence[Start], moment: str) -> float:
    """Return the median of a moment."""
    return statistics.median(float(getattr(start, moment)) for start in starts)


def transferred_bytes(start: Start, folder: Path, compression: str) -> int:
    """Return what a static host sends until a control answers: text and code compressed, images as they are."""
    total = 0
    for address in set(start.requests):
        name = address.partition("?")[0].strip("/") or "index.html"
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
