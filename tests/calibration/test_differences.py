"""A file of something else than the setting says so by name."""

from __future__ import annotations

import pytest

from roofline_app.calibration.benchmarks import MeasuredPoint, import_file
from roofline_app.calibration.differences import differences, setting_of
from roofline_app.query import decode, encode
from roofline_app.scenario import Scenario

SETTING = "model=qwen3-8b&gpu=h200-sxm&gpus=1&profile=calibrated&engine=vllm"
HEADER = "model,gpu,gpus,engine,weights,kv,batch,context_tokens,seconds_per_token\n"
SAME = "Qwen/Qwen3-8B,NVIDIA H200,1,vLLM,bf16,bf16,8,2048,0.006\n"


def _points(*rows: str) -> tuple[MeasuredPoint, ...]:
    return import_file("runs.csv", (HEADER + "".join(rows)).encode()).points


def _scenario(query: str = SETTING) -> Scenario:
    return decode(query).scenario


def test_a_file_of_the_very_setting_differs_in_nothing() -> None:
    assert differences(_points(SAME), _scenario()) == ()


def test_a_file_that_says_nothing_differs_in_nothing() -> None:
    assert differences(_points(",,,,,,8,2048,0.006\n"), _scenario()) == ()


@pytest.mark.parametrize(
    ("stated", "other", "name", "said"),
    [
        ("Qwen/Qwen3-8B", "Qwen/Qwen3-32B", "other_model", "model is “Qwen/Qwen3-32B”, the setting's qwen3-8b"),
        ("Qwen/Qwen3-8B", "acme/Own-1B", "unknown_model", "model “acme/Own-1B” is none of the registry's"),
        ("NVIDIA H200", "NVIDIA B200", "other_gpu", "accelerator is “NVIDIA B200”, the setting's h200-sxm"),
        ("NVIDIA H200", "NVIDIA GeForce RTX 4080", "unknown_gpu", "“NVIDIA GeForce RTX 4080” is none"),
        (",1,", ",4,", "other_gpus", "run had 4 accelerators, the setting has 1"),
        ("vLLM", "SGLang", "other_engine", "engine is SGLang, the setting's vLLM"),
        ("vLLM", "llama.cpp", "other_engine", "engine is llama.cpp, the setting's vLLM"),
        (",bf16,bf16", ",fp8,bf16", "other_weights", "weights are “fp8”, the setting's bf16"),
        ("Qwen3-8B,", "Qwen3-8B-FP8,", "other_weights", "weights are “Qwen3-8B-FP8”, the setting's bf16"),
        (",bf16,bf16", ",bf16,fp8_e4m3", "other_kv", "cache is “fp8_e4m3”, the setting's bf16"),
    ],
)
def test_each_difference_is_named_with_both_sides(stated: str, other: str, name: str, said: str) -> None:
    row = SAME.replace(stated, other, 1)
    if name == "other_weights" and "FP8" in other:
        row = row.replace(",bf16,bf16", ",,bf16")
    (found,) = differences(_points(row), _scenario())
    assert found.name == name
    assert said in found.text
    assert found.say("zh") != found.text


def test_a_difference_of_many_runs_is_said_once() -> None:
    assert len(differences(_points(*[SAME.replace("vLLM", "SGLang")] * 5), _scenario())) == 1


def test_a_chosen_format_is_the_settings() -> None:
    fp8 = SAME.replace(",bf16,bf16", ",fp8,fp8")
    assert differences(_points(fp8), _scenario(f"{SETTING}&weights=fp8&kv=fp8")) == ()


def test_formats_of_parts_of_a_model_are_all_its_formats() -> None:
    row = "openai/gpt-oss-120b,NVIDIA H200,1,vLLM,mxfp4,,8,2048,0.006\n"
    assert differences(_points(row), _scenario(SETTING.replace("qwen3-8b", "gpt-oss-120b"))) == ()


def test_an_ideal_profile_is_of_no_engine() -> None:
    setting = _scenario("model=qwen3-8b&gpu=h200-sxm&gpus=1")
    assert differences(_points(SAME.replace("vLLM", "llama.cpp")), setting) == ()


def test_a_files_own_setting_is_taken_over() -> None:
    row = "Qwen/Qwen3-32B-FP8,NVIDIA B200,2,SGLang,,fp8_e4m3,16,4608,0.006\n"
    taken = setting_of(_points(row)[0], _scenario())
    assert (taken.model, taken.gpu, taken.gpus, taken.engine) == ("qwen3-32b", "b200", 2, "sglang")
    assert (taken.batch, taken.context, taken.weights.linear, taken.kv) == (16, 4608, "fp8", "fp8")
    assert differences(_points(row), taken) == ()
    assert decode(encode(taken)).notices == ()


def test_a_setting_keeps_what_the_file_does_not_say() -> None:
    scenario = _scenario(f"{SETTING}&weights=fp8&batch=64")
    assert setting_of(_points(",,,,,,8,,0.006\n")[0], scenario) == decode(f"{SETTING}&weights=fp8&batch=8").scenario


def test_formats_that_the_model_publishes_stay_published() -> None:
    taken = setting_of(_points("deepseek-ai/DeepSeek-V3,NVIDIA H200,8,vLLM,fp8,,8,2048,0.03\n")[0], _scenario())
    assert (taken.weights.experts, taken.kv) == ("published", "published")
