"""Controls: what a reader chooses and types, and the next scenario."""

import numpy as np
import pytest

from roofline_app import registry
from roofline_app.page.forms import drafter_controls
from roofline_app.page.forms.controls import BATCH_STEPS, CONTEXT_STEPS, FIELDS, nearest_step, with_model
from roofline_app.page.forms.drafter_controls import LINE_FIELDS, read_acceptance
from roofline_app.page.forms.typed_text import NotUnderstoodError, number
from roofline_app.page.page import Page
from roofline_app.scenario import AcceptanceLength, ConstantAcceptance, Scenario, SurvivalRates


def test_sliders_cover_the_promised_ranges() -> None:
    assert (BATCH_STEPS[0], BATCH_STEPS[-1]) == (1, 4096)
    assert (CONTEXT_STEPS[0], CONTEXT_STEPS[-1]) == (128, 1_048_576)


@pytest.mark.parametrize(("value", "step"), [(1, 1), (5, 6), (11, 12), (5000, 4096), (32, 32)])
def test_a_slider_stands_at_the_step_nearest_on_a_log_scale(value: int, step: int) -> None:
    assert BATCH_STEPS[nearest_step(BATCH_STEPS, value)] == step


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in {"batch-slider", "context-slider"}])
def test_writing_what_a_control_shows_changes_nothing(name: str) -> None:
    scenario = Scenario()
    assert FIELDS[name].write(scenario, FIELDS[name].read(scenario)) == scenario


@pytest.mark.parametrize("name", LINE_FIELDS)
@pytest.mark.parametrize("index", range(3))
def test_writing_what_a_line_shows_changes_nothing(name: str, index: int) -> None:
    scenario = Scenario()
    field = LINE_FIELDS[name]
    assert field.write(scenario, index, field.read(scenario.drafters[index])) == scenario


@pytest.mark.parametrize(("text", "tokens"), [("4k", 4096), ("1e3", 1000), (" 128 ", 128), ("1M", 1_048_576)])
def test_a_context_is_typed_as_in_a_link(text: str, tokens: int) -> None:
    assert FIELDS["context"].write(Scenario(), text).context == tokens


@pytest.mark.parametrize("text", ["", "abc", "4.5", "nan", "<b>"])
def test_a_batch_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        FIELDS["batch"].write(Scenario(), text)


def test_a_batch_out_of_range_is_refused_with_the_range() -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        FIELDS["batch"].write(Scenario(), "0")
    assert "1" in refusal.value.allowed


@pytest.mark.parametrize(
    ("form", "text", "choice"),
    [
        ("constant", "0.75", ConstantAcceptance(acceptance=0.75)),
        ("constant", "75%", ConstantAcceptance(acceptance=0.75)),
        ("length", "2.58@3", AcceptanceLength(tokens_per_round=2.58, draft_tokens=3)),
        ("length", "2.58 at 3", AcceptanceLength(tokens_per_round=2.58, draft_tokens=3)),
        ("survival", "0.78, 0.58 0.44", SurvivalRates(survival=(0.78, 0.58, 0.44))),
        ("survival", "0.78 : 0.58 : 0.44", SurvivalRates(survival=(0.78, 0.58, 0.44))),
    ],
)
def test_acceptance_is_typed_in_three_forms(form: drafter_controls.Form, text: str, choice: object) -> None:
    assert read_acceptance(form, text, "mtp") == choice


@pytest.mark.parametrize(
    ("form", "text"),
    [("constant", "1.2"), ("constant", "x%"), ("length", "9@3"), ("length", "2.5"), ("survival", "0.5:0.7")],
)
def test_an_impossible_acceptance_is_refused(form: drafter_controls.Form, text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        read_acceptance(form, text, "mtp")


@pytest.mark.parametrize("text", ["-1", "inf", "one", ""])
def test_a_figure_must_be_finite_and_not_negative(text: str) -> None:
    with pytest.raises(NotUnderstoodError):
        number(text)


def test_an_edited_figure_is_kept_and_an_emptied_box_takes_the_registrys() -> None:
    edited = FIELDS["bandwidth"].write(Scenario(), "4.8")
    assert edited.hardware.bandwidth == 4.8e12
    assert FIELDS["bandwidth"].read(edited) == "4.8"
    assert FIELDS["bandwidth"].write(edited, "") == Scenario()


def test_another_gpu_forgets_what_was_edited() -> None:
    edited = FIELDS["price"].write(FIELDS["memory"].write(Scenario(), "100"), "9")
    other = FIELDS["gpu"].write(edited, "h100-sxm")
    assert other.hardware == Scenario().hardware
    assert other.price is None


@pytest.mark.parametrize("name", ["bandwidth", "memory"])
def test_a_gpu_without_bandwidth_or_memory_is_refused(name: str) -> None:
    with pytest.raises(NotUnderstoodError):
        FIELDS[name].write(Scenario(), "0")


def test_a_reserve_of_everything_is_refused() -> None:
    with pytest.raises(NotUnderstoodError):
        FIELDS["reserve"].write(Scenario(), "100")


def test_lines_are_added_up_to_five_and_removed_down_to_one() -> None:
    scenario = Scenario()
    for _ in range(4):
        scenario = drafter_controls.added_line(scenario)
    assert len(scenario.drafters) == 5
    for _ in range(9):
        scenario = drafter_controls.removed_line(scenario, 0)
    assert len(scenario.drafters) == 1


def test_another_kind_takes_that_kinds_defaults_and_keeps_name_and_colour() -> None:
    named = LINE_FIELDS["colour"].write(LINE_FIELDS["name"].write(Scenario(), 1, "Mine, 1=2%"), 1, "#AB12cd")
    line = drafter_controls.with_kind(named, 1, "block").drafters[1]
    assert (line.kind, line.block, line.name, line.colour) == ("block", 16, "Mine, 1=2%", "ab12cd")


def test_another_form_keeps_the_acceptance() -> None:
    tokens = [sum(0.75**i for i in range(k + 1)) for k in range(17)]
    scenario = drafter_controls.with_form(Scenario(), 1, "length", np.array(tokens))
    assert scenario.drafters[1].acceptance == AcceptanceLength(tokens_per_round=3.051, draft_tokens=4)
    survival = drafter_controls.with_form(Scenario(), 1, "survival", np.array(tokens)).drafters[1].acceptance
    assert survival == SurvivalRates(survival=(0.75, 0.5625, 0.4219, 0.3164))
    back = drafter_controls.with_form(scenario, 1, "constant", np.array(tokens)).drafters[1].acceptance
    assert back == ConstantAcceptance(acceptance=0.75)
    assert drafter_controls.with_form(scenario, 1, "length", np.array(tokens)) is scenario


def test_a_model_of_the_registry_drops_a_config() -> None:
    custom = Scenario(model="custom", config="{}")
    assert with_model(custom, "qwen3-8b").config == ""


def test_the_choice_of_a_gpu_says_which_of_its_figures_are_second_hand() -> None:
    assert Page("gpu=h100-sxm").state()["figures_note"] == ""
    said = Page("gpu=mi455x&gpus=72").state()["figures_note"]
    assert "memory bandwidth" in said
    assert "FP4 peak" in said
    assert registry.gpu("mi455x").source in said
    assert "FP4 峰值" in Page("gpu=mi455x&lang=zh", "light", "zh").state()["figures_note"]
