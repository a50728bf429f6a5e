"""Nodes of more GPUs than fast links join: what their messages cross counts, and the answer says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.query import decode
from roofline_app.results import Evaluation
from roofline_app.specs import Node
from roofline_app.specs.table import UnknownIdError
from roofline_app.verdict import answer

WIDE = "model=deepseek-v3&gpu=h200-sxm&batch=128&layout=dp%2Bep&profile=calibrated"


UNSURE = ("uncertainty", "不确定性")
PIPELINE = ("gpus: pipeline", "gpus：引擎常用流水线")


def _evaluation(query: str) -> Evaluation:
    return evaluate(decode(query).scenario)


def _communication(query: str) -> float:
    parts = _evaluation(query).step.components
    return sum(part.seconds for part in parts if part.name == "communication")


def _of_the_node(query: str, language: str = "en") -> list[str]:
    """Return the answer's notices but for those on what was never measured, and on pipeline stages."""
    said = answer(_evaluation(query), language).notices
    return [notice for notice in said if not notice.startswith((*UNSURE, *PIPELINE))]


def test_sixteen_gpus_of_two_hosts_wait_for_the_network() -> None:
    # 60 MB from each GPU at a share of 50 GB/s, and some 20 µs for each of 119 messages: 3.6 ms at least. NVLink would
    # take half a millisecond.
    assert 3.6e-3 < _communication(f"{WIDE}&gpus=16") < 10e-3
    assert _communication(f"{WIDE}&gpus=8") < 1e-3


def test_a_rack_is_one_domain_of_many_hosts() -> None:
    gpu = registry.gpu("gb200-nvl72")
    assert (gpu.gpus_per_host, gpu.gpus_per_node) == (4, 72)
    assert Node(gpu=gpu, gpus=72).network is None
    assert _communication(f"{WIDE}&gpu=gb200-nvl72&gpus=72") < 1e-3


@pytest.mark.parametrize("gpu", ["h100-sxm", "b200", "mi300x"])
def test_an_entry_that_states_no_host_has_one_of_its_whole_domain(gpu: str) -> None:
    assert registry.gpu(gpu).gpus_per_host == registry.gpu(gpu).gpus_per_node == 8


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_answer_says_which_network_counts(language: str) -> None:
    (said,) = _of_the_node(f"{WIDE}&gpus=16", language)
    for word in ("400 Gbit/s", "50.0 GB/s", "20.0 µs", "16 × NVIDIA H200 SXM"):
        assert word in said


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("gpus", "said"), [(8, 0), (16, 1)])
def test_pipeline_stages_over_several_hosts_are_named_as_not_modelled(gpus: int, said: int, language: str) -> None:
    notices = answer(_evaluation(f"{WIDE}&gpus={gpus}"), language).notices
    assert sum(notice.startswith(PIPELINE) for notice in notices) == said


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("model=deepseek-v3&gpu=h200-sxm&gpus=16", id="messages are free on the ideal roofline"),
        pytest.param(f"{WIDE}&gpus=16&gpu.interconnect=450e9", id="a user's own link joins all of them"),
        pytest.param("model=qwen3-8b&gpu=rtx-5090&gpus=2&profile=calibrated", id="no network is known"),
    ],
)
def test_where_no_network_counts_the_answer_says_so(query: str) -> None:
    (said,) = _of_the_node(query)
    assert "as if one node held them all" in said


def test_a_users_own_link_counts_as_it_did() -> None:
    wide = f"{WIDE}&gpus=16&gpu.interconnect"
    assert _communication(f"{wide}=450e9") < 1e-3 < _communication(f"{wide}=50e9")


def test_one_gpu_more_than_a_domain_crosses_the_network() -> None:
    gpu = registry.gpu("h100-sxm")
    within, beyond = Node(gpu=gpu, gpus=8), Node(gpu=gpu, gpus=9)
    assert within.message_bytes_per_second == 450e9 > beyond.message_bytes_per_second == 50e9
    assert replace(beyond, gpu=replace(gpu, network=None)).message_bytes_per_second == 450e9


def test_an_unknown_network_is_refused_by_name() -> None:
    with pytest.raises(UnknownIdError, match="unknown network 'hosts-40'; did you mean hosts-400"):
        registry._gpu(id="x", network="hosts-40")
