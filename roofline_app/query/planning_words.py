"""What a search for nodes is told in a link: `target=`, `nodes=` and `prices=`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from roofline_app import registry
from roofline_app.hardware.parallelism import Layout
from roofline_app.query.notices import NOTHING, Notices
from roofline_app.query.numbers import Limits, read_number, written
from roofline_app.scenario import LARGEST_GPUS, MOST_NODES, NodeRange, NodeSearch, Target

KEYS = ("target", "nodes", "prices")
PARTS: Mapping[str, Limits] = {
    "user": Limits(least=10**-3, most=10**6),
    "usd": Limits(least=10**-6, most=10**6),
    "ttft": Limits(least=10**-4, most=10**5),
}
PRICE = Limits(least=0, most=10**6)
FORMATS = ("published", "bf16", "fp8", "fp4", "int8", "int4")
LAYOUTS = tuple(layout.value for layout in Layout)
_RANGE = re.compile(r"([a-z0-9.-]*)@([0-9]{1,4})(?:-([0-9]{1,4}))?")
_TARGET_FORM, _NODES_FORM, _PRICES_FORM = "user:50,usd:0.8,ttft:0.5", "b200,h200-sxm@1-8", "b200:5.5,h200-sxm:3.2"


def read_planning(single: Mapping[str, str], notices: Notices) -> dict[str, object]:
    """Return the scenario's fields that concern a search for nodes.

    Args:
        single: Values by key.
        notices: Takes a notice for each value that is not used as given.
    """
    found: dict[str, object] = {}
    if "target" in single:
        found["target"] = _target(single, notices)
    if "nodes" in single:
        found["nodes"] = _nodes(single["nodes"], notices)
    if "prices" in single:
        found["prices"] = _prices(single["prices"], notices)
    return found


def _words(text: str) -> list[str]:
    # A plus sign in a query reads as a space; no word holds a space of its own.
    return [word.strip().lower().replace(" ", "+") for word in text.split(",") if word.strip()]


def _target(single: Mapping[str, str], notices: Notices) -> Target | None:
    found: dict[str, float] = {}
    for word in _words(single["target"]):
        name, separator, text = word.partition(":")
        if name not in PARTS or not separator:
            notices.add("not_planned", key="target", given=word, used=NOTHING, detail=_TARGET_FORM)
            continue
        value = read_number(text, PARTS[name], key=f"target.{name}", used=NOTHING, notices=notices)
        if value is None:
            continue
        if name == "ttft" and not ("prompt" in single and "output" in single):
            notices.add("needs_beside", key="target.ttft", given=text, used=NOTHING, detail="prompt= and output=")
            continue
        found[name] = value
    return Target(**found) if found else None


def write_target(target: Target) -> str:
    """Return a target as a link has it."""
    stated = ((name, getattr(target, name)) for name in PARTS)
    return ",".join(f"{name}:{written(value)}" for name, value in stated if value is not None)


def _nodes(text: str, notices: Notices) -> NodeSearch:
    ranges: list[NodeRange] = []
    weights: list[str] = []
    layouts: list[str] = []
    for word in _words(text)[: MOST_NODES + 1]:
        limit = _range(word)
        if len(ranges) + len(weights) + len(layouts) == MOST_NODES:
            notices.add("too_many_nodes", key="nodes", given=word, used=NOTHING, detail=str(MOST_NODES))
        elif word in FORMATS:
            weights.append(word)
        elif word in LAYOUTS:
            layouts.append(word)
        elif limit is not None:
            ranges.append(limit)
        else:
            known = registry.gpu_ids()
            near = notices.hint(word.partition("@")[0], known)
            notices.add("not_planned", key="nodes", given=word, used=NOTHING, detail=_NODES_FORM + near)
    return NodeSearch(
        ranges=tuple(dict.fromkeys(ranges)),
        weights=tuple(dict.fromkeys(weights)),
        layouts=tuple(dict.fromkeys(layouts)),
    )


def _range(word: str) -> NodeRange | None:
    """Return the range that a word states: an accelerator, one with its numbers, or numbers of any."""
    if word in registry.gpu_ids():
        return NodeRange(gpu=word)
    match = _RANGE.fullmatch(word)
    if match is None or (match.group(1) and match.group(1) not in registry.gpu_ids()):
        return None
    least = int(match.group(2))
    most = int(match.group(3) or least)
    if not 1 <= least <= most <= LARGEST_GPUS:
        return None
    return NodeRange(gpu=match.group(1), least=least, most=most)


def write_nodes(nodes: NodeSearch) -> str:
    """Return what a search is limited to as a link has it."""
    return ",".join((*map(_written_range, nodes.ranges), *nodes.weights, *nodes.layouts))


def _written_range(limit: NodeRange) -> str:
    if limit.gpu and (limit.least, limit.most) == (1, LARGEST_GPUS):
        return limit.gpu
    return f"{limit.gpu}@{limit.least}" + (f"-{limit.most}" if limit.most != limit.least else "")


def _prices(text: str, notices: Notices) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for word in _words(text)[: MOST_NODES + 1]:
        gpu, separator, amount = word.partition(":")
        if gpu not in registry.gpu_ids() or not separator:
            near = notices.hint(gpu, registry.gpu_ids())
            notices.add("not_planned", key="prices", given=word, used=NOTHING, detail=_PRICES_FORM + near)
            continue
        value = read_number(amount, PRICE, key=f"prices.{gpu}", used="the registry's", notices=notices)
        if value is not None:
            found[gpu] = value
    return tuple(sorted(found.items()))


def write_prices(prices: tuple[tuple[str, float], ...]) -> str:
    """Return own prices as a link has them."""
    return ",".join(f"{gpu}:{written(value)}" for gpu, value in prices)
