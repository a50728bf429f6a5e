"""Scenario to its canonical query string."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from urllib.parse import quote

from roofline_app.query.drafter_lines import write_drafter
from roofline_app.query.learning import write_learning
from roofline_app.query.loads import LOAD, write_load
from roofline_app.query.numbers import written
from roofline_app.query.packed_config import packed
from roofline_app.query.planning_words import write_nodes, write_prices, write_target
from roofline_app.scenario import CUSTOM, Hardware, NodeSearch, Presentation, Scenario, Target, Weights

VERSION = 1
PUBLISHED = "published"
_BARE = ",:;=@."


def encode(scenario: Scenario) -> str:
    """Return the canonical query string of a scenario: complete, versioned, keys in a fixed order.

    A price, a changed figure of the GPU, correlated or uneven experts, pinned settings and what concerns the payoff
    or the presentation stand in it only where they are set.

    Args:
        scenario: A complete setting.

    Returns:
        A query string without the leading question mark, in ASCII; `decode` gives the same scenario back.

    Examples:
        >>> encode(Scenario()).partition("&reserve")[0]
        'v=1&model=deepseek-v4-pro&gpu=b200&gpus=8'
        >>> decode(encode(Scenario(batch=8))).scenario == Scenario(batch=8)
        True
    """
    return "&".join(f"{key}={quote(value, safe=_BARE, errors='replace')}" for key, value in _pairs(scenario))


# Numbers that stand in a link only where they are set.
_OPTIONAL = (
    "imbalance",
    "traffic",
    "after",
    "training",
    "horizon",
    "prompt",
    "output",
    "requests",
    "budget",
    "electricity",
)


def _pairs(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "v", str(VERSION)
    yield "model", scenario.model
    if scenario.model == CUSTOM:
        yield "config", packed(scenario.config)
    yield "gpu", scenario.gpu
    yield "gpus", str(scenario.gpus)
    yield from _hardware(scenario.hardware)
    if scenario.price is not None:
        yield "price", written(scenario.price)
    yield "reserve", written(scenario.reserve)
    yield "batch", str(scenario.batch)
    yield "context", str(scenario.context)
    yield "cap", str(scenario.cap)
    yield "weights", _weights(scenario.weights)
    yield "kv", scenario.kv
    yield "profile", scenario.profile
    yield "kv-read", scenario.kv_read
    for key, word in (("engine", scenario.engine), ("layout", scenario.layout), ("kernels", scenario.kernels)):
        if word not in {"", Scenario().kernels}:
            yield key, word
    if scenario.experts != Scenario().experts:
        yield "experts", scenario.experts
    for drafter in scenario.drafters:
        yield "drafter", write_drafter(drafter)
    for pinned in scenario.pinned:
        yield "compare", pinned
    yield from _optional(scenario)
    yield "seed", str(scenario.seed)
    yield from _presentation(scenario.presentation)


def _optional(scenario: Scenario) -> Iterator[tuple[str, str]]:
    for key in _OPTIONAL:
        value = getattr(scenario, key)
        if value != getattr(Scenario(), key):
            yield key, written(value)
    if scenario.learning:
        yield "learning", write_learning(scenario.learning)
    yield from _planning(scenario)


def _planning(scenario: Scenario) -> Iterator[tuple[str, str]]:
    if scenario.target is not None and scenario.target != Target():
        yield "target", write_target(scenario.target)
    if scenario.nodes != NodeSearch():
        yield "nodes", write_nodes(scenario.nodes)
    if scenario.prices:
        yield "prices", write_prices(scenario.prices)
    if scenario.load:
        yield LOAD, write_load(scenario.load)


def _hardware(hardware: Hardware) -> Iterator[tuple[str, str]]:
    for part in fields(Hardware):
        value = getattr(hardware, part.name)
        if value is not None:
            yield f"gpu.{part.name}", written(value)


def _weights(weights: Weights) -> str:
    if weights == Weights():
        return PUBLISHED
    if weights == Weights(experts=weights.experts, linear=weights.experts, head="bf16") != Weights(head="bf16"):
        return weights.experts
    return f"experts:{weights.experts},linear:{weights.linear},head:{weights.head}"


def _presentation(presentation: Presentation) -> Iterator[tuple[str, str]]:
    for key in ("figures", "controls"):
        if chosen := getattr(presentation, key):
            yield key, ",".join(chosen)
    for key in ("theme", "lang", "poster"):
        if chosen := getattr(presentation, key):
            yield key, chosen
