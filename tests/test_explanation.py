"""Differences between settings and runs: their parts add up, and each is of what differs."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from roofline_app import Scenario, evaluate
from roofline_app.__main__ import main
from roofline_app.calibration.benchmarks import MeasuredPoint, import_file
from roofline_app.difference import _OF_SCENARIO, GROUPS, UNEXPLAINED, difference, groups_that_differ, side
from roofline_app.explanation import explain, explain_run, in_words
from roofline_app.query import decode
from roofline_app.specs import SpecError
from roofline_app.text import sentence

LINK = (
    "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&context=2k&profile=calibrated&drafter=eagle3,length=2.5@3,cost=0.1&cap=8"
)
HEADER = "engine,model,gpu,gpus,batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token"
RUN = "sglang,Qwen/Qwen3.5-27B,B200,1,8,2048,3,2.5,0.006"
# A change of one group each.
CHANGES = {
    "model": "model=qwen3-32b",
    "hardware": "gpu=h100-sxm",
    "format": "weights=fp8",
    "host": "engine=vllm",
    "batch": "batch=64",
    "context": "context=32k",
    "prefill": "prompt=4096&output=256&context=2k",
    "acceptance": "drafter=eagle3,length=1.8@3,cost=0.1",
    "draft": "drafter=eagle3,length=2.5@3,cost=0.3",
}


def scenario(*changes: str) -> Scenario:
    return decode("&".join((LINK, *changes))).scenario


def measured(*rows: str) -> MeasuredPoint:
    return import_file("runs.csv", "\n".join((HEADER, *rows)).encode()).points[0]


def test_every_field_of_a_scenario_is_of_a_group_or_changes_no_time() -> None:
    """So that a new input cannot make a difference that nobody names."""
    counted = [name for names in _OF_SCENARIO.values() for name in names]
    timeless = {
        "price",
        "reserve",
        "cap",
        "compare",
        "compare_further",
        "seed",
        "traffic",
        "after",
        "training",
        "learning",
        "horizon",
        "budget",
        "load",
        "target",
        "nodes",
        "prices",
        "electricity",
        "presentation",
    }
    assert sorted((*counted, "drafters", *timeless)) == sorted(field.name for field in fields(Scenario))


@pytest.mark.parametrize(("group", "change"), CHANGES.items())
def test_what_differs_is_named_and_takes_all_of_the_difference(group: str, change: str) -> None:
    link = LINK if "drafter" not in change else LINK.partition("&drafter")[0] + "&cap=8"
    other = decode(f"{link}&{change}").scenario
    found = explain(scenario(), other)
    names = [part.group for part in found.difference.parts]
    assert group in names
    assert set(names) <= {group, "length"}
    assert sum(part.seconds for part in found.difference.parts) == pytest.approx(
        found.difference.after - found.difference.before, rel=1e-9, abs=1e-15
    )


@pytest.mark.wide
@settings(max_examples=15, deadline=None)
@given(st.sets(st.sampled_from([change for change in CHANGES.values() if "drafter" not in change]), min_size=1))
def test_parts_add_up_and_turn_their_sign_with_the_settings(changes: set[str]) -> None:
    one, other = scenario(), scenario(*changes)
    there, back = explain(one, other).difference, explain(other, one).difference
    assert sum(part.seconds for part in there.parts) == pytest.approx(there.after - there.before, rel=1e-9, abs=1e-15)
    turned = {part.group: -part.seconds for part in back.parts}
    for part in there.parts:
        assert part.seconds == pytest.approx(turned[part.group], rel=1e-9, abs=1e-15)


def test_a_setting_does_not_differ_from_itself() -> None:
    found = explain(scenario(), scenario("drafter=eagle3,length=2.5@3,cost=0.1,name=mine", "seed=4"))
    assert found.difference.parts == ()
    assert found.difference.before == found.difference.after
    assert "do not differ" in in_words(found.difference)


def test_ends_are_those_of_the_evaluations() -> None:
    one, other = scenario(), scenario("batch=32", "gpu=h200-sxm")
    found = explain(one, other).difference
    for seconds, setting in ((found.before, one), (found.after, other)):
        line = evaluate(setting).best_drafter
        assert seconds == pytest.approx(1 / line.tokens_per_second_per_user[line.best.draft_tokens], rel=1e-12)


def test_a_group_that_alone_matters_takes_it_all_and_equal_groups_share() -> None:
    """Shapley's axioms: no effect has no part, and two that only work together share equally."""
    both = frozenset({"batch", "context"})
    values = {frozenset[str](): 1.0, frozenset({"batch"}): 1.0, frozenset({"context"}): 1.0, both: 3.0}
    assert {part.group: part.seconds for part in difference(values).parts} == {"batch": 1.0, "context": 1.0}
    values = {frozenset[str](): 1.0, frozenset({"batch"}): 2.0, frozenset({"context"}): 1.0, both: 2.0}
    assert {part.group: part.seconds for part in difference(values).parts} == {"batch": 1.0}


def test_a_run_of_the_setting_leaves_what_the_model_does_not_explain() -> None:
    found = explain_run(scenario("cap=3"), measured(RUN))
    assert found.difference.after == 0.006
    parts = {part.group: part.seconds for part in found.difference.parts}
    assert set(parts) <= {UNEXPLAINED, "length"}
    assert sum(parts.values()) == pytest.approx(found.difference.after - found.difference.before)


def test_a_run_of_another_acceptance_batch_and_context_has_these_parts() -> None:
    run = RUN.replace("8,2048,3,2.5", "32,8192,3,1.9")
    found = explain_run(scenario(), measured(run))
    assert {"acceptance", "batch", "context", UNEXPLAINED} <= {part.group for part in found.difference.parts}
    assert in_words(found.difference, "run").startswith("The run takes 6.00 ms per token")


def test_a_plain_run_is_held_against_drafting() -> None:
    found = explain_run(scenario(), measured(RUN.replace("3,2.5", "0,1")))
    assert found.after.draft_tokens == 0
    assert "length" in {part.group for part in found.difference.parts}


@pytest.mark.parametrize("run", [RUN.replace("3,2.5", ",2.5")])
def test_a_run_without_its_draft_length_is_refused_by_field(run: str) -> None:
    with pytest.raises(SpecError, match="draft_tokens"):
        explain_run(scenario(), measured(run))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_group_has_a_name_and_the_sentence_all_parts(language: str) -> None:
    names = {sentence(f"difference.{group}", language) for group in (*GROUPS, UNEXPLAINED)}
    assert len(names) == len(GROUPS) + 1
    found = explain(scenario(), scenario("batch=64", "context=16k"))
    said = in_words(found.difference, language=language)
    assert all(sentence(f"difference.{part.group}", language) in said for part in found.difference.parts)


def test_plain_decoding_on_both_sides_has_no_parts_of_drafts() -> None:
    loses = "drafter=mtp,acceptance=0.01,cost=1"
    one, other = (side(evaluate(decode(f"batch={batch}&{loses}").scenario)) for batch in (8, 64))
    assert groups_that_differ(one, other) == ("batch",)


def test_the_command_explains_two_links_and_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", LINK, f"{LINK}&batch=64"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["parts"][0]["group"] == "batch"
    assert not found["after"]["measured"]
    file = tmp_path / "runs.csv"
    file.write_text(f"{HEADER}\n{RUN.replace('3,2.5', '0,1')}\n{RUN}\n")
    assert main(["explain", LINK, str(file)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["after"]["measured"]
    assert found["after"]["seconds_per_token"] == 0.006
    assert main(["explain", LINK, "model=nothing-such"]) == 2
    assert "nothing-such" in capsys.readouterr().err
