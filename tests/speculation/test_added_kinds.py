"""A kind of drafter is added by tables of data alone: links, curves, memory, refusals and serving commands follow."""

from __future__ import annotations

from typing import Any

import pytest
from added_kinds import package_with_more_kinds
from package_copy import printed

LINKS = {
    "share": "drafter=nova",
    "own work": "drafter=nova,cost=physical",
    "trained": "drafter=comet",
    "measured by its own work": "drafter=comet,cost=physical",
    "of another model": "model=minimax-m2&drafter=comet,cost=physical",
    "chosen by id": "drafter=comet,cost=physical,model=qwen3-8b-comet,placement=separate",
    "beside": "drafter=vega",
    "misspelt": "drafter=novva",
}
SCRIPT = f"""
import json
from roofline_app import export, query
from roofline_app.evaluation import evaluate
from roofline_app.flags import ENGINES, serving_flags

answers = {{}}
for name, link in {LINKS!r}.items():
    model = "" if "&" in link else "model=qwen3-8b&"
    decoded = query.decode(model + "gpu=h100-sxm&gpus=1&batch=1&" + link)
    answers[name] = {{
        "notices": [notice.text for notice in decoded.notices],
        "evaluation": export.as_json(evaluate(decoded.scenario)),
        "flags": {{engine: export.plain(serving_flags(decoded.scenario, engine)) for engine in ENGINES}},
    }}
print(json.dumps(answers))
"""


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("package")
    package_with_more_kinds(folder)
    found: dict[str, Any] = printed(folder, SCRIPT)
    return found


def _drafter(answers: dict[str, Any], name: str) -> dict[str, Any]:
    assert answers[name]["notices"] == []
    found: dict[str, Any] = answers[name]["evaluation"]["drafters"][0]
    return found


def test_a_kind_priced_by_share_takes_its_share_of_a_step_per_block(answers: dict[str, Any]) -> None:
    drafter, step = _drafter(answers, "share"), answers["share"]["evaluation"]["step"]["seconds"]
    assert (drafter["name"], drafter["kind"], drafter["block"], drafter["cost"]) == ("Nova", "nova", 4, 0.05)
    assert drafter["physical"] is None
    assert drafter["drafting_seconds"][4] == pytest.approx(0.05 * step)
    assert drafter["drafting_seconds"][5] == pytest.approx(0.1 * step)
    assert "drafter=nova,acceptance=0.6,cost=0.05,block=4" in answers["share"]["evaluation"]["query"]
    assert drafter["best"]["speedup"] > 1


def test_its_own_work_is_said_to_be_unknown(answers: dict[str, Any]) -> None:
    (notice,) = answers["own work"]["notices"]
    assert all(part in notice for part in ("drafter.cost", "physical", "Nova", "cost=0.05"))


def test_a_kind_with_weights_is_priced_by_its_own_passes(answers: dict[str, Any]) -> None:
    share, own = (_drafter(answers, name) for name in ("trained", "measured by its own work"))
    # The checkpoint's blocks have eight positions, of which the first is the verified token's.
    assert (share["block"], own["block"], own["physical"]["draft_tokens_per_pass"]) == (8, 7, 7)
    assert share["physical"]["id"] == own["physical"]["id"] == "qwen3-8b-comet"
    assert own["drafting_seconds"] == share["physical"]["seconds"]
    assert own["drafting_seconds"][8] / own["drafting_seconds"][7] == pytest.approx(2, rel=0.05)
    assert answers["trained"]["evaluation"]["memory"]["parts"]["drafter"] > own["physical"]["weight_bytes"] > 1e8


def test_a_model_without_a_drafter_gets_the_stand_in_by_name(answers: dict[str, Any]) -> None:
    drafter = _drafter(answers, "of another model")
    assert (drafter["physical"]["name"], drafter["physical"]["generic"]) == ("generic comet", True)
    assert any("generic comet" in notice for notice in answers["of another model"]["evaluation"]["notices"])


def test_a_drafter_of_it_can_be_chosen_and_moved(answers: dict[str, Any]) -> None:
    drafter = _drafter(answers, "chosen by id")
    assert drafter["separate"]["gpus"] >= 1
    assert drafter["separate"]["link_seconds"][3] > 0


def test_a_block_whose_first_pass_takes_committed_tokens_in_is_priced_as_one_pass(answers: dict[str, Any]) -> None:
    drafter = _drafter(answers, "beside")
    assert drafter["cost"] is None
    assert 0 < drafter["drafting_seconds"][1] == pytest.approx(drafter["drafting_seconds"][5], rel=0.05)
    assert drafter["drafting_seconds"][6] / drafter["drafting_seconds"][5] == pytest.approx(2, rel=0.05)


def test_engines_that_run_it_get_commands_and_others_a_reason(answers: dict[str, Any]) -> None:
    share, trained = answers["share"]["flags"], answers["trained"]["flags"]
    assert '"method": "nova"' in share["vllm"]["serve"]["command"]
    assert '"draft_tensor_parallel_size": 1' in share["vllm"]["serve"]["command"]
    # Its draft length cannot follow the batch, and it needs a checkpoint of its own.
    assert "per_batch_size" not in share["vllm"]["serve"]["command"]
    assert any("DRAFT_MODEL" in note for note in share["vllm"]["notes"])
    # Only DFlash's block size counts the token that is verified first.
    assert any("at most 4 tokens" in note for note in share["vllm"]["notes"])
    assert not any("verified first" in note for note in share["vllm"]["notes"])
    assert any(
        "A block of 8 tokens holds the token that is verified first" in note for note in trained["vllm"]["notes"]
    )
    for engine in ("sglang", "tensorrt-llm"):
        assert "has none of these drafters" in share[engine]["notes"][0]
    assert '"num_speculative_tokens": 7' in trained["vllm"]["serve"]["command"]
    assert "--speculative-comet-positions 8" in trained["sglang"]["serve"]["command"]
    assert "  comet_drafts: 7" in trained["tensorrt-llm"]["serve"]["command"]


def test_a_misspelt_kind_is_answered_with_the_known_ones(answers: dict[str, Any]) -> None:
    (notice,) = answers["misspelt"]["notices"]
    assert "nova" in notice
