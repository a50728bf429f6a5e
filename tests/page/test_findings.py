"""Titles state what a figure shows of this setting; the batch figure says why its curve bends."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from page_samples import evaluation_of, shown_of

from roofline_app import registry
from roofline_app.page.figures.batch.reasons import reasons
from roofline_app.page.figures.batch.strip import wrapped
from roofline_app.page.figures.batch.view import batch_view
from roofline_app.page.figures.catalogue import FIGURES, title
from roofline_app.page.figures.look import Look
from roofline_app.text import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", registry.presets())
def test_every_figure_has_a_title_in_every_setting_and_language(preset: str, language: str) -> None:
    shown = shown_of(f"preset={preset}", language)
    assert all(title(name, shown) for name in FIGURES)


def test_the_first_title_is_the_answer() -> None:
    assert title("speedup", shown_of("")) == "Block is best at draft length 16, the longest considered: 3.00×"
    assert title("speedup", shown_of("preset=loses")) == "No drafter pays at batch 1,024"


def test_a_sparse_model_is_explained_by_its_experts_then_by_arithmetic() -> None:
    found = reasons(evaluation_of(""), "en")
    assert [one.key for one in found] == ["experts", "anyway", "arithmetic"]
    assert found[0].words == "Each draft token wakes other experts: 23 → 252 of 384"
    assert found[1].words == "333 of 384 are read anyway"


@pytest.mark.parametrize("preset", registry.presets())
def test_reasons_are_of_the_verify_and_no_expert_is_named_of_a_dense_model(preset: str) -> None:
    evaluation = evaluation_of(f"preset={preset}")
    found = reasons(evaluation, "en")
    assert all(one.first <= one.last for one in found)
    assert all(before.last < after.first for before, after in pairwise(found))
    if not evaluation.model.experts:
        assert not {"experts", "anyway"} & {one.key for one in found}


@pytest.mark.parametrize("preset", registry.presets())
def test_the_verify_over_batches_is_the_settings_own_at_its_batch(preset: str) -> None:
    evaluation = evaluation_of(f"preset={preset}")
    best = evaluation.best_drafter
    verify = evaluation.best_by_batch.drafters[evaluation.drafters.index(best)].verify
    row = evaluation.best_by_batch.batch.tolist().index(evaluation.batch)
    own = best.verify if best.best.draft_tokens else evaluation.verify_one
    assert verify.steps[row] == pytest.approx(own.steps)
    assert verify.experts_touched[row] == pytest.approx(own.experts_touched)
    assert np.all(verify.experts_touched >= verify.experts_touched_step)


def test_the_strip_lies_below_the_curves_and_a_phone_has_no_words_in_it() -> None:
    view = batch_view(evaluation_of(""), Look(), label_room=0.07)
    assert view.strip.words
    assert all(view.y.start < word.y < 0 for word in view.strip.words)
    assert all(line.y.max() < min(word.y for word in view.strip.words) for line in view.strip.lines)
    assert not batch_view(evaluation_of(""), Look(narrow=True), label_room=0.07).strip.words
    note = FIGURES["batch"].note
    assert callable(note)
    assert "Arithmetic binds" in note(replace(shown_of(""), look=Look(narrow=True)))


def test_words_that_do_not_fit_are_left_out() -> None:
    assert wrapped("Arithmetic binds", 200) == ["Arithmetic binds"]
    assert wrapped("Arithmetic binds", 80) == ["Arithmetic", "binds"]
    assert wrapped("Arithmetic binds", 20) is None
    assert wrapped("受限于算力", 40) == ["受限于", "算力"]
