"""One drafter line of a link: a kind, then `name=value` pairs joined by commas."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from urllib.parse import unquote

from roofline_app import registry
from roofline_app.query.acceptance_forms import CHANCE, FORMS, read_acceptance, write_acceptance
from roofline_app.query.drawn_drafters import NAMES as DRAWN, config_block, read_drawn, written_parts
from roofline_app.query.notices import NOTHING, Notices, printable
from roofline_app.query.numbers import Limits, number, read_number, written
from roofline_app.scenario import (
    LARGEST_CAP,
    LARGEST_COST,
    LONGEST_NAME,
    MOST_BRANCHES,
    MOST_PASSES,
    MOST_VERIFIED,
    ConstantAcceptance,
    Drafter,
    MeasuredAcceptance,
    Placement,
)
from roofline_app.specs import DrafterKindSpec

COST = Limits(least=0, most=LARGEST_COST)
BLOCK = Limits(least=1, most=LARGEST_CAP, whole=True)
PASSES = Limits(least=1, most=MOST_PASSES, whole=True)
BRANCHES = Limits(least=1, most=MOST_BRANCHES, whole=True)
VERIFIED = Limits(least=1, most=MOST_VERIFIED, whole=True)
LATENCY = Limits(least=0, most=10)
BANDWIDTH = Limits(least=10**3, most=10**24)
_COLOUR = re.compile("#?([0-9a-f]{6})", re.IGNORECASE)
_RESERVED = re.compile("[,=:;%]")
_PHYSICAL = "physical"
_SAME, _SEPARATE = "same", "separate"
_BLOCKS_ONLY = frozenset({"block", "passes", "gain"})
_TREES_ONLY = frozenset({"topk", "verified", "ranks"})
_WEIGHTS_ONLY = frozenset({"model", "placement", "link.latency", "link.bandwidth", *DRAWN})
_CHAINS_ONLY = ("spread", "confidence")
_NAMES = frozenset(
    {*FORMS, "cost", "relax", "name", "colour", *_CHAINS_ONLY, *_BLOCKS_ONLY, *_TREES_ONLY, *_WEIGHTS_ONLY}
)


def read_drafter(text: str, notices: Notices) -> Drafter | None:
    """Return the drafter line that a text describes, or None where its kind is unknown.

    Args:
        text: A kind and its pairs, such as `block,acceptance=0.89,cost=0.1,block=16`.
        notices: Takes a notice for each part that is not used as given.
    """
    kind, *parts = text.split(",")
    spec = registry.drafter_kinds().get(kind.strip().lower())
    if spec is None:
        return None
    given = _given_parts(parts, spec, notices)
    placement = _placement(given, notices)
    passes = int(_number(given, "passes", PASSES, 1, notices))
    topk = int(_number(given, "topk", BRANCHES, 1, notices))
    sizes, config = read_drawn(given, spec, notices)
    acceptance, cost = read_acceptance(given, spec, notices), _cost(given.get("cost"), spec, notices)
    if (sizes or config) and "cost" not in given:
        # Whoever draws a drafter wants to know what it costs.
        cost = None
    of_checkpoint = cost is None or isinstance(acceptance, MeasuredAcceptance)
    block = config_block(spec, config) if config else default_block(spec, of_checkpoint=of_checkpoint)
    return Drafter(
        kind=spec.id,
        acceptance=acceptance,
        cost=cost,
        block=int(_number(given, "block", BLOCK, block, notices)),
        relax=_number(given, "relax", CHANCE, 0.0, notices),
        passes=passes,
        gain=_beside(given, "gain", CHANCE, "passes=2", notices, holds=passes > 1) or 0.0,
        topk=topk,
        verified=int(_beside(given, "verified", VERIFIED, "topk=2", notices, holds=topk > 1) or 0),
        ranks=_ranks(given, notices, holds=topk > 1),
        spread=_beside(given, "spread", CHANCE, "topk=1", notices, holds=topk == 1) or 0.0,
        confidence=_confidence(given, notices, holds=topk == 1),
        model=_model(given.get("model"), spec, notices),
        placement=placement,
        link_latency=_link(given, "link.latency", LATENCY, placement, notices),
        link_bandwidth=_link(given, "link.bandwidth", BANDWIDTH, placement, notices),
        name=_name(given.get("name", ""), notices),
        colour=_colour(given.get("colour", ""), notices),
        sizes=sizes,
        config=config,
    )


def default_block(kind: DrafterKindSpec, *, of_checkpoint: bool) -> int:
    """Return the draft tokens per pass of a line that states none.

    Args:
        kind: The line's kind.
        of_checkpoint: Whether the line is that of a checkpoint, by its own work or its measured acceptance, whose
            blocks need not be as long as those of a line that is priced as a share of a step.
    """
    return kind.generic.block if of_checkpoint and kind.in_blocks and kind.generic else kind.block


def default_drafter(kind: DrafterKindSpec) -> Drafter:
    """Return the line of a kind that states nothing."""
    cost = None if kind.physical else float(kind.cost)
    return Drafter(
        kind=kind.id,
        acceptance=ConstantAcceptance(acceptance=float(kind.acceptance)),
        cost=cost,
        block=default_block(kind, of_checkpoint=cost is None),
    )


def write_drafter(drafter: Drafter) -> str:
    """Return a drafter line with everything written out, before percent-encoding."""
    return ",".join(_written_parts(drafter))


def _written_parts(drafter: Drafter) -> Iterator[str]:
    yield drafter.kind
    yield write_acceptance(drafter.acceptance)
    yield f"cost={_PHYSICAL if drafter.cost is None else written(drafter.cost)}"
    if registry.drafter_kind(drafter.kind).in_blocks:
        yield f"block={drafter.block}"
    if drafter.relax:
        yield f"relax={written(drafter.relax)}"
    if drafter.passes > 1:
        yield f"passes={drafter.passes}"
        yield f"gain={written(drafter.gain)}"
    yield from _written_tree(drafter)
    if drafter.spread:
        yield f"spread={written(drafter.spread)}"
    if drafter.confidence != 1.0:
        yield f"confidence={written(drafter.confidence)}"
    if drafter.model:
        yield f"model={drafter.model}"
    yield from written_parts(drafter.sizes, drafter.config)
    if drafter.placement == _SEPARATE:
        yield from _written_placement(drafter)
    if drafter.name:
        yield f"name={_RESERVED.sub(lambda match: f'%{ord(match.group()):02X}', drafter.name)}"
    if drafter.colour:
        yield f"colour={drafter.colour}"


def _written_tree(drafter: Drafter) -> Iterator[str]:
    if drafter.topk > 1:
        yield f"topk={drafter.topk}"
        if drafter.verified:
            yield f"verified={drafter.verified}"
        if drafter.ranks:
            yield "ranks=" + ":".join(map(written, drafter.ranks))


def _written_placement(drafter: Drafter) -> Iterator[str]:
    yield f"placement={_SEPARATE}"
    for key, value in (("link.latency", drafter.link_latency), ("link.bandwidth", drafter.link_bandwidth)):
        if value is not None:
            yield f"{key}={written(value)}"


def _given_parts(parts: list[str], spec: DrafterKindSpec, notices: Notices) -> dict[str, str]:
    """Return the parts by name, the last of each; the last form of acceptance wins over the others."""
    given: dict[str, str] = {}
    for part in parts:
        name, _, value = part.partition("=")
        name, value = name.strip().lower(), value.strip()
        if name not in _NAMES:
            notices.add("unknown_part", key=f"drafter.{name}", given=part, used=NOTHING)
        elif name in _BLOCKS_ONLY and not spec.in_blocks:
            notices.add("blocks_only", key=f"drafter.{name}", given=value, used=NOTHING)
        elif name in _TREES_ONLY and not spec.trees:
            notices.add("trees_only", key=f"drafter.{name}", given=value, used=NOTHING)
        elif name in _WEIGHTS_ONLY and not spec.has_own_work:
            notices.add("weights_only", key=f"drafter.{name}", given=value, used=NOTHING)
        else:
            rivals = FORMS if name in FORMS else (name,)
            for rival in rivals:
                if rival in given:
                    notices.add("repeated", key=f"drafter.{rival}", given=given.pop(rival), used=f"{name}={value}")
            given[name] = value
    return given


def _number(given: Mapping[str, str], name: str, limits: Limits, default: float, notices: Notices) -> float:
    if name not in given:
        return default
    value = read_number(given[name], limits, key=f"drafter.{name}", used=written(default), notices=notices)
    return default if value is None else value


def _beside(
    given: Mapping[str, str], name: str, limits: Limits, needed: str, notices: Notices, *, holds: bool
) -> float | None:
    """Return a number that has a meaning beside another part only, or None."""
    if name not in given:
        return None
    if not holds:
        notices.add("needs_beside", key=f"drafter.{name}", given=given[name], used=NOTHING, detail=needed)
        return None
    return read_number(given[name], limits, key=f"drafter.{name}", used=NOTHING, notices=notices)


def _confidence(given: Mapping[str, str], notices: Notices, *, holds: bool) -> float:
    found = _beside(given, "confidence", CHANCE, "topk=1", notices, holds=holds)
    return 1.0 if found is None else found


def _ranks(given: Mapping[str, str], notices: Notices, *, holds: bool) -> tuple[float, ...]:
    """Return shares of rejections by rank, or nothing for the kind's own."""
    if "ranks" not in given:
        return ()
    key, text = "drafter.ranks", given["ranks"]
    if not holds:
        notices.add("needs_beside", key=key, given=text, used=NOTHING, detail="topk=2")
        return ()
    stated = text.split(":", MOST_BRANCHES)
    shares = tuple(share + 0.0 for share in map(number, stated) if share is not None and 0 <= share <= 1)
    falls = all(later <= earlier for earlier, later in pairwise(shares))
    if len(shares) != len(stated) or not falls or math.fsum(shares) > 1:
        notices.add("not_ranks", key=key, given=text, used=NOTHING)
        return ()
    return shares


def _link(given: Mapping[str, str], name: str, limits: Limits, placement: Placement, notices: Notices) -> float | None:
    return _beside(given, name, limits, f"placement={_SEPARATE}", notices, holds=placement == _SEPARATE)


def _placement(given: Mapping[str, str], notices: Notices) -> Placement:
    text = given.get("placement", _SAME)
    if text.lower() == _SEPARATE:
        return "separate"
    if text.lower() != _SAME:
        detail = f"{_SAME}, {_SEPARATE}"
        notices.add("not_a_choice", key="drafter.placement", given=text, used=_SAME, detail=detail)
    return "same"


def _cost(text: str | None, spec: DrafterKindSpec, notices: Notices) -> float | None:
    default = None if spec.physical else float(spec.cost)
    if text is None:
        return default
    if text.lower() == _PHYSICAL and spec.has_own_work:
        return None
    if text.lower() == _PHYSICAL:
        used = f"cost={written(spec.cost)}"
        notices.add("no_own_work", key="drafter.cost", given=text, used=used, detail=spec.name)
        return default
    used = _PHYSICAL if default is None else written(default)
    value = read_number(text, COST, key="drafter.cost", used=used, notices=notices)
    return default if value is None else value


def _model(text: str | None, spec: DrafterKindSpec, notices: Notices) -> str:
    """Return a draft model's id, or that of a drafter of the line's kind."""
    if text is None:
        return ""
    is_model = spec.weights == "model"
    known = registry.model_ids() if is_model else registry.drafter_ids()
    name = text.lower()
    if name in known and (is_model or registry.drafter(name).kind in {spec.id, *spec.runs}):
        return name
    hint = notices.hint(text, known)
    notices.add("unknown_id", key="drafter.model", given=text, used="the target's own", detail=hint)
    return ""


def _name(text: str, notices: Notices) -> str:
    plain = unquote(text)
    name = printable(plain).strip()[:LONGEST_NAME].strip()
    if name != plain.strip():
        notices.add("changed_name", key="drafter.name", given=plain, used=name)
    return name


def _colour(text: str, notices: Notices) -> str:
    match = _COLOUR.fullmatch(text)
    if match is None and text:
        notices.add("not_a_colour", key="drafter.colour", given=text, used="the palette's")
    return match.group(1).lower() if match else ""


def part_names() -> frozenset[str]:
    """Return the names of all parts that a line can have after its kind."""
    return _NAMES
