"""The map's values, computed in pieces: whatever the pieces, the rows are those of whole evaluations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from roofline_app.evaluation import evaluate
from roofline_app.page.figures.map.view import CONTEXTS
from roofline_app.page.pending.map_rows import PendingMapRows
from roofline_app.query import decode
from roofline_app.scenario import Scenario

LINES = "drafter=mtp&drafter=mtp,acceptance=0.9&drafter=draft&drafter=eagle3,cost=physical&drafter=ngram"


def computed(scenario: Scenario) -> PendingMapRows:
    rows = PendingMapRows()
    rows.aim(scenario)
    left = rows.pieces
    while rows.pieces:
        rows.advance()
        left -= 1
        assert rows.pieces == left
    return rows


@pytest.mark.parametrize("cap", [8, 16, 33, 64])
def test_a_map_in_pieces_is_that_of_whole_evaluations(cap: int) -> None:
    scenario = decode(f"{LINES}&cap={cap}&model=qwen3-32b&gpu=h100-sxm&gpus=4").scenario
    rows = computed(scenario)
    assert tuple(rows.shown()) == CONTEXTS
    for context in (CONTEXTS[0], CONTEXTS[8], CONTEXTS[-1]):
        whole = evaluate(replace(scenario, context=context))
        row, lines = rows.rows[context], whole.best_by_batch.drafters
        np.testing.assert_array_equal(row.speedup, np.max([line.speedup for line in lines], axis=0))
        best = np.argmax([line.speedup for line in lines], axis=0)
        assert row.names == tuple(lines[line].name for line in best)
        limit = whole.model.max_context_tokens
        reach = whole.memory.largest_batch if context <= limit else 0
        np.testing.assert_array_equal(row.fits, whole.best_by_batch.batch <= reach)


def test_the_longer_the_drafts_the_fewer_lines_stand_in_a_piece() -> None:
    short, long = PendingMapRows(), PendingMapRows()
    short.aim(decode(f"{LINES}&cap=8").scenario)
    long.aim(decode(f"{LINES}&cap=64").scenario)
    assert short.pieces == len(CONTEXTS)
    assert long.pieces == 5 * len(CONTEXTS)
