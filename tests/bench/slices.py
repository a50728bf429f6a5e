"""Times what the page computes piece by piece: a row of the map, an assumption of the sensitivity strip.

A reader's change waits for the piece that is being computed, so each has to be short; runs natively and in Pyodide.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Mapping
from typing import Any

from roofline_app.page.runtime import panel_shims

panel_shims.install()

from roofline_app.page.figures.catalogue import FIGURES  # noqa: E402
from roofline_app.page.page import Page  # noqa: E402
from roofline_app.page.runtime.browser import Session  # noqa: E402 (Panel must find the stand-ins)

LINKS = (
    "",
    "preset=122b-single",
    "model=deepseek-v3.2&gpu=h200-sxm&gpus=8&profile=calibrated&context=65536&drafter=mtp,cost=physical&drafter=block",
    "cap=64&profile=calibrated&drafter=mtp,cost=physical&drafter=eagle3,cost=physical&drafter=draft,placement=separate"
    "&drafter=block,cost=physical&drafter=draft",
)
PIECEWISE = tuple(name for name, figure in FIGURES.items() if figure.work)
# Its pieces are as long as a slice lasts, so that all of them together count too.
SEARCH, WHOLE = "nodes", "whole search for nodes"


def _pieces(session: Session, figure: str) -> list[float]:
    """Return the milliseconds of each turn until nothing of a figure waits."""
    times: list[float] = []
    while True:
        state: Mapping[str, Any] = session.page.state()
        waiting = state["pending"][figure]
        if not waiting["waits"]:
            return times
        event = json.dumps([{"name": "advance", "value": {"figure": figure, "revision": waiting["revision"]}}])
        began = time.perf_counter()
        session.turn("", event)
        times.append((time.perf_counter() - began) * 1000)


def slice_milliseconds(rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds of every piece, what it sends to the page included.

    Args:
        rounds: How often each of a few settings is computed; the fastest time of a piece counts, for other work on the
            machine only adds to it.
    """
    session = Session(Page(""), lambda *_: None)
    gc.collect()
    gc.freeze()  # as the snapshot does, so that collecting garbage does not search the page
    found: dict[str, list[float]] = {}
    for figure in PIECEWISE:
        found[figure], whole = _fastest(session, figure, rounds)
        if figure == SEARCH:
            found[WHOLE] = whole
    return found


def _fastest(session: Session, figure: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return each piece's fastest time over rounds, of all settings, and each setting's fastest whole."""
    session.turn("", json.dumps([{"name": "show", "value": {"figure": figure, "visible": True}}]))
    found: list[float] = []
    whole: list[float] = []
    for link in LINKS:
        times = []
        for turn in range(rounds):
            session.turn("", json.dumps([{"name": "query", "value": f"{link}&reserve=0.{turn + 10}"}]))
            times.append(_pieces(session, figure))
        whole.append(min(map(sum, times)))
        # A search has as many pieces as its slices make: those of the fastest round count.
        found += min(times, key=sum) if figure == SEARCH else [min(pieces) for pieces in zip(*times, strict=True)]
    session.turn("", json.dumps([{"name": "show", "value": {"figure": figure, "visible": False}}]))
    return found, whole
