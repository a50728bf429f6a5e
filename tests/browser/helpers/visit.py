"""A page in the browser, with everything that went wrong in it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from roofline_app.page.markup import POLICY
from roofline_app.site.file_server import in_background, server

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# The files without which no route brings Python.
PYTHON = re.compile(r"/pyodide\.asm\.[^/]*$")
START_SECONDS = 90.0
TURN_SECONDS = 15.0


@dataclass(slots=True)
class Visit:
    """A loaded page.

    Attributes:
        page: Playwright's page.
        base: Address of the site.
        errors: Console errors, uncaught exceptions, violations of the policy, failed requests.
        requests: Addresses of all requests, the worker's included.
        held: Requests that wait for `release`, in the order in which they came.
    """

    page: Page
    base: str
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    held: list[Route] = field(default_factory=list)

    def release(self) -> None:
        """Let the requests that `visiting` holds go on, those that come later too."""
        for route in self.held:
            route.continue_()
        self.page.unroute_all()

    @property
    def foreign_requests(self) -> list[str]:
        """Requests to any other origin."""
        return [r for r in self.requests if not r.startswith((self.base, "data:", "blob:"))]

    def until(self, expression: str, seconds: float = TURN_SECONDS) -> Any:
        """Return the expression's first truthy value; polls, for the policy forbids evaluation in the page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.page.evaluate(expression):
                return value
            time.sleep(0.02)
        message = f"{expression}: not within {seconds} s; errors: {self.errors}"
        raise AssertionError(message)

    def until_ready(self) -> None:
        """Wait for Python, or raise with what the page says."""
        state = self.until(
            "() => ['ready', 'failed'].find((s) => s === document.documentElement.dataset.python)", START_SECONDS
        )
        assert state == "ready", self.errors

    def source(self, name: str) -> dict[str, list[Any]]:
        """Return the columns of the Bokeh source of a name, as the page draws them."""
        columns: dict[str, list[Any]] = self.page.evaluate(
            """(name) => {
              const models = [...Bokeh.documents[0]._all_models.values()];
              const model = models.find((m) => m.name === name && m.type === "ColumnDataSource");
              const entries = model.data instanceof Map ? [...model.data] : Object.entries(model.data);
              return Object.fromEntries(entries.map(([key, values]) => [key, Array.from(values)]));
            }""",
            name,
        )
        return columns

    def set_widget(self, name: str, value: object) -> None:
        """Set the value of the widget in a named root, as its own view does."""
        self.page.evaluate(
            """([name, value]) => {
              const models = [...Bokeh.documents[0]._all_models.values()];
              models.find((m) => m.name === name && m.type !== "ColumnDataSource").value = value;
            }""",
            [name, value],
        )


def eventually(claim: Callable[[], bool]) -> bool:
    """Whether a claim becomes true."""
    for _ in range(200):
        if claim():
            return True
        time.sleep(0.05)
    return False


@contextmanager
def visiting(
    browser: Browser, base: str, query: str = "", *, hold: re.Pattern[str] | None = None, **context: Any
) -> Iterator[Visit]:
    """Open a page of a site in a fresh profile; it may still be starting.

    Args:
        browser: Any.
        base: Address of the site.
        query: Of the page's address.
        hold: Addresses that get no answer before `Visit.release`: with `PYTHON`, however fast the machine, the page
            is drawn and Python isn't there.
        context: Of the profile.
    """
    profile = browser.new_context(**{"viewport": {"width": 1240, "height": 900}, **context})
    page = profile.new_page()
    visit = Visit(page, base)
    page.on("console", lambda m: visit.errors.append(m.text) if m.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on("requestfailed", lambda request: visit.errors.append(f"failed: {request.url}"))
    page.on("response", lambda r: visit.errors.append(f"{r.status} {r.url}") if r.status >= 400 else None)
    page.on("request", lambda request: visit.requests.append(request.url))
    if hold:
        page.route(hold, lambda route: visit.held.append(route))  # noqa: PLW0108 - Playwright marks the function
    page.goto(base + query)
    try:
        yield visit
    finally:
        profile.close()


@contextmanager
def served(folder: Path, headers: Mapping[str, str] | None = None, **types: str) -> Iterator[str]:
    """Serve a folder with the page's policy on every file, the worker's included.

    Args:
        folder: Root.
        headers: Sent with every file too.
        types: MIME types by suffix without dot, in place of the right ones.
    """
    sent = {"Content-Security-Policy": POLICY, **(headers or {})}
    running = server(folder, headers=sent, types={f".{suffix}": kind for suffix, kind in types.items()})
    try:
        yield in_background(running)
    finally:
        running.shutdown()
        running.server_close()
