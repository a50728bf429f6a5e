"""How long routes to the page take in Firefox: from navigation to the drawn page, and to a control's first answer."""

from __future__ import annotations

import tempfile
from pathlib import Path

from drivers import in_firefox, puppeteer_folder
from starts import Start

from roofline_app.site.file_server import in_background, server


def firefox_visits(folder: Path, query: str, count: int, *, again: bool) -> list[Start]:
    """Return the times of first visits, or of repeat visits after a first that is not counted."""
    puppeteer = puppeteer_folder()
    running = server(folder)
    address = in_background(running) + (f"?{query}" if query else "")
    found = []
    with tempfile.TemporaryDirectory() as kept:
        if again:
            in_firefox(puppeteer, Path(kept), address)
        for _ in range(count):
            with tempfile.TemporaryDirectory() as fresh:
                visit = in_firefox(puppeteer, Path(kept if again else fresh), address)
            found.append(Start(chart=0.0, drawn=visit["drawn"], painted=visit["answered"], requests=()))
    running.shutdown()
    running.server_close()
    return found
