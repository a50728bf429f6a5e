"""Drawn drafters in links: sizes and a packed config.json there and back, and a notice for each that is not used."""

from __future__ import annotations

import json
import random

import pytest
from damaged_configs import VALUES
from reference_data import drafter_config_facts

from roofline_app.evaluation import evaluate
from roofline_app.query import decode, encode
from roofline_app.query.packed_config import packed
from roofline_app.scenario import DrafterSizes

CONFIG = packed(json.dumps(drafter_config_facts()["qwen3-8b-dflash"], separators=(",", ":")))


def _notices(line: str) -> list[tuple[str, str]]:
    decoded = decode(f"model=qwen3-8b&gpus=1&drafter={line}")
    evaluate(decoded.scenario)
    assert decode(encode(decoded.scenario)) == decode(encode(decode(encode(decoded.scenario)).scenario))
    return [(notice.key, notice.reason) for notice in decoded.notices]


def test_sizes_are_read_as_people_write_them() -> None:
    line = decode("drafter=EAGLE3,Layers=2,ffn=8192.0,vocabulary=32k,head=OWN,precision=FP8").scenario.drafters[0]
    assert line.sizes == DrafterSizes(layers=2, ffn=8192, vocabulary=32_000, head="own", precision="fp8")


def test_a_line_that_draws_has_its_own_cost_unless_it_states_one() -> None:
    drawn, stated = decode("drafter=eagle3,layers=2&drafter=eagle3,layers=2,cost=0.1").scenario.drafters
    assert (drawn.cost, stated.cost) == (None, 0.1)


def test_a_packed_config_states_the_block_and_comes_back_as_it_was() -> None:
    decoded = decode(f"model=qwen3-8b&drafter=block,drafter-config={CONFIG}")
    (line,) = decoded.scenario.drafters
    assert not decoded.notices
    assert (line.block, line.cost, line.sizes) == (15, None, None)
    assert json.loads(line.config) == drafter_config_facts()["qwen3-8b-dflash"]
    assert decode(encode(decoded.scenario)).scenario == decoded.scenario
    assert f"drafter-config={CONFIG}" in encode(decoded.scenario)


@pytest.mark.parametrize(
    ("line", "key", "reason"),
    [
        ("eagle3,layers=two", "layers", "not_a_number"),
        ("eagle3,layers=0", "layers", "outside"),
        ("eagle3,layers=1.5", "layers", "not_whole"),
        ("eagle3,width=1e9", "width", "outside"),
        ("eagle3,precision=fp3", "precision", "not_a_choice"),
        ("eagle3,head=mine", "head", "not_a_choice"),
        ("eagle3,heads=30,kv-heads=8", "kv-heads", "not_a_divisor"),
        ("eagle3,head=shared,vocabulary=9", "vocabulary", "needs_beside"),
        ("block,full-layers=1", "full-layers", "needs_beside"),
        ("draft,head=shared", "head", "not_of_kind"),
        ("mtp,window=4096", "window", "not_of_kind"),
        (f"mtp,drafter-config={CONFIG}", "drafter-config", "not_of_kind"),
        ("ngram,layers=1", "layers", "weights_only"),
        ("block,drafter-config=!", "drafter-config", "not_packed"),
        (f"eagle3,drafter-config={CONFIG}", "drafter-config", "refused_config"),
        (f"block,drafter-config={packed('[1]')}", "drafter-config", "refused_config"),
        (f"block,layers=3,drafter-config={CONFIG}", "layers", "beside_config"),
    ],
)
def test_what_is_not_used_is_named(line: str, key: str, reason: str) -> None:
    assert _notices(line) == [(f"drafter.{key}", reason)]


def test_the_precision_counts_beside_a_config() -> None:
    assert _notices(f"block,drafter-config={CONFIG},precision=fp8") == []


def test_damaged_configs_are_read_or_refused_by_name() -> None:
    chance, refused = random.Random(1), 0
    configs = list(drafter_config_facts().values())
    for _ in range(600):
        config = dict(chance.choice(configs))
        for _ in range(chance.randint(1, 3)):
            config[chance.choice([*config, "head_dim", "layer_types", "block_size"])] = chance.choice(VALUES)
        kind = "eagle3" if "Eagle3" in str(config.get("architectures")) else "block"
        decoded = decode(f"model=qwen3-8b&gpus=1&drafter={kind},drafter-config={packed(json.dumps(config))}")
        refused += bool(decoded.notices)
        assert {notice.key for notice in decoded.notices} <= {"drafter.drafter-config"}
        for drafter in evaluate(decoded.scenario).drafters:
            assert drafter.best.speedup >= 1.0
    assert refused
