"""Memory after very many changes of a control: what the page keeps, and what Python does."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import CDPSession
from visit import Visit

WATCH = """() => {
  const [page] = Bokeh.documents;
  const [control, curve] = ["acceptance-slider-1", "speedup-1"].map((name) => page.get_model_by_name(name));
  globalThis.changes = { control, heapBytes: 0, answered: () => {} };
  curve.properties.data.change.connect(() => changes.answered());
  first.worker.addEventListener("message", ({ data }) => { changes.heapBytes = data.heapBytes ?? changes.heapBytes; });
}"""
CHANGE = """async (count) => {
  for (let number = 0; number < count; number++) {
    const next = 20 + ((Math.round(changes.control.value * 100) - 20) * 7 + 3) % 60;
    await new Promise((resolve) => { changes.answered = resolve; changes.control.value = next / 100; });
  }
  return changes.heapBytes;
}"""


@dataclass(frozen=True, slots=True)
class Heap:
    """Memory at a moment.

    Attributes:
        changes: Changes of the control until then.
        page_bytes: Of the page's JavaScript, after garbage collection.
        python_bytes: Of the interpreter, which never gives any back.
    """

    changes: int
    page_bytes: int
    python_bytes: int


def heaps(visit: Visit, session: CDPSession, total: int, parts: int) -> list[Heap]:
    """Change a control very often; return the memory after each of so many parts.

    Args:
        visit: A live page.
        session: To the page, for the garbage collector.
        total: Changes.
        parts: Equal parts of them.
    """
    visit.page.evaluate(WATCH)
    found = []
    for part in range(1, parts + 1):
        python_bytes = visit.page.evaluate(CHANGE, total // parts)
        session.send("HeapProfiler.collectGarbage")
        used = session.send("Runtime.getHeapUsage")["usedSize"]
        found.append(Heap(total * part // parts, int(used), int(python_bytes)))
    return found
