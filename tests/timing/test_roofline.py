"""Roofline time: ridge, monotonicity, scaling and the choice of peak."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from roofline_app import registry
from roofline_app.model.terms import Cache, Layer, Projection, Transformer
from roofline_app.specs import Node, SpecError
from roofline_app.timing.pass_time import pass_time
from roofline_app.timing.roofline import Roof, node_roof, peak
from roofline_app.timing.workload import pass_tokens, work

WEIGHTS = Transformer(
    layers=(Layer(count=1, projections=(Projection(parameters=1e9, bytes_per_parameter=2.0, format="bf16"),)),)
)
MIXED = Transformer(
    layers=(
        Layer(
            count=2,
            projections=(Projection(parameters=1e9, bytes_per_parameter=2.0, format="bf16"),),
            memory=(Cache(bytes_per_entry=512.0, flops_per_entry=65_536.0, format="bf16"),),
        ),
    )
)


def _roof(bandwidth: float = 8e12, flops: float = 2.25e15) -> Roof:
    return Roof(memory_bytes_per_second=bandwidth, flops_per_second={"bf16": flops})


def _seconds(roof: Roof, *, batch: int = 1, query: int = 1, context: int = 4096) -> float:
    parts = work(MIXED, pass_tokens(batch=batch, query_tokens=query, context_tokens=context))
    return float(pass_time(parts, roof).seconds)


def test_at_the_ridge_both_times_are_equal() -> None:
    # A bf16 weight of 2 bytes takes 2 FLOPs per token, so FLOP per byte is the number of tokens.
    ridge = int(2.25e15 / 9e12)
    parts = work(WEIGHTS, pass_tokens(batch=ridge, query_tokens=1, context_tokens=0))
    component = pass_time(parts, _roof(9e12)).components["projections"]
    assert component.memory_seconds == pytest.approx(component.compute_seconds, rel=1e-12)


def test_qwen_sized_weights_on_one_b200_give_the_ideal_rate_of_the_reference() -> None:
    # 51.3 GB of bf16 weights at 7.67 TB/s: 6.7 ms, 149.5 tokens per second.
    terms = Transformer(
        layers=(Layer(count=1, projections=(Projection(parameters=25.65e9, bytes_per_parameter=2, format="bf16"),)),)
    )
    roof = node_roof(Node(gpu=registry.gpu("b200"), gpus=1), registry.formats())
    seconds = float(pass_time(work(terms, pass_tokens(batch=1, query_tokens=1, context_tokens=0)), roof).seconds)
    assert 1.0 / seconds == pytest.approx(149.5, abs=0.5)


@given(st.integers(1, 4096), st.integers(1, 65), st.integers(0, 100_000), st.floats(0.1, 10.0))
def test_scaling_bandwidth_and_peak_together_scales_time(batch: int, query: int, context: int, factor: float) -> None:
    here = _seconds(_roof(), batch=batch, query=query, context=context)
    scaled = _seconds(_roof(8e12 * factor, 2.25e15 * factor), batch=batch, query=query, context=context)
    assert scaled == pytest.approx(here / factor, rel=1e-12)


@given(st.integers(1, 4096), st.integers(1, 65), st.floats(1.0, 10.0))
def test_more_bandwidth_or_peak_never_takes_longer(batch: int, query: int, factor: float) -> None:
    here = _seconds(_roof(), batch=batch, query=query)
    assert _seconds(_roof(8e12 * factor), batch=batch, query=query) <= here
    assert _seconds(_roof(flops=2.25e15 * factor), batch=batch, query=query) <= here


def test_adding_cache_reads_takes_at_most_twice_as_long_and_never_less() -> None:
    parts = work(MIXED, pass_tokens(batch=8, query_tokens=np.arange(1, 65), context_tokens=4096))
    overlapped, added = (pass_time(parts, _roof(), kv_read=way).seconds for way in ("overlap", "add"))
    assert np.all(added >= overlapped)
    assert np.all(added <= 2.0 * overlapped)


def test_a_pass_is_the_sum_of_its_components() -> None:
    parts = work(MIXED, pass_tokens(batch=[1, 100], query_tokens=2, context_tokens=4096))
    time = pass_time(parts, _roof())
    assert sum(part.seconds for part in time.components.values()) == pytest.approx(time.seconds, rel=1e-14)


@pytest.mark.parametrize(
    ("gpu", "number_format", "key"),
    [
        pytest.param("b200", "nvfp4", "fp4", id="four bits where they are native"),
        pytest.param("h100-sxm", "nvfp4", "bf16", id="without four-bit arithmetic weights alone are quantised"),
        pytest.param("b200", "mxfp4", "fp8", id="engines give MXFP4 weights eight-bit inputs"),
        pytest.param("h100-sxm", "mxfp4", "bf16", id="and sixteen-bit ones on Hopper"),
        pytest.param("mi355x", "mxfp4-w4a4", "fp4", id="Quark quantises inputs to four bits as well"),
        pytest.param("h100-sxm", "mxfp8", "bf16", id="scales of 32 values need units of their own"),
        pytest.param("a100-80gb", "mxfp4", "bf16", id="four bits fall to sixteen"),
        pytest.param("a100-80gb", "fp8-block", "bf16", id="eight-bit floats fall to sixteen"),
        pytest.param("a100-80gb", "int8", "int8", id="eight-bit integers"),
        pytest.param("b200", "int4", "bf16", id="int4 is weight-only"),
    ],
)
def test_a_matmul_runs_at_its_format_or_the_next_wider(gpu: str, number_format: str, key: str) -> None:
    listed = registry.gpu(gpu).dense_flops_per_second
    assert peak(listed, registry.formats()[number_format]) == listed[key]


def test_a_format_that_an_accelerator_cannot_run_is_refused_by_name() -> None:
    with pytest.raises(SpecError, match="nvfp4"):
        peak({"int8": 1.0}, registry.formats()["nvfp4"])
