"""Checkpoints in commands: those that are known are named, and what they need besides is asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import metadata

import pytest
from shell_words import value, written

from roofline_app import data, registry
from roofline_app.__main__ import main
from roofline_app.flags import ENGINES, Flags, serving_flags
from roofline_app.flags.installed import installed_engine
from roofline_app.query import decode
from roofline_app.specs import CheckpointSpec, SpecError

pytestmark = pytest.mark.wide

every_engine = pytest.mark.parametrize("engine", ENGINES)
FACTS = {"id": "a", "source": "https://example.org/a", "checked": "2026-11-30"}


def _flags(query: str, engine: str) -> Flags:
    return serving_flags(decode(query).scenario, engine)


def _drafter(command: str, engine: str) -> str:
    """Return the drafter's checkpoint in a serving command, empty where it has none."""
    if engine == "vllm":
        return str(json.loads(value(command, "--speculative-config")).get("model", ""))
    if engine == "sglang":
        name = "--speculative-draft-model-path"
        return value(command, name) if name in command else ""
    found = [line for line in written(command) if line.startswith("  speculative_model: ")]
    return str(json.loads(found[0].partition(": ")[2])) if found else ""


@every_engine
@pytest.mark.parametrize(
    ("line", "repository"),
    [
        ("model=qwen3.5-27b&drafter=block", "z-lab/Qwen3.5-27B-DFlash"),
        ("model=qwen3.5-27b&drafter=block,cost=physical,model=qwen3.5-27b-dflash", "z-lab/Qwen3.5-27B-DFlash"),
        ("model=llama-3.1-8b&drafter=eagle3", "yuhuili/EAGLE3-LLaMA3.1-Instruct-8B"),
        ("model=qwen3-32b&drafter=draft", "Qwen/Qwen3-0.6B"),
        ("model=qwen3-32b&drafter=draft,model=qwen3-1.7b", "Qwen/Qwen3-1.7B"),
        ("model=gemma-4-31b&drafter=mtp", "google/gemma-4-31B-it-assistant"),
        ("model=gemma-4-26b&drafter=mtp", "google/gemma-4-26B-A4B-it-assistant"),
        ("model=deepseek-r1&drafter=mtp", ""),
        ("model=mixtral-8x7b&drafter=eagle3", "DRAFT_MODEL"),
        ("model=mixtral-8x7b&drafter=block", "DRAFT_MODEL"),
    ],
)
def test_a_drafter_that_is_known_is_named(engine: str, line: str, repository: str) -> None:
    flags = _flags(f"gpu=h200-sxm&gpus=8&batch=2&{line},acceptance=0.9", engine)
    assert _drafter(flags.serve.command, engine) == _drafter(flags.measure[1].command, engine) == repository
    assert any("Replace DRAFT_MODEL" in note for note in flags.notes) == (repository == "DRAFT_MODEL")


@pytest.mark.parametrize("drafter", registry.drafter_ids())
def test_every_drafter_of_the_registry_has_a_checkpoint_or_a_word_to_replace(drafter: str) -> None:
    spec = registry.drafter(drafter)
    line = f"{spec.kind},acceptance=0.95,cost=0.01,model={spec.model or drafter}"
    engine = "vllm" if registry.drafter_kind(spec.kind).method("vllm") else "sglang"
    for target in spec.targets:
        flags = _flags(f"model={target}&gpu=b200&gpus=8&batch=1&drafter={line}", engine)
        name = _drafter(flags.serve.command, engine)
        known = registry.checkpoints().get(drafter)
        own = registry.model(spec.model).source.removeprefix("https://huggingface.co/") if spec.model else ""
        assert name == (own or (known.repository if known else "DRAFT_MODEL"))


@pytest.mark.parametrize("key", registry.checkpoints())
def test_every_checkpoint_is_of_a_model_or_a_drafter(key: str) -> None:
    spec = registry.checkpoints()[key]
    assert (key in registry.model_ids()) != (key in registry.drafter_ids())
    assert bool(spec.repository) == (key in registry.drafter_ids())


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({}, "repository"),
        ({"repository": "no-owner"}, "no-owner"),
        ({"bundled": {"dspark": "a/b/c"}}, "a/b/c"),
        ({"next_token": "/name"}, "/name"),
    ],
)
def test_a_checkpoint_that_says_nothing_or_names_no_repository_is_refused(facts: dict[str, object], named: str) -> None:
    with pytest.raises(SpecError, match=named):
        CheckpointSpec(**{**FACTS, **facts})  # type: ignore[arg-type]


@every_engine
@pytest.mark.parametrize("model", registry.model_ids())
def test_code_of_a_repository_runs_only_where_it_is_needed_and_said(engine: str, model: str) -> None:
    flags = _flags(f"model={model}&gpu=b300&gpus=8&batch=4&drafter=eagle3,acceptance=0.95,cost=0.01", engine)
    known = registry.checkpoints().get(model)
    needed = known is not None and known.remote_code
    option = registry.engine(engine).flags["remote_code"]
    servers = [flags.serve.command, *(step.command for step in flags.measure[:2])]
    assert {option in command for command in servers} == {needed}
    assert any(option in note for note in flags.notes) == needed
    # SGLang's client always trusts the tokenizer's repository.
    clients = [step.command for step in flags.measure[2:]]
    assert {"remote" in command for command in clients} == {needed and engine != "sglang"}


@every_engine
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("qwen3-8b", "states no next-token layers"),
        ("llama-3.1-8b", "states no next-token layers"),
        ("qwen3.5-27b", "must hold"),
        ("gemma-4-31b", "assistant"),
    ],
)
def test_next_token_layers_are_asked_for_where_they_are(engine: str, model: str, said: str) -> None:
    flags = _flags(f"model={model}&gpu=h100-sxm&gpus=1&batch=1&drafter=mtp", engine)
    assert sum(word in note for note in flags.notes for word in ("next-token layers", "assistant")) == 1
    assert any(said in note for note in flags.notes)


def test_a_chain_of_next_token_layers_is_not_exceeded_on_vllm() -> None:
    # vLLM refuses more draft tokens than layers unless they are a multiple (config/speculative.py, n_predict).
    flags = _flags("model=step-3.7-flash&gpu=h200-sxm&gpus=8&batch=1&drafter=mtp,acceptance=0.99,cost=0.01", "vllm")
    assert flags.draft_tokens == 3


def test_a_draft_model_of_another_vocabulary_needs_an_option_or_is_refused() -> None:
    other = "model=llama-3.1-8b&gpu=h100-sxm&gpus=1&batch=1&drafter=draft,cost=0.05"
    same = "model=qwen3-8b&gpu=h100-sxm&gpus=1&batch=1&drafter=draft,cost=0.05"
    for query, is_other in ((other, True), (same, False)):
        config = json.loads(value(_flags(query, "vllm").serve.command, "--speculative-config"))
        assert config.get("use_heterogeneous_vocab", False) == is_other
        for engine in ENGINES:
            assert any("vocabulary is another" in note for note in _flags(query, engine).notes) == is_other


@every_engine
@pytest.mark.parametrize(("context", "said"), [(4096, False), (30000, False), (65536, True)])
def test_a_draft_models_shorter_context_is_said(engine: str, context: int, said: bool) -> None:
    # Qwen3 0.6B reads 40,960 tokens.
    node = f"model=qwen3-coder-480b-a35b&gpu=b200&gpus=8&batch=1&context={context}&drafter=draft,cost=0.01"
    assert any("ends at 40,960" in note for note in _flags(node, engine).notes) == said


@every_engine
def test_what_the_page_drafts_beyond_a_block_is_explained(engine: str) -> None:
    node = "model=qwen3.5-27b&gpu=b200&gpus=1&batch=8&drafter=block,acceptance=0.95"
    beyond, within = _flags(node + ",block=16", engine), _flags(node + ",block=8", engine)
    assert beyond.draft_tokens == 15
    assert any("best draft has 16 tokens; the commands draft 15" in note for note in beyond.notes)
    assert within.draft_tokens == 8
    assert any("A block of 9 tokens" in note for note in within.notes)


@every_engine
@pytest.mark.parametrize("installed", ["", "0.1.0", "same", "same+cu130"])
def test_an_installed_engine_is_held_against_the_version_checked(
    engine: str, installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = registry.engine(engine)

    def version(package: str) -> str:
        assert package == spec.package
        if not installed:
            raise metadata.PackageNotFoundError
        return installed.replace("same", spec.version)

    monkeypatch.setattr(metadata, "version", version)
    for language in ("en", "zh"):
        said = installed_engine(engine, language)
        assert spec.name in said
        assert spec.checked in said
        assert spec.version in said
        assert ("0.1.0" in said) == (installed == "0.1.0")


DSPARK = {
    "vllm": '"method": "dspark", "model": "deepseek-ai/dspark_qwen3_8b_block7", "num_speculative_tokens": 7',
    "sglang": "--speculative-algorithm DSPARK",
    "tensorrt-llm": "decoding_type: DSpark",
}


@every_engine
@pytest.mark.parametrize("kind", ["block", "dspark"])
def test_dsparks_weights_run_as_dspark_whose_block_is_all_drafts(engine: str, kind: str) -> None:
    # SGLang: the verify window is gamma + 1; vLLM: the anchor is the first prediction position, so that K = block_size.
    line = f"drafter={kind},model=qwen3-8b-dspark,cost=physical,acceptance=0.9"
    flags = _flags(f"model=qwen3-8b&gpu=b200&gpus=1&batch=1&{line}", engine)
    assert flags.draft_tokens == 7
    assert DSPARK[engine] in flags.serve.command
    assert "block of 8" not in " ".join(flags.notes)
    if engine == "sglang":
        assert value(flags.serve.command, "--speculative-dspark-block-size") == "7"
        assert value(flags.serve.command, "--speculative-num-draft-tokens") == "8"


@every_engine
@pytest.mark.parametrize("layout", ["tp", "dp%2Bep"])
@pytest.mark.parametrize(
    ("model", "line"),
    [
        ("deepseek-v4-pro", "block,preset=deepseek-v4-pro-0813-dspark"),
        ("deepseek-v4-pro", "dspark,acceptance=0.9"),
        ("deepseek-v4-flash", "dspark,acceptance=0.9"),
    ],
)
def test_dspark_of_deepseek_v4_comes_with_the_target(engine: str, model: str, line: str, layout: str) -> None:
    flags = _flags(f"model={model}&gpu=b200&gpus=8&batch=8&layout={layout}&drafter={line}", engine)
    commands = [flags.serve.command, *(step.command for step in flags.measure)]
    assert all("-DSpark" in command for command in commands)
    assert _drafter(flags.serve.command, engine) == ""
    assert "dspark" in flags.serve.command.lower()
    assert any("brings them along" in note for note in flags.notes)
    if engine == "sglang":
        assert ("--enable-dp-lm-head" in flags.serve.command) == layout.startswith("dp")


def test_a_package_that_an_engine_needs_besides_is_said() -> None:
    node = "model=qwen3-8b&gpu=b200&gpus=1&batch=1&drafter="
    assert any("arctic-inference" in note for note in _flags(node + "suffix", "vllm").notes)
    assert not any("arctic-inference" in note for note in _flags(node + "ngram", "vllm").notes)


@every_engine
def test_a_users_own_file_of_a_known_model_needs_what_that_one_needs(engine: str) -> None:
    config = data.read_toml("models.toml")["kimi-k2"]["config"]
    scenario = decode("gpu=b200&gpus=8&batch=1&drafter=eagle3").scenario
    flags = serving_flags(replace(scenario, model="custom", config=json.dumps(config)), engine)
    assert registry.engine(engine).flags["remote_code"] in flags.serve.command
    assert "MODEL" in flags.serve.command


@every_engine
def test_the_command_checks_what_is_installed(engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = registry.engine(engine).name
    assert main(["flags", "--engine", engine, "--check"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(name)
    assert main(["flags", "--engine", engine, "--check", "model=qwen3-8b&gpu=b200&gpus=1"]) == 0
    checked, installed, *_ = capsys.readouterr().out.splitlines()
    assert checked.startswith("# Names checked")
    assert installed == f"# {line}"
