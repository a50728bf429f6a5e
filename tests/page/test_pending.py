"""Work in pieces: whatever the pieces, the rows of the map are those of whole evaluations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from roofline_app.evaluation import evaluate
from roofline_app.page.figures.map.view import CONTEXTS, MapRow
from roofline_app.page.figures.map.work import map_work
from roofline_app.page.pending.pending import Pending
from roofline_app.query import decode
from roofline_app.scenario import Scenario

LINES = "drafter=mtp&drafter=mtp,acceptance=0.9&drafter=draft&drafter=eagle3,cost=physical&drafter=ngram"


def aimed(scenario: Scenario) -> Pending:
    pending = Pending()
    pending.aim(map_work(evaluate(scenario)))
    return pending


def computed(scenario: Scenario) -> dict[int, MapRow]:
    pending = aimed(scenario)
    left = pending.waits
    while pending.waits:
        pending.advance()
        left -= 1
        assert pending.waits == left
    assert not pending.advance()
    return dict(pending.found().values)


@pytest.mark.parametrize("cap", [8, 16, 33, 64])
def test_a_map_in_pieces_is_that_of_whole_evaluations(cap: int) -> None:
    scenario = decode(f"{LINES}&cap={cap}&model=qwen3-32b&gpu=h100-sxm&gpus=4").scenario
    rows = computed(scenario)
    assert sorted(rows) == sorted(CONTEXTS)
    for context in (CONTEXTS[0], CONTEXTS[8], CONTEXTS[-1]):
        whole = evaluate(replace(scenario, context=context))
        row, lines = rows[context], whole.best_by_batch.drafters
        np.testing.assert_array_equal(row.speedup, np.max([line.speedup for line in lines], axis=0))
        best = np.argmax([line.speedup for line in lines], axis=0)
        assert row.names == tuple(lines[line].name for line in best)
        limit = whole.model.max_context_tokens
        reach = whole.memory.largest_batch if context <= limit else 0
        np.testing.assert_array_equal(row.fits, whole.best_by_batch.batch <= reach)


def test_the_longer_the_drafts_the_fewer_lines_stand_in_a_piece() -> None:
    short, long = (aimed(decode(f"{LINES}&cap={cap}").scenario) for cap in (8, 64))
    assert short.waits == len(CONTEXTS)
    assert long.waits == 5 * len(CONTEXTS)


def test_rows_of_an_earlier_setting_stay_until_newer_ones_are_there() -> None:
    scenario = decode(f"{LINES}&cap=8").scenario
    pending = aimed(scenario)
    while pending.advance():
        pass
    before = pending.found()
    assert not before.waiting
    other = replace(scenario, gpu="h200-sxm")
    pending.aim(map_work(evaluate(other)))
    after = pending.found()
    assert after.values == before.values
    assert set(after.waiting) == set(CONTEXTS)
    pending.advance()
    first = after.waiting[0]
    assert pending.found().values[first] is not before.values[first]


def test_the_same_work_again_computes_nothing_anew() -> None:
    scenario = decode(f"{LINES}&cap=8").scenario
    pending = aimed(scenario)
    pending.advance()
    waits, revision = pending.waits, pending.revision
    pending.aim(map_work(evaluate(replace(scenario, batch=7, traffic=1e6))))
    assert (pending.waits, pending.revision) == (waits, revision)
