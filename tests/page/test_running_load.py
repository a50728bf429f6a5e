"""A dropped log of a server: the load that it sets, and says."""

from __future__ import annotations

import base64

from roofline_app.page.page import Page

VLLM = (
    "Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: {speed} tokens/s, "
    "Running: {running} reqs, Waiting: 0 reqs"
)


def _vllm(*running: int) -> str:
    return "\n".join(VLLM.format(running=count, speed=90.0 * count) for count in running)


def test_a_dropped_log_with_several_batches_sets_the_load_and_says_so() -> None:
    page = Page("model=qwen3-8b&gpu=h100-sxm&gpus=1")
    content = base64.b64encode(_vllm(1, 1, 16, 16).encode()).decode()
    page.handle("files", [{"name": "serve.log", "content": content}])
    assert "load=1:0.5;16:0.5" in page.state()["query"]
    assert any("1:0.5;16:0.5" in notice for notice in page.state()["notices"])


def test_a_dropped_log_of_one_batch_leaves_the_load_alone() -> None:
    page = Page("model=qwen3-8b&gpu=h100-sxm&gpus=1&load=4:1")
    content = base64.b64encode(_vllm(16, 16).encode()).decode()
    page.handle("files", [{"name": "serve.log", "content": content}])
    assert "load=4:1" in page.state()["query"]
