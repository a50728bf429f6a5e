"""Memory and economics: identities."""

from __future__ import annotations

import pytest

from roofline_app.economics import rates
from roofline_app.evaluation import evaluate
from roofline_app.hardware.capacity import largest_batch
from roofline_app.hardware.parallelism import Layout
from roofline_app.query import decode
from roofline_app.results import Memory


@pytest.mark.parametrize(
    ("free", "each", "expected"),
    [(100.0, 10.0, 10), (99.9, 10.0, 9), (9.0, 10.0, 0), (-5.0, 10.0, 0), (100.0, 0.0, 0)],
)
def test_largest_batch(free: float, each: float, expected: int) -> None:
    assert largest_batch(free, each) == expected


DRAFTERS = ("mtp,cost=physical", "block,cost=physical", "draft,cost=physical", "block,cost=0.1")


def _memory(query: str) -> Memory:
    return evaluate(decode(query).scenario).memory


@pytest.mark.parametrize("layout", ["even", "tp", "dp+ep"])
@pytest.mark.parametrize("drafter", DRAFTERS)
@pytest.mark.parametrize("model", ["qwen3.5-4b", "gemma-3-27b", "deepseek-v3", "gpt-oss-120b"])
def test_the_largest_batch_fits_and_one_more_does_not_whatever_the_batch(model: str, drafter: str, layout: str) -> None:
    query = f"model={model}&context=5000&layout={layout}&drafter={drafter}&drafter=eagle3,cost=physical"
    largest = _memory(f"{query}&batch=1").largest_batch
    assert 8 <= largest < 2**20
    for batch, fits in ((32, largest >= 32), (largest, True), (largest + 1, False)):
        memory = _memory(f"{query}&batch={batch}")
        assert (memory.fits, memory.largest_batch) == (fits, largest)


@pytest.mark.parametrize(("model", "copies"), [("deepseek-v3", 8), ("qwen3.5-122b-a10b", 4), ("llama-3.1-70b", 1)])
def test_what_tensor_parallelism_keeps_on_several_gpus_takes_memory_on_each(model: str, copies: int) -> None:
    query = f"model={model}&gpus=8&batch=3&context=1000"
    even, tensor, data = (_memory(f"{query}&layout={layout}") for layout in ("even", "tp", "dp+tp"))
    assert tensor.parts.kv == copies * even.parts.kv
    assert tensor.parts.state == even.parts.state
    # Each GPU with a sequence of its own makes room for one.
    assert data.parts.kv == pytest.approx(8 / 3 * even.parts.kv)
    assert data.parts.weights > even.parts.weights


def test_gpus_that_split_sequences_wait_for_the_busiest_of_them() -> None:
    def attention(batch: int, layout: Layout) -> float:
        parts = evaluate(decode(f"model=llama-3.1-70b&gpus=8&batch={batch}&layout={layout}").scenario).step.components
        return next(part.seconds for part in parts if part.name == "attention")

    assert attention(1, Layout.DATA_TENSOR) == attention(8, Layout.DATA_TENSOR) == attention(8, Layout.EVEN)
    assert attention(9, Layout.DATA_TENSOR) == attention(16, Layout.EVEN)


def test_a_node_hour_buys_what_the_node_makes_in_an_hour() -> None:
    found = rates("any", tokens_per_second_per_user=100.0, batch=32, gpus=8, usd_per_gpu_hour=6.25)
    tokens_per_hour = found.tokens_per_second_per_node * 3600
    assert found.usd_per_million_tokens == pytest.approx(8 * 6.25 / tokens_per_hour * 1e6)
    assert found.tokens_per_second_per_gpu * 8 == found.tokens_per_second_per_node == 3200.0


def test_without_a_price_there_is_no_cost() -> None:
    found = rates("any", tokens_per_second_per_user=100.0, batch=32, gpus=8, usd_per_gpu_hour=None)
    assert found.usd_per_million_tokens is None


@pytest.mark.parametrize(
    ("model", "layers"),
    # Layers with an indexer, and without; 2 × 4 × 2 × 512, 2 × 4 × 2 × 128 and 2 × 128 × 512 values of 4 bytes.
    [("deepseek-v4-flash", (21, 20)), ("deepseek-v4-pro", (30, 31)), ("deepseek-v3.2", (0, 0))],
)
def test_what_waits_to_be_compressed_takes_memory(model: str, layers: tuple[int, int]) -> None:
    sparse, heavy = layers
    expected = sparse * (32_768 + 8_192) + heavy * 524_288
    one, many = (_memory(f"model={model}&batch={batch}").parts.state for batch in (1, 7))
    assert one == expected
    assert many == 7 * expected
    facts = evaluate(decode(f"model={model}").scenario).model
    assert facts.state_bytes_per_sequence == 0.0


def test_a_drafter_takes_memory_however_its_cost_is_stated() -> None:
    own, stated = (_memory(f"drafter=mtp,cost={cost}") for cost in ("physical", "0.1"))
    assert own == stated
    assert own.parts.drafter > 0.0
    assert "MTP" in own.drafter
    for line in ("ideal", "ngram", "draft,placement=separate"):
        elsewhere = _memory(f"drafter={line}")
        assert (elsewhere.parts.drafter, elsewhere.drafter) == (0.0, "")


def test_the_largest_drafter_counts() -> None:
    alone = [_memory(f"drafter={line}").parts.drafter for line in ("mtp", "block", "eagle3")]
    assert _memory("drafter=mtp&drafter=block&drafter=eagle3").parts.drafter == max(alone)


def test_memory_is_what_the_driver_reports() -> None:
    # 81559 MiB of an H100, of which a tenth stays free: 153.9 GB, 141.1 of them weights; 1.34 GB a sequence at 4k.
    assert _memory("model=llama-3.1-70b&gpu=h100-sxm&gpus=2&context=4096&drafter=ideal").largest_batch == 9
