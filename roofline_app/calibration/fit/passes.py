"""Many passes at once: their work as flat arrays, so that one profile's constants give all their seconds in one go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roofline_app.timing.pass_time import Demands, bandwidth_share, busy_seconds, demands, overhead_seconds
from roofline_app.timing.profiles import Calibration
from roofline_app.timing.roofline import Roof
from roofline_app.timing.workload import ComponentWork

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
BANDWIDTHS = ("memory_bandwidth", "emulated_bandwidth", "state_bandwidth")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassTable:
    """Passes of rows that share an engine and a family of accelerators.

    Attributes:
        rows: Number of rows; those without such a pass take no time.
        row: Row of each component, shape (components,).
        memory: Seconds of its bytes at the full bandwidth, all equal layers together.
        compute: Seconds of its FLOPs at the full peak, likewise.
        share: Which of `BANDWIDTHS` it achieves.
        grouped: 1 for routed experts, else 0.
        present: 1 for rows that have such a pass, shape (rows,).
        asked: What each row's pass asks of host and network, shape (rows,).
    """

    rows: int
    row: Counts
    memory: Floats
    compute: Floats
    share: Counts
    grouped: Floats
    present: Floats
    asked: Demands

    def seconds(self, constants: Calibration) -> Floats:
        """Return the seconds of each row's pass, shape (rows,); 0 where a row has none."""
        shares = [getattr(constants, name) for name in BANDWIDTHS]
        busy = busy_seconds(
            self.memory,
            self.compute,
            bandwidth=np.asarray(shares)[self.share],
            peak=constants.matmul_peak,
            grouped=constants.grouped_matmul * self.grouped,
        )
        total: Floats = np.bincount(self.row, weights=busy, minlength=self.rows).astype(np.float64)
        for seconds in overhead_seconds(self.asked, constants).values():
            total = total + seconds * self.present
        return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Passes:
    """Passes of equal terms on equal nodes.

    Attributes:
        rows: Which rows they belong to.
        parts: Their work; arrays of the rows' shape or scalars.
        roof: What the node can do.
    """

    rows: Sequence[int]
    parts: Sequence[ComponentWork]
    roof: Roof


def _seconds(part: ComponentWork, roof: Roof) -> tuple[Floats, Floats]:
    compute: Floats = np.zeros(())
    for number_format, amount in part.flops:
        compute = compute + amount / roof.flops_per_second[number_format]
    return part.count * part.bytes / roof.memory_bytes_per_second, part.count * compute


def pass_table(groups: Iterable[Passes], rows: int) -> PassTable:
    """Return passes as flat arrays.

    Args:
        groups: Passes; a row belongs to one group at most.
        rows: Number of rows.

    Returns:
        One table of all of them.
    """
    columns: list[tuple[Counts, Floats, Floats, Counts, Floats]] = []
    totals = {name: np.zeros(rows) for name in ("kernels", "messages", "message_seconds", "network_seconds", "sampled")}
    present = np.zeros(rows)
    for group in groups:
        index = np.asarray(group.rows, dtype=np.int64)
        present[index] = 1.0
        asked = demands(group.parts, group.roof)
        for name, total in totals.items():
            total[index] = getattr(asked, name)
        for part in group.parts:
            memory, compute = (np.broadcast_to(value, index.shape) for value in _seconds(part, group.roof))
            share = np.full(index.shape, BANDWIDTHS.index(bandwidth_share(part, group.roof)))
            columns.append((index, memory, compute, share, np.full(index.shape, float(part.kind == "experts"))))
    empty = (np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64), np.zeros(0))
    row, memory, compute, share, grouped = (np.concatenate(column) for column in zip(empty, *columns, strict=True))
    return PassTable(
        rows=rows,
        row=row,
        memory=memory,
        compute=compute,
        share=share,
        grouped=grouped,
        present=present,
        asked=Demands(**totals),
    )
