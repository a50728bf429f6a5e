"""Opens a page in WebKitGTK, moves a control as soon as it is drawn, and prints what happened.

python webkit.py ADDRESS WIDGET SOURCE, under a display.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

LONGEST_SECONDS = 120.0
MOVE = """
const [widgetName, sourceName] = arguments;
const model = Bokeh.documents[0].get_model_by_name(widgetName);
const curve = Bokeh.documents[0].get_model_by_name(sourceName);
window.answer = null;
curve.properties.data.change.connect(() => { window.answer ??= performance.now(); });
model.value += 1;
return document.documentElement.dataset.python;
"""
CATCH = """
window.errors = [];
addEventListener("error", (event) => errors.push(String(event.message)));
document.addEventListener("securitypolicyviolation", (event) => errors.push(event.violatedDirective));
"""


def until(driver: Any, script: str) -> Any:
    """Return the script's first truthy value."""
    end = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < end:
        if found := driver.execute_script(f"return {script}"):
            return found
        time.sleep(0.02)
    message = f"{script}: not within {LONGEST_SECONDS} s"
    raise AssertionError(message)


@contextmanager
def webkit() -> Iterator[Any]:
    """Start WebKitGTK."""
    options = Options()
    options.binary_location = str(next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")))
    options.add_argument("--automation")
    driver = webdriver.WebKitGTK(options=options, service=Service("/usr/bin/WebKitWebDriver"))
    try:
        yield driver
    finally:
        driver.quit()


def main(address: str, widget: str, source: str) -> None:
    """Print the visit as JSON."""
    with webkit() as driver:
        driver.get(address)
        driver.execute_script(CATCH)
        until(driver, "document.documentElement.dataset.drawn")
        moved = driver.execute_script(MOVE, widget, source)
        answered = until(driver, "window.answer")
        route = until(driver, "document.documentElement.dataset.route")
        result = {
            "moved": moved,
            "answered": answered,
            "route": route,
            "errors": driver.execute_script("return errors"),
        }
        print(json.dumps(result))  # noqa: T201 (read by the test)


if __name__ == "__main__":
    main(*sys.argv[1:])
