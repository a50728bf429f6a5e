"""Nodes in words: the target, the cheapest node, the smallest, and what comes nearest."""

from __future__ import annotations

from roofline_app import format as fmt, registry
from roofline_app.evaluation.planning.candidates import PUBLISHED
from roofline_app.hardware.layout_words import layout_name
from roofline_app.hardware.parallelism import Layout
from roofline_app.results.nodes import LeftOut, NodePoint, Nodes
from roofline_app.scenario import Target
from roofline_app.text import sentence


def target_words(target: Target, language: str = "en") -> str:
    """Return a target in words."""
    said = []
    if target.user is not None:
        said.append(sentence("nodes.target_user", language, rate=fmt.rate(target.user)))
    if target.usd is not None:
        said.append(sentence("nodes.target_usd", language, usd=cost_words(target.usd)))
    if target.ttft is not None:
        said.append(sentence("nodes.target_ttft", language, seconds=fmt.seconds(target.ttft)))
    return sentence("nodes.and", language).join(said) or sentence("nodes.target_none", language)


def cost_words(usd: float) -> str:
    """Return the price of a million tokens, which may be cents and parts of them."""
    return fmt.usd(usd) if usd >= 1.0 or usd == 0.0 else f"${fmt.significant(usd)}"


def node_words(point: NodePoint, language: str = "en") -> str:
    """Return a node in a few words: numbers, accelerator, and format and layout where they are not the usual ones."""
    name = registry.gpu(point.gpu).name
    added = [] if point.weights == PUBLISHED else [point.weights]
    if point.gpus > 1 and point.layout != Layout.EVEN:
        added.append(layout_name(point.layout, language))
    key = "nodes.node_added" if added else "nodes.node"
    return sentence(key, language, gpus=point.gpus, name=name, added=sentence("nodes.comma", language).join(added))


def answer_words(found: Nodes, language: str = "en") -> list[str]:
    """Return the answer in sentences: the cheapest node, what speculation saves, and the smallest node."""
    target = target_words(found.target, language)
    said = [] if found.stated else [sentence("nodes.unstated", language, target=target)]
    if not found.ranked:
        near = found.nearest
        if near is None:
            return [*said, sentence("nodes.nothing", language)]
        return [*said, sentence("nodes.nearest", language, target=target, **_numbers(near, language))]
    best = found.ranked[0].cheapest
    said.append(sentence(_with("cheapest", best), language, target=target, **_numbers(best, language)))
    plain = min(
        (node.without for node in found.ranked if node.without),
        key=lambda point: point.usd_per_million_tokens,
        default=None,
    )
    if best.drafter:
        key = "nodes.none_without" if plain is None else "nodes.instead"
        said.append(sentence(key, language, **(_numbers(plain, language) if plain else {})))
    small, other = found.smallest, found.smallest_without
    if small and other and small.usd_per_hour < other.usd_per_hour:
        numbers = {"other": node_words(other, language), "other_rent": fmt.usd(other.usd_per_hour)}
        said.append(sentence("nodes.smallest", language, **_numbers(small, language), **numbers))
    return said


def _with(key: str, point: NodePoint) -> str:
    return f"nodes.{key}_with" if point.drafter else f"nodes.{key}"


def _numbers(point: NodePoint, language: str) -> dict[str, str]:
    first = point.first_token_seconds
    return {
        "node": node_words(point, language),
        "batch": fmt.count(point.batch),
        "drafter": point.drafter or sentence("nodes.without", language),
        "rate": fmt.rate(point.tokens_per_second_per_user),
        "usd": cost_words(point.usd_per_million_tokens),
        "rent": fmt.usd(point.usd_per_hour),
        "first": "" if first is None else sentence("nodes.first", language, seconds=fmt.seconds(first)),
    }


def reason_words(one: LeftOut, language: str = "en") -> str:
    """Return why nodes are not listed."""
    counts = sentence("nodes.comma", language).join(map(str, one.gpus))
    weights = sentence("nodes.comma", language).join(
        sentence("page.as_published", language) if word == PUBLISHED else word for word in one.weights
    )
    numbers = _numbers(one.nearest, language) if one.nearest else {}
    return sentence(f"nodes.out_{one.reason}", language, counts=counts, weights=weights, **numbers)


def assumed_words(language: str = "en") -> str:
    """Return what every search assumes."""
    return sentence("nodes.assumed", language)
