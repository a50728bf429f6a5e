"""What files call models, accelerators and formats, and what the registry calls them."""

from __future__ import annotations

import pytest

from roofline_app import registry
from roofline_app.calibration.registry_names import engine_id_of, format_class_of, gpu_id_of, model_id_of


@pytest.mark.parametrize(
    ("text", "model_id"),
    [
        ("Qwen/Qwen3-8B", "qwen3-8b"),
        ("Qwen/Qwen3-8B-FP8", "qwen3-8b"),
        ("qwen3 8B Q4_K - Medium", "qwen3-8b"),
        ("Qwen3-8B-Q4_K_M", "qwen3-8b"),
        ("nvidia/DeepSeek-R1-NVFP4", "deepseek-r1"),
        ("deepseek-ai/DeepSeek-R1-0528", "deepseek-r1"),
        ("meta-llama/Meta-Llama-3.1-70B-Instruct", "llama-3.1-70b"),
        ("meta-llama/Llama-4-Scout-17B-16E-Instruct", "llama-4-scout"),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "llama-3.3-70b"),
        ("MiniMaxAI/MiniMax-M2.5", "minimax-m2.5"),
        ("gpt-oss 120B MXFP4 MoE", "gpt-oss-120b"),
        ("/data/hub/models--Qwen--Qwen3-8B/snapshots/0123abcd/", "qwen3-8b"),
        ("/data/models/Qwen3-8B/", "qwen3-8b"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", ""),
        ("Qwen/Qwen3-Next-80B-A3B", "qwen3-coder-next"),
        ("", ""),
    ],
)
def test_a_model_is_known_by_its_checkpoints_names(text: str, model_id: str) -> None:
    assert model_id_of(text) == model_id


@pytest.mark.parametrize("model_id", registry.model_ids())
def test_every_model_is_known_by_its_id_its_name_and_its_repository(model_id: str) -> None:
    model = registry.model(model_id)
    assert {model_id_of(text) for text in (model_id, model.name, model.source)} == {model_id}


@pytest.mark.parametrize(
    ("text", "gpu_id"),
    [
        ("NVIDIA H100 80GB HBM3", "h100-sxm"),
        ("NVIDIA H100 PCIe", "h100-pcie"),
        ("NVIDIA H100 NVL", "h100-nvl"),
        ("H200", "h200-sxm"),
        ("NVIDIA A100-SXM4-40GB", "a100-40gb"),
        ("NVIDIA GB200", "gb200-nvl72"),
        ("NVIDIA GB10", "dgx-spark"),
        ("NVIDIA L40S", "l40s"),
        ("AMD Instinct MI300X", "mi300x"),
        ("NVIDIA GeForce RTX 5090", "rtx-5090"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "rtx-pro-6000"),
        ("NVIDIA GeForce RTX 4090", "rtx-4090"),
        ("NVIDIA GeForce RTX 4080", ""),
        ("A100", ""),
        ("", ""),
    ],
)
def test_an_accelerator_is_known_by_its_drivers_name(text: str, gpu_id: str) -> None:
    assert gpu_id_of(text) == gpu_id


@pytest.mark.parametrize("gpu_id", registry.gpu_ids())
def test_every_accelerator_is_known_by_its_id_and_its_name(gpu_id: str) -> None:
    assert {gpu_id_of(gpu_id), gpu_id_of(registry.gpu(gpu_id).name)} == {gpu_id}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("fp8_e4m3", "fp8"),
        ("modelopt_fp4", "fp4"),
        ("MXFP4", "fp4"),
        ("awq_marlin", "int4"),
        ("Q4_K_M", "int4"),
        ("q8_0", "int8"),
        ("w8a8_int8", "int8"),
        ("bfloat16", "bf16"),
        ("f16", "bf16"),
        ("auto", ""),
        ("compressed-tensors", ""),
        ("", ""),
    ],
)
def test_a_format_is_known_by_an_engines_word(text: str, kind: str) -> None:
    assert format_class_of(text) == kind


@pytest.mark.parametrize(("text", "engine_id"), [("TensorRT-LLM", "tensorrt-llm"), ("vLLM", "vllm"), ("llama.cpp", "")])
def test_an_engine_is_known_by_its_name(text: str, engine_id: str) -> None:
    assert engine_id_of(text) == engine_id
