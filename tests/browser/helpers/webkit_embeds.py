"""Opens a page with embeds in WebKitGTK, waits until all of them are live, and prints what each shows.

python webkit_embeds.py ADDRESS LIVE SHOWN PICTURES, under a display; the last three are JavaScript as text:
functions of the page and of an embed, and a value of the page.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from webkit import CATCH, until, webkit

WORKER_THREAD = "WebCore: Worker"
FRAMES = """
const embeds = [...document.querySelectorAll("speculation-roofline")];
return embeds.map((one) => one.shadowRoot.querySelector("iframe"));
"""


def processes_below(root: int) -> set[Path]:
    """Return the folders in /proc of a process's descendants."""
    parents = dict[Path, int]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[folder] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has ended meanwhile
            continue
    below, found = {root}, set[Path]()
    while new := {folder for folder, parent in parents.items() if parent in below} - found:
        found |= new
        below |= {int(folder.name) for folder in new}
    return found


def live_workers(driver: Any) -> int:
    """Return how many workers run: WebKit names their threads; its driver does not tell of them."""
    threads = [
        thread for folder in processes_below(driver.service.process.pid) for thread in folder.glob("task/*/comm")
    ]
    return sum(thread.read_text().strip() == WORKER_THREAD for thread in threads)


def main(address: str, live: str, shown: str, pictured: str) -> None:
    """Print the visit as JSON."""
    with webkit() as driver:
        driver.get(address)
        driver.execute_script(CATCH)
        until(driver, f"({live})()")
        errors = driver.execute_script("return errors")
        frames = []
        for frame in driver.execute_script(FRAMES):
            driver.switch_to.frame(frame)
            frames.append(driver.execute_script(f"return ({shown})()"))
            driver.switch_to.default_content()
        pictures = driver.execute_script(f"return {pictured}")
        result = {"workers": live_workers(driver), "frames": frames, "pictures": pictures, "errors": errors}
        print(json.dumps(result))  # noqa: T201 (read by the test)


if __name__ == "__main__":
    main(*sys.argv[1:])
