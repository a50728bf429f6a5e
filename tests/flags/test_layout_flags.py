"""Parallel layouts in an engine's commands."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roofline_app.flags import Flags, Step, serving_flags
from roofline_app.scenario import Scenario


def _servers(flags: Flags) -> tuple[Step, ...]:
    return (flags.serve, *flags.measure[:2])


@pytest.mark.parametrize(
    ("engine", "layout", "words"),
    [
        pytest.param("vllm", "", "--tensor-parallel-size 8 --enable-expert-parallel", id="vLLM's own recipe"),
        pytest.param("vllm", "tp", "--tensor-parallel-size 8", id="vLLM, chosen"),
        pytest.param("vllm", "dp+ep", "--data-parallel-size 8 --enable-expert-parallel", id="vLLM for throughput"),
        pytest.param("vllm", "dp+tp", "--data-parallel-size 8", id="vLLM's experts are tensor parallel over ranks"),
        pytest.param("sglang", "", "--tp-size 8", id="SGLang's own recipe"),
        pytest.param("sglang", "dp+tp", "--tp-size 8 --attn-dp-size 8", id="SGLang, chosen"),
        pytest.param("tensorrt-llm", "", "--tp_size 8 --ep_size 8", id="TensorRT-LLM's own recipe"),
        pytest.param("tensorrt-llm", "even", "--tp_size 8", id="an even split is a calculation, not a layout"),
    ],
)
def test_commands_share_the_model_as_the_layout_says(engine: str, layout: str, words: str) -> None:
    made = serving_flags(Scenario(model="deepseek-r1", layout=layout), engine)
    for step in _servers(made):
        assert f"  {words} \\\n" in step.command


def test_attention_data_parallelism_stands_in_the_file_of_options() -> None:
    scenario = Scenario(model="deepseek-r1", layout="dp+ep")
    made = serving_flags(scenario, "tensorrt-llm")
    assert all("enable_attention_dp: true" in step.command for step in _servers(made))
    alone = serving_flags(replace(scenario, gpus=1), "tensorrt-llm")
    assert not any("attention_dp" in step.command for step in (alone.serve, *alone.measure))
