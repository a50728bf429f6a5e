"""The inputs of a search for nodes: target, limits, own prices, electricity, and the node to take."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from roofline_app import format as fmt, query, registry
from roofline_app.evaluation.planning.words import cost_words, node_words
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import NotUnderstoodError, typed_value
from roofline_app.query.numbers import number, written as written_number
from roofline_app.query.planning_words import PRICE, write_nodes, write_target
from roofline_app.results.nodes import PlannedNode
from roofline_app.scenario import MOST_NODES, NodeSearch, Presentation, Scenario, with_pinned
from roofline_app.text import sentence

KEYS: tuple[str, ...] = ("target", "nodes", "prices", "electricity")
TAKE = "take"
HEADER = "gpu"
LONGEST_LIST = 20_000


class PriceListError(ValueError):
    """A pasted price list cannot be read.

    Attributes:
        line: Number of its line.
        given: What stands there.
        reason: Key of the sentence that says why.
    """

    def __init__(self, line: int, given: str, reason: str) -> None:
        """Keep what was pasted, and why it is not used."""
        super().__init__(given)
        self.line, self.given, self.reason = line, given, reason


def fields(scenario: Scenario, language: str) -> Iterator[FormField]:
    """Yield the boxes; an empty one states nothing."""
    target = "" if scenario.target is None else write_target(scenario.target)
    prices = "\n".join(f"{gpu},{written_number(usd)}" for gpu, usd in scenario.prices)
    electricity = "" if scenario.electricity is None else fmt.decimal(scenario.electricity)
    values = {"target": target, "nodes": write_nodes(scenario.nodes), "prices": prices, "electricity": electricity}
    for key in KEYS:
        yield FormField(
            key=key,
            control="area" if key == "prices" else "text",
            label=sentence(f"nodes.box_{key}", language),
            value=values[key],
            hint=sentence(f"nodes.hint_{key}", language),
        )


def take_field(ranked: tuple[PlannedNode, ...], language: str) -> FormField:
    """Return the menu of nodes that can be taken into the setting."""
    options = {"": sentence("nodes.take_none", language)}
    for rank, node in enumerate(ranked, start=1):
        point = node.cheapest
        options[str(rank)] = sentence(
            "nodes.take_option",
            language,
            rank=rank,
            node=node_words(point, language),
            batch=fmt.count(point.batch),
            drafter=point.drafter or sentence("nodes.without", language),
            usd=cost_words(point.usd_per_million_tokens),
        )
    return FormField(key=TAKE, control="choice", label=sentence("nodes.box_take", language), value="", options=options)


def taken(link: str, scenario: Scenario) -> Scenario:
    """Return the setting of a node, what is compared and shown as before."""
    found = query.decode(link).scenario
    return replace(with_pinned(found, scenario.pinned), presentation=scenario.presentation, seed=scenario.seed)


def is_taking(change: Mapping[str, Any]) -> bool:
    """Whether a change of a form takes a node."""
    return (change.get("form"), change.get("field")) == ("nodes", TAKE)


def with_ranked(scenario: Scenario, ranked: tuple[PlannedNode, ...], rank: str) -> Scenario:
    """Return the setting of the node of a rank; the same setting where there is none."""
    known = rank.isdecimal() and 1 <= int(rank) <= len(ranked)
    return taken(ranked[int(rank) - 1].cheapest.query, scenario) if known else scenario


def written(scenario: Scenario, key: str, text: str) -> Scenario:
    """Return the scenario after a box was changed.

    Raises:
        NotUnderstoodError: When a link would not understand the text.
        PriceListError: When a line of a price list is none.
    """
    if key == "electricity":
        stated = typed_value(key, text.removeprefix("$")) if text.strip() else None
        return replace(scenario, electricity=stated)
    if key == "prices":
        return replace(scenario, prices=read_prices(text))
    if not text.strip():
        return replace(scenario, target=None) if key == "target" else replace(scenario, nodes=NodeSearch())
    setting = replace(with_pinned(scenario), target=None, nodes=NodeSearch(), presentation=Presentation())
    decoded = query.decode(f"{query.encode(setting)}&{key}={text.replace('&', ' ').replace('+', '%2B')}")
    if decoded.notices:
        notice = decoded.notices[0]
        raise NotUnderstoodError(text, notice=notice)
    found = decoded.scenario
    return replace(scenario, target=found.target) if key == "target" else replace(scenario, nodes=found.nodes)


def read_prices(text: str) -> tuple[tuple[str, float], ...]:
    """Return the prices of a pasted list: lines of `gpu,usd_per_hour`, with or without a header.

    Raises:
        PriceListError: When a line is not one.
    """
    found: dict[str, float] = {}
    lines = csv.reader(io.StringIO(text[:LONGEST_LIST].replace("\0", " ")))
    for number_of, cells in enumerate(lines, start=1):
        given = ",".join(cells)[:80]
        words = [cell.strip() for cell in cells]
        if not any(words) or (number_of == 1 and words[0].lower() == HEADER):
            continue
        if len(words) != 2:  # noqa: PLR2004 - a name and a price
            raise PriceListError(number_of, given, "prices_form")
        gpu, usd = words[0].lower(), number(words[1].removeprefix("$"))
        if gpu not in registry.gpu_ids():
            raise PriceListError(number_of, given, "prices_gpu")
        if usd is None or not PRICE.least <= usd <= PRICE.most:
            raise PriceListError(number_of, given, "prices_usd")
        found[gpu] = usd
        if len(found) > MOST_NODES:
            raise PriceListError(number_of, given, "prices_many")
    return tuple(sorted(found.items()))
