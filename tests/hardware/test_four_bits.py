"""Four-bit experts: they multiply at the rate of the inputs that engines' default kernels give them."""

from __future__ import annotations

import pytest

from roofline_app.evaluation import evaluate
from roofline_app.query import decode


def _verify_seconds(query: str, query_tokens: int) -> float:
    return float(evaluate(decode(f"{query}&drafter=ideal").scenario).drafters[0].verifying_seconds[query_tokens - 1])


def test_gpt_oss_on_hopper_multiplies_in_sixteen_bits() -> None:
    # Marlin and Triton turn its MXFP4 weights into bf16; at the fp8 peak it would be 22.1 ms.
    found = _verify_seconds("model=gpt-oss-120b&gpu=h100-sxm&gpus=2&batch=1024&context=1024", 4)
    assert found == pytest.approx(27.8e-3, rel=2e-3)


def test_deepseek_v4_on_blackwell_multiplies_in_eight_bits() -> None:
    # Engines quantise the inputs of its MXFP4 experts to MXFP8; at the fp4 peak it would be 44.1 ms.
    found = _verify_seconds("model=deepseek-v4-pro&gpu=b200&gpus=8&batch=1024", 16)
    assert found == pytest.approx(55.0e-3, rel=3e-3)


def test_a_small_batch_waits_for_weights_whatever_the_arithmetic() -> None:
    query = "model=deepseek-v4-pro&gpu=b200&gpus=8&batch=8"
    doubled = _verify_seconds(f"{query}&gpu.fp8=9e15", 2)
    assert doubled == pytest.approx(_verify_seconds(query, 2), rel=1e-3)
