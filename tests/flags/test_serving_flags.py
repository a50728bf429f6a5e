"""Serving flags: each engine's way of counting, its limits, and commands that nothing can break out of."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from roofline_app import registry
from roofline_app.__main__ import main
from roofline_app.evaluation import evaluate
from roofline_app.flags import ENGINES, Flags, as_text, serving_flags
from roofline_app.flags.drafts import batch_ranges
from roofline_app.query import decode
from roofline_app.scenario import ConstantAcceptance, Drafter, Scenario, SurvivalRates, Weights

DENSE = Scenario(model="qwen3.5-27b", gpus=1, batch=8)
HOSTILE = "'; touch owned #\n$(touch owned)\n`touch owned`\x1b[2J\u2028touch owned"
CONFIG = {
    "model_type": "qwen3",
    "_name_or_path": HOSTILE,
    "hidden_size": 1024,
    "intermediate_size": 3072,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": True,
}
every_engine = pytest.mark.parametrize("engine", ENGINES)


def _line(kind: str, acceptance: float = 0.8, cost: float | None = 0.1, block: int = 1) -> Drafter:
    return Drafter(kind=kind, acceptance=ConstantAcceptance(acceptance=acceptance), cost=cost, block=block)


def _after(command: str, flag: str) -> str:
    words = shlex.split(command)
    return words[words.index(flag) + 1]


def _vllm(command: str) -> dict[str, object]:
    config: dict[str, object] = json.loads(_after(command, "--speculative-config"))
    return config


def _measured(flags: Flags) -> str:
    """Return the command of the server that drafts."""
    plain, drafting, *_ = flags.measure
    assert "specul" not in plain.command.replace("speculation.json", "")
    return drafting.command


def _drafts(scenario: Scenario, engine: str) -> tuple[int, float]:
    """Return the draft length and the tokens per round that an engine's measuring command states, bonus included."""
    command = _measured(serving_flags(scenario, engine))
    if engine == "vllm":
        config = _vllm(command)
        rates = config["synthetic_acceptance_rates"]
        assert isinstance(rates, list)
        assert len(rates) == config["num_speculative_tokens"]
        assert all(1 >= first >= second >= 0 for first, second in pairwise(rates))
        return len(rates), 1 + sum(rates)
    if engine == "sglang":
        (length,) = re.findall(r"SGLANG_SIMULATE_ACC_LEN=(\S+)", command)
        return int(_after(command, "--speculative-num-draft-tokens")) - 1, float(length)
    (forced,) = re.findall(r"TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS=(\S+)", command)
    (drafts,) = re.findall(r"^  max_draft_len: (\d+)$", command, re.MULTILINE)
    return int(drafts), 1 + float(forced)


@every_engine
@pytest.mark.parametrize("kind", ["mtp", "eagle3", "draft", "block"])
def test_what_is_measured_is_what_was_computed(engine: str, kind: str) -> None:
    scenario = replace(DENSE, cap=15, drafters=(_line(kind, block=16),))
    best = evaluate(scenario).drafters[0].best
    drafts, tokens = _drafts(scenario, engine)
    assert drafts == best.draft_tokens > 0
    assert tokens == pytest.approx(best.tokens_per_round, abs=1e-4)


@every_engine
@pytest.mark.parametrize("block", [2, 4, 8, 16])
def test_a_block_is_never_exceeded(engine: str, block: int) -> None:
    scenario = replace(DENSE, batch=1, drafters=(_line("block", 0.95, 0.02, block),))
    assert evaluate(scenario).drafters[0].best.draft_tokens >= block
    drafts, _ = _drafts(scenario, engine)
    # The checkpoint's blocks have 16 positions, of which the first is the verified token's.
    assert drafts == min(block, 15)
    assert serving_flags(scenario, engine).draft_tokens == drafts


@pytest.mark.parametrize(
    ("line", "drafts"),
    [("block,cost=physical", 15), ("block,cost=physical,block=32", 15), ("block,block=32", 15), ("block,block=8", 8)],
)
def test_a_checkpoints_block_is_never_exceeded(line: str, drafts: int) -> None:
    scenario = decode(f"model=qwen3.5-27b&gpus=1&batch=1&cap=32&drafter={line},acceptance=0.99").scenario
    assert serving_flags(scenario, "vllm").draft_tokens == drafts


def test_sglang_is_told_the_block_and_the_verified_tokens_alike() -> None:
    command = serving_flags(replace(DENSE, drafters=(_line("block", 0.95, 0.02, 16),)), "sglang").serve.command
    assert _after(command, "--speculative-algorithm") == "DFLASH"
    assert (
        _after(command, "--speculative-dflash-block-size") == _after(command, "--speculative-num-draft-tokens") == "16"
    )


def test_sglang_drafts_a_chain() -> None:
    flags = serving_flags(replace(DENSE, drafters=(_line("eagle3"),)), "sglang")
    command = flags.serve.command
    assert _after(command, "--speculative-eagle-topk") == "1"
    assert _after(command, "--speculative-num-steps") == str(flags.draft_tokens)
    assert _after(command, "--speculative-draft-model-path") == "DRAFT_MODEL"


@pytest.mark.parametrize("preset", list(registry.presets()))
def test_vllm_accepts_the_draft_lengths_by_batch(preset: str) -> None:
    # As vLLM validates them: from 1, sorted, without overlap, none above num_speculative_tokens.
    scenario = decode(registry.presets()[preset].query).scenario
    flags = serving_flags(scenario, "vllm")
    if not flags.draft_tokens:
        assert "--speculative-config" not in flags.serve.command
        return
    config = _vllm(flags.serve.command)
    most = config["num_speculative_tokens"]
    ranges = config.get("num_speculative_tokens_per_batch_size", [[1, 4096, most]])
    assert isinstance(ranges, list)
    assert ranges[0][0] == 1
    assert ranges[-1][1] >= max(4096, scenario.batch)
    assert all(second[0] == first[1] + 1 for first, second in pairwise(ranges))
    assert max(length for _, _, length in ranges) == most
    (here,) = [length for first, last, length in ranges if first <= scenario.batch <= last]
    assert here == flags.draft_tokens


def test_batches_that_should_not_draft_stand_in_the_table_with_zero() -> None:
    scenario = replace(DENSE, drafters=(_line("mtp", 0.6, 0.2),))
    (by_batch,) = evaluate(scenario).best_by_batch.drafters
    assert by_batch.draft_tokens[0] > by_batch.draft_tokens[-1] == 0
    ranges = _vllm(serving_flags(scenario, "vllm").serve.command)["num_speculative_tokens_per_batch_size"]
    assert isinstance(ranges, list)
    assert ranges[-1][2] == 0


@given(
    st.dictionaries(st.integers(1, 4096), st.integers(0, 16), min_size=1),
    st.integers(1, 8192),
)
def test_ranges_leave_no_gap_and_keep_what_was_computed(lengths: dict[int, int], last: int) -> None:
    ranges = batch_ranges(lengths.items(), last)
    assert ranges[0][0] == 1
    assert ranges[-1][1] == max(last, *lengths)
    for first, second in pairwise(ranges):
        assert second[0] == first[1] + 1
        assert first[2] != second[2]
    for batch, length in lengths.items():
        assert [found for start, end, found in ranges if start <= batch <= end] == [length]


def test_tensorrt_llm_follows_the_batch_where_it_can() -> None:
    # A schedule's first length has to be max_draft_len, and keys are the last batch of each length.
    flags = serving_flags(replace(DENSE, drafters=(_line("eagle3"),)), "tensorrt-llm")
    schedule = [
        (int(batch), int(length)) for batch, length in re.findall(r"^    (\d+): (\d+)$", flags.serve.command, re.M)
    ]
    assert len(schedule) > 1
    assert schedule == sorted(schedule)
    assert f"max_draft_len: {schedule[0][1]}\n" in flags.serve.command
    assert max(length for _, length in schedule) == schedule[0][1]
    assert "draft_len_schedule" not in _measured(flags)


@every_engine
def test_where_nothing_gains_nothing_is_speculated(engine: str) -> None:
    flags = serving_flags(replace(DENSE, drafters=(_line("mtp", 0.05, 0.5), _line("ideal", 0.99, 0.0))), engine)
    assert (flags.drafter, flags.draft_tokens, flags.tokens_per_round) == ("", 0, 1.0)
    commands = " ".join(step.command for step in (flags.serve, *flags.measure))
    assert not re.search(r"--speculative|speculative_config|SIMULATE|FORCE_NUM|synthetic", commands)
    assert flags.notes[0].startswith("Do not speculate")


@every_engine
def test_an_ideal_drafter_is_no_engines(engine: str) -> None:
    flags = serving_flags(replace(DENSE, drafters=(_line("ideal", 0.99, 0.0),)), engine)
    assert flags.draft_tokens == 0
    assert "none of these drafters" in flags.notes[0]


@every_engine
def test_a_block_of_one_token_drafts_one(engine: str) -> None:
    assert serving_flags(replace(DENSE, drafters=(_line("block", 0.9, 0.0, 1),)), engine).draft_tokens == 1


@pytest.mark.parametrize(("cost", "block", "positions"), [(0.02, 8, 9), (0.02, 16, 16), (None, 15, 16), (None, 8, 9)])
def test_a_blocks_positions_are_its_drafts_and_the_verified_token(
    cost: float | None, block: int, positions: int
) -> None:
    scenario = replace(DENSE, drafters=(_line("block", 0.95, cost, block),))
    flags = serving_flags(scenario, "sglang")
    assert _after(flags.serve.command, "--speculative-dflash-block-size") == str(positions)
    assert any(f"A block of {positions} tokens" in note and f"at most {positions - 1};" in note for note in flags.notes)


@every_engine
def test_looked_up_drafts_are_served_but_not_forced(engine: str) -> None:
    flags = serving_flags(replace(DENSE, drafters=(_line("ngram", 0.5, 0.0),)), engine)
    assert flags.draft_tokens > 0
    assert flags.measure == ()
    assert "DRAFT_MODEL" not in flags.serve.command


def test_the_line_that_gains_most_is_served_unless_another_is_asked_for() -> None:
    scenario = replace(DENSE, drafters=(_line("mtp", 0.7), _line("eagle3", 0.9)))
    assert serving_flags(scenario, "vllm").drafter == "EAGLE-3"
    assert serving_flags(scenario, "vllm", drafter=0).drafter == "MTP"


@every_engine
@pytest.mark.parametrize("context", [1, 2, 1000, 4096, 131072])
def test_a_measured_sequence_is_centred_on_the_context(engine: str, context: int) -> None:
    client = serving_flags(replace(DENSE, batch=48, context=context), engine).measure[-1].command
    prompt, output = int(_after(client, "--random-input-len")), int(_after(client, "--random-output-len"))
    assert prompt >= 1
    assert output >= 2
    assert abs(prompt + output / 2 - context) <= 1
    assert _after(client, "--max-concurrency") == "48"


@every_engine
@pytest.mark.parametrize("model", registry.model_ids())
def test_every_model_of_the_registry_names_its_checkpoint(engine: str, model: str) -> None:
    made = serving_flags(Scenario(model=model), engine)
    repository = registry.model(model).source.removeprefix("https://huggingface.co/")
    assert re.fullmatch(r"[\w.-]+/[\w.-]+", repository)
    assert repository in shlex.split(made.serve.command, comments=True)


@every_engine
def test_a_readers_own_model_is_theirs_to_name(engine: str) -> None:
    made = serving_flags(Scenario(model="custom", config=json.dumps(CONFIG), gpus=1), engine)
    assert "MODEL" in shlex.split(made.serve.command)
    assert any("Replace MODEL" in note for note in made.notes)


@every_engine
def test_nothing_a_reader_writes_runs(engine: str, tmp_path: Path) -> None:
    drafter = replace(_line("block", 0.95, 0.02, 16), name=HOSTILE)
    scenario = Scenario(model="custom", config=json.dumps(CONFIG), gpus=1, batch=2, drafters=(drafter,))
    text = as_text(serving_flags(scenario, engine))
    stubs = "vllm() { echo ran; }; python() { echo ran; }; trtllm-serve() { echo ran; }\n"
    finished = subprocess.run(
        ["bash", "-euc", stubs + text], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30
    )
    assert finished.stderr == ""
    assert finished.stdout == "ran\n" * (6 if engine == "tensorrt-llm" else 5)
    assert {file.name for file in tmp_path.iterdir()} <= {"speculation.yaml", "plain.yaml", "measuring.yaml"}


@every_engine
def test_chosen_formats_and_next_token_layers_are_said(engine: str) -> None:
    made = serving_flags(replace(DENSE, weights=Weights(linear="fp8"), drafters=(_line("mtp"),)), engine)
    assert any("quantised" in note for note in made.notes)
    assert any("next-token" in note for note in made.notes)
    assert not any("quantised" in note for note in serving_flags(DENSE, engine).notes)


@every_engine
def test_language_changes_remarks_and_no_command(engine: str) -> None:
    english, chinese = (serving_flags(DENSE, engine, language=language) for language in ("en", "zh"))
    assert english.notes != chinese.notes
    assert english.serve.command == chinese.serve.command
    assert [step.command for step in english.measure] == [step.command for step in chinese.measure]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=20).map(lambda rates: tuple(sorted(rates, reverse=True))),
    st.sampled_from(["mtp", "block"]),
    st.integers(1, 4096),
)
def test_engines_agree_on_any_measured_acceptance(survival: tuple[float, ...], kind: str, batch: int) -> None:
    drafter = replace(_line(kind, block=16), acceptance=SurvivalRates(survival=survival), cost=0.01)
    scenario = replace(DENSE, batch=batch, drafters=(drafter,))
    if serving_flags(scenario, "vllm").draft_tokens:
        (drafts, tokens), *others = (_drafts(scenario, engine) for engine in ENGINES)
        for other_drafts, other_tokens in others:
            assert other_drafts == drafts
            assert other_tokens == pytest.approx(tokens, abs=1e-3)


def test_the_command_prints_what_a_shell_can_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["flags", "--engine", "vllm", "preset=dense&batch=100000&nonsense=1"]) == 0
    captured = capsys.readouterr()
    assert "vllm serve Qwen/Qwen3.5-27B" in captured.out
    assert registry.engine("vllm").version in captured.out
    assert "nonsense" in captured.err
    assert "memory:" in captured.err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        pytest.param(["--engine", "ollama", ""], "ollama", id="unknown engine"),
        pytest.param(["--engine", "vllm", "model=gpt-5"], "gpt-5", id="unknown model"),
    ],
)
def test_an_unknown_id_is_refused_in_one_line(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["flags", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert named in captured.err


def test_an_engines_own_way_of_forcing_is_said_where_acceptance_is_forced() -> None:
    drafting, looking_up = (replace(DENSE, drafters=(line,)) for line in (_line("mtp"), _line("ngram", 0.5, 0.0)))
    for engine, own in (("sglang", "all sequences of a round"), ("tensorrt-llm", "without the bonus token")):
        assert any(own in note for note in serving_flags(drafting, engine).notes)
        assert not any(own in note for note in serving_flags(looking_up, engine).notes)
    assert not any("pull request" in note for note in serving_flags(drafting, "vllm").notes)


@pytest.mark.parametrize("kind", ["mtp", "eagle3", "draft", "block"])
def test_tensorrt_llm_follows_the_batch_with_every_drafter_of_its_one_model_path(kind: str) -> None:
    flags = serving_flags(replace(DENSE, drafters=(_line(kind, block=8),)), "tensorrt-llm")
    assert "draft_len_schedule:" in flags.serve.command


def test_the_drafter_that_looks_up_has_one_length_on_tensorrt_llm() -> None:
    flags = serving_flags(replace(DENSE, drafters=(_line("ngram", 0.5, 0.0),)), "tensorrt-llm")
    assert "draft_len_schedule" not in flags.serve.command
