"""Printed commands, held against the engines' own definitions of their options and against what these refuse."""

from __future__ import annotations

import ast
import importlib.util
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from command_queries import command_queries
from engine_sources import Option, class_node, missing_sources, named_options, sglang_options, source_folder
from shell_words import option_values, programs

from roofline_app.flags import Flags, serving_flags
from roofline_app.query import decode
from roofline_app.resolved.models import model_spec

pytestmark = pytest.mark.wide

QUERIES = command_queries(160)
needs_vllm = pytest.mark.skipif(bool(missing_sources("vllm")), reason=missing_sources("vllm"))
needs_sglang = pytest.mark.skipif(bool(missing_sources("sglang")), reason=missing_sources("sglang"))


@cache
def _flags(query: str, engine: str) -> Flags:
    return serving_flags(decode(query).scenario, engine)


def _commands(query: str, engine: str) -> list[list[str]]:
    flags = _flags(query, engine)
    return [words for step in (flags.serve, *flags.measure) for words in programs(step.command)]


@cache
def _sglang() -> dict[str, Option]:
    return sglang_options()


@cache
def _vllm_names(*paths: str) -> set[str]:
    return named_options("vllm", *paths)


@cache
def _vllm_fields() -> set[str]:
    fields = class_node("vllm", "config/speculative.py", "SpeculativeConfig").body
    return {ast.unparse(node.target) for node in fields if isinstance(node, ast.AnnAssign)}


@cache
def _vllm_schedule() -> Callable[[object, int, int], list[int]]:
    file = source_folder("vllm") / "vllm/v1/spec_decode/dynamic/utils.py"
    spec = importlib.util.spec_from_file_location("engine_schedule", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[object, int, int], list[int]] = module.build_dynamic_sd_schedule_lookup
    return found


@cache
def _vllm_rates() -> Callable[[int, list[float] | None, float | None], list[float]]:
    """Return vLLM's own check of forced rates."""
    nodes = class_node("vllm", "config/speculative.py", "SpeculativeConfig").body
    name = "_resolve_synthetic_acceptance_rates"
    (check,) = [node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name]
    check.decorator_list = []
    scope: dict[str, Any] = {}
    exec(compile(ast.Module(body=[check], type_ignores=[]), "vllm", "exec"), scope)
    found: Callable[[int, list[float] | None, float | None], list[float]] = scope[name]
    return found


@needs_sglang
@pytest.mark.parametrize("query", QUERIES)
def test_sglang_takes_every_option_with_its_value(query: str) -> None:
    for python, dash, module, *words in _commands(query, "sglang"):
        assert (python, dash) == ("python", "-m")
        given = option_values(words)
        if module == "sglang.launch_server":
            assert {name: _sglang()[name].refusal(values) for name, values in given} == {name: "" for name, _ in given}
        else:
            file = module.removeprefix("sglang.").replace(".", "/") + ".py"
            assert {name for name, _ in given} <= named_options("sglang", file)


@needs_vllm
@pytest.mark.parametrize("query", QUERIES)
def test_vllm_has_every_option_and_takes_its_speculative_config(query: str) -> None:
    for words in _commands(query, "vllm"):
        given = dict(option_values(words))
        serving = words[1] == "serve"
        files = ["engine/arg_utils.py"] if serving else ["benchmarks/serve.py", "benchmarks/datasets/datasets.py"]
        assert set(given) <= _vllm_names(*files)
        if "--speculative-config" not in given:
            continue
        config = json.loads(given["--speculative-config"][0])
        longest, sequences = config["num_speculative_tokens"], int(given["--max-num-seqs"][0])
        assert set(config) <= _vllm_fields()
        if rates := config.get("synthetic_acceptance_rates"):
            assert _vllm_rates()(longest, rates, None) == rates
        if schedule := config.get("num_speculative_tokens_per_batch_size"):
            lengths = _vllm_schedule()(schedule, sequences, longest)
            assert lengths[sequences] == _flags(query, "vllm").draft_tokens


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm"])
@pytest.mark.parametrize("query", QUERIES)
def test_no_server_is_asked_for_more_than_it_can(query: str, engine: str) -> None:
    scenario = decode(query).scenario
    limit = model_spec(scenario.model, scenario.config).max_context_tokens
    flags = _flags(query, engine)
    for step in (flags.serve, *flags.measure):
        for words in programs(step.command):
            given = dict(option_values(words))
            for name in {"--max-model-len", "--context-length", "--max_seq_len"} & set(given):
                assert int(given[name][0]) <= limit
            if "--random-input-len" in given:
                lengths = (int(given[name][0]) for name in ("--random-input-len", "--random-output-len"))
                assert sum(lengths) + flags.draft_tokens < limit
