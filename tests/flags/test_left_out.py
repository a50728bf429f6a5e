"""What a command cannot serve is refused by name or said beside it; what an engine has an option for gets it."""

from __future__ import annotations

import json
from itertools import product

import pytest
from command_queries import command_queries
from shell_words import option_values, programs, value, written

from roofline_app.flags import ENGINES, Flags, serving_flags
from roofline_app.query import decode

pytestmark = pytest.mark.wide

every_engine = pytest.mark.parametrize("engine", ENGINES)
CACHE_OPTIONS = {"vllm": ("--kv-cache-dtype", "fp8"), "sglang": ("--kv-cache-dtype", "fp8_e4m3")}


def _flags(query: str, engine: str, language: str = "en") -> Flags:
    return serving_flags(decode(query).scenario, engine, language=language)


def _servers(flags: Flags) -> list[str]:
    return [flags.serve.command, *(step.command for step in flags.measure[:2])]


def _said(flags: Flags, text: str) -> bool:
    return any(text in note for note in flags.notes)


@every_engine
@pytest.mark.parametrize(
    ("line", "plain", "said"),
    [
        ("draft,cost=physical,placement=separate", "draft,cost=physical", "GPUs of its own"),
        ("block,block=8,passes=2,gain=0.3", "block,block=8", "in several passes"),
        ("eagle3,relax=0.3", "eagle3", "accepts strictly"),
        ("mtp,acceptance=0.6,relax=0.5", "mtp,acceptance=0.6", "accepts strictly"),
    ],
)
def test_what_no_engine_does_is_said_and_lengths_are_those_that_are_served(
    engine: str, line: str, plain: str, said: str
) -> None:
    node = "model=qwen3.5-27b&gpu=h100-sxm&gpus=2&batch=4&drafter="
    asked, served = _flags(node + line, engine), _flags(node + plain, engine)
    assert asked.draft_tokens == served.draft_tokens
    assert asked.tokens_per_round == served.tokens_per_round
    assert _said(asked, said)
    assert not _said(served, said)


def test_a_line_that_is_left_out_of_is_named_even_where_another_one_is_served() -> None:
    assert _said(_flags("preset=own-gpus", "vllm"), "runs Elsewhere on GPUs of its own")


@every_engine
@pytest.mark.parametrize("gpus", [1, 4])
def test_a_chosen_format_of_the_cache_is_an_option_of_the_server(engine: str, gpus: int) -> None:
    query = f"model=qwen3-32b&gpu=h100-sxm&gpus={gpus}&batch=8&drafter=block"
    for command in _servers(_flags(query + "&kv=fp8", engine)):
        if engine == "tensorrt-llm":
            assert "kv_cache_config:\n  dtype: fp8" in "\n".join(written(command))
        else:
            name, format_ = CACHE_OPTIONS[engine]
            assert value(command, name) == format_
    assert "kv" not in _flags(query, engine).serve.command
    # A format that no option names is said to be left out.
    left_out = _flags(query + "&kv=int4", engine)
    assert "kv" not in left_out.serve.command
    assert _said(left_out, "stores the cache as int4")


@pytest.mark.parametrize(
    ("kind", "layout"), [*product(["draft", "ngram", "block"], ["dp%2Btp", "dp%2Bep"]), ("block", "tp%2Bep")]
)
@pytest.mark.parametrize("model", ["qwen3-235b-a22b", "deepseek-v3"])
def test_what_sglang_refuses_with_data_parallel_attention(model: str, kind: str, layout: str) -> None:
    # srt/arg_groups/speculative_hook.py: STANDALONE and NGRAM raise; DFLASH does without --enable-dp-lm-head.
    flags = _flags(f"model={model}&gpu=h200-sxm&gpus=8&batch=64&layout={layout}&drafter={kind}", "sglang")
    command = flags.serve.command
    if kind == "block":
        assert ("--enable-dp-lm-head" in command) == layout.startswith("dp")
    else:
        assert "--speculative" not in command
        assert flags.draft_tokens == 0
        assert _said(flags, "SGLang refuses")
    assert "--enable-dp-attention" not in command


def test_a_refused_line_makes_way_for_another_one() -> None:
    node = "model=qwen3-235b-a22b&gpu=h200-sxm&gpus=8&batch=64&layout=dp%2Bep"
    flags = _flags(f"{node}&drafter=draft,acceptance=0.99,cost=0&drafter=eagle3", "sglang")
    assert flags.drafter == "EAGLE-3"
    assert _said(flags, "SGLang refuses Draft model")


@every_engine
@pytest.mark.parametrize("layout", ["tp%2Bep", "dp%2Btp", "dp%2Bep"])
def test_a_dense_model_is_not_shared_by_experts(engine: str, layout: str) -> None:
    flags = _flags(f"model=qwen3-8b&gpu=h100-sxm&gpus=4&batch=8&layout={layout}&drafter=eagle3", engine)
    for command in _servers(flags):
        assert "expert" not in command
        assert (
            not {"--ep-size", "--ep_size", "--data-parallel-size"} & dict(option_values(next(programs(command)))).keys()
        )


def test_a_layout_that_cannot_be_asked_for_is_said() -> None:
    node = "model={}&gpu=h100-sxm&gpus=8&batch=8&drafter=eagle3&layout=dp%2Btp"
    assert _said(_flags(node.format("qwen3-8b"), "vllm"), "cannot be asked for")
    # With experts, vLLM's data parallelism is just this layout.
    sparse = _flags(node.format("qwen3-30b-a3b"), "vllm")
    assert not _said(sparse, "cannot be asked for")
    assert value(sparse.serve.command, "--data-parallel-size") == "8"


@every_engine
@pytest.mark.parametrize(
    ("gpu", "gpus", "hosts"),
    [("gb200-nvl72", 72, 18), ("gb200-nvl72", 8, 2), ("gb200-nvl72", 4, 1), ("h100-sxm", 16, 2), ("h100-sxm", 8, 1)],
)
@pytest.mark.parametrize("layout", ["tp", "dp%2Bep"])
def test_several_hosts_are_joined(engine: str, gpu: str, gpus: int, hosts: int, layout: str) -> None:
    flags = _flags(f"model=deepseek-r1&gpu={gpu}&gpus={gpus}&batch=64&layout={layout}&drafter=mtp", engine)
    for command in _servers(flags):
        given = dict(option_values(next(programs(command))))
        if hosts == 1:
            assert not {"--nnodes", "--data-parallel-size-local", "--gpus_per_node"} & set(given)
            continue
        match engine:
            case "sglang":
                assert (given["--nnodes"], given["--node-rank"]) == ([str(hosts)], ["0"])
                assert "--dist-init-addr" in given
            case "vllm" if layout == "tp":
                assert (given["--nnodes"], given["--node-rank"]) == ([str(hosts)], ["0"])
                assert "--master-addr" in given
            case "vllm":
                assert given["--data-parallel-size-local"] == [str(gpus // hosts)]
                assert "--data-parallel-address" in given
            case _:
                assert given["--nodes"] == [str(hosts)]
                assert given["--gpus_per_node"] == given["--ntasks-per-node"][:1] == [str(gpus // hosts)]
    assert _said(flags, f"spans {hosts} hosts") == (hosts > 1)


@every_engine
@pytest.mark.parametrize(("gpus", "refused"), [(3, True), (8, False), (6, True)])
def test_heads_that_gpus_cannot_share_are_said(engine: str, gpus: int, refused: bool) -> None:
    flags = _flags(f"model=qwen3-8b&gpu=h100-sxm&gpus={gpus}&batch=8&layout=tp&drafter=eagle3", engine)
    assert _said(flags, "32 attention heads") == refused


def test_a_drafter_whose_heads_do_not_divide_runs_on_one_gpu() -> None:
    # The EAGLE-3 head for DeepSeek V3 has 56 heads.
    for gpus, alone in ((8, False), (16, True)):
        flags = _flags(f"model=deepseek-v3&gpu=h200-sxm&gpus={gpus}&batch=8&layout=tp&drafter=eagle3", "vllm")
        config = json.loads(value(flags.serve.command, "--speculative-config"))
        assert (config.get("draft_tensor_parallel_size") == 1) == alone
        sheet = _flags(f"model=deepseek-v3&gpu=h200-sxm&gpus={gpus}&batch=8&layout=tp&drafter=eagle3", "sglang")
        assert _said(sheet, "56 attention heads") == alone


@every_engine
@pytest.mark.parametrize(("gpu", "own"), [("tpu7x", False), ("gaudi3", False), ("mi300x", True), ("b200", True)])
def test_accelerators_that_an_engine_itself_does_not_run_on_are_said(engine: str, gpu: str, own: bool) -> None:
    flags = _flags(f"model=qwen3-8b&gpu={gpu}&gpus=1&batch=16&drafter=eagle3", engine)
    runs = own and not (gpu == "mi300x" and engine == "tensorrt-llm")
    assert _said(flags, "maker's port") != runs


def test_a_schedule_that_reaches_zero_is_said_on_tensorrt_llm() -> None:
    query = "model=llama-3.1-8b&gpu=h100-sxm&gpus=1&batch=4&drafter=draft,cost=physical"
    assert "    4096: 0" in written(_flags(query, "tensorrt-llm").serve.command)
    assert _said(_flags(query, "tensorrt-llm"), "draft length 0")
    always = _flags("model=llama-3.1-8b&gpu=h100-sxm&gpus=1&batch=4&drafter=block,acceptance=0.9", "tensorrt-llm")
    assert not _said(always, "draft length 0")


@every_engine
@pytest.mark.parametrize("query", command_queries(60))
def test_both_languages_say_as_much_of_the_same_commands(query: str, engine: str) -> None:
    english, chinese = (_flags(query, engine, language) for language in ("en", "zh"))
    assert len(english.notes) == len(chinese.notes)
    assert [step.command for step in english.measure] == [step.command for step in chinese.measure]
