"""Nodes for a target: the frontier of speed against cost, with and without speculation, and the ranked list."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from roofline_app import format as fmt
from roofline_app.evaluation.planning.plan import Plan, plan, setting_of
from roofline_app.evaluation.planning.search import Found
from roofline_app.evaluation.planning.words import answer_words, assumed_words, cost_words, node_words, reason_words
from roofline_app.hardware.layout_words import layout_name
from roofline_app.page.figures.axes import Axis, round_ticks, text_width
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.pieces import Work, no_join
from roofline_app.page.figures.rows import Row
from roofline_app.page.figures.tables import Table
from roofline_app.page.protocol import KeyEntry
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.registry import gpu as registered
from roofline_app.results import Evaluation
from roofline_app.results.nodes import NodePoint, Nodes, PlannedNode
from roofline_app.text import sentence

# Ranked nodes that can be taken into the setting.
OFFERED = 20
MOST_TICKS, NARROW_TICKS = 7, 4
MARGIN, ROOM_FOR_NAMES = 1.3, 1.8
# Labels of nodes: a frame of so many pixels is assumed for which of them would touch.
FRAME, NARROW_FRAME = (900.0, 250.0), (300.0, 250.0)
LABEL_HEIGHT = 18.0
NOTHING = "–"
WITH, PLAIN = "with", "plain"
_COLUMNS: tuple[str, ...] = (
    "status",
    "node",
    "weights",
    "layout",
    "drafter",
    "batch",
    "user",
    "usd",
    "usd_without",
    "rent",
    "first",
)
_COLUMNS += ("joules", "electricity", "price_date")
_FIELDS = tuple(field.name for field in fields(NodePoint))


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCurve:
    """A frontier: its nodes from the slowest, each with the words that stand beside it or none."""

    id: str
    points: tuple[NodePoint, ...]
    names: tuple[str, ...]
    hovers: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesView:
    """What the figure shows; both axes are logarithmic.

    Attributes:
        curves: The frontier with the best line, and without speculation.
        cheapest: The cheapest node that reaches the target.
        x: Tokens per second per user.
        y: USD per million tokens.
        asked: What the target asks of both; None where it does not.
        fresh: Whether the search is over.
        language: Of the words.
    """

    curves: tuple[NodeCurve, ...]
    cheapest: NodePoint | None
    x: Axis
    y: Axis
    asked: tuple[float | None, float | None]
    fresh: bool
    language: str


def nodes_plan(evaluation: Evaluation) -> Plan:
    """Return the search of an evaluation's setting."""
    return plan(setting_of(evaluation.scenario))


def nodes_work(evaluation: Evaluation) -> Work:
    """Return the search, part by part."""
    setting = setting_of(evaluation.scenario)
    searched = plan(setting)
    parts = dict.fromkeys(range(max(len(searched.groups), 1)), (evaluation.scenario,))
    return Work(setting=setting, parts=parts, join=no_join, steps=searched.steps)


class _Summary:
    """What a search came to when it was last asked for: note, figure, table and menu ask one after the other."""

    def __init__(self) -> None:
        """Start without one."""
        self._last: tuple[Plan, Mapping[int, Found], Nodes] | None = None

    def of(self, searched: Plan, found: Mapping[int, Found]) -> Nodes:
        """Return what a search has come to."""
        last = self._last
        if last is None or last[0] is not searched or last[1] is not found:
            last = self._last = (searched, found, searched.nodes(found, OFFERED))
        return last[2]


_SUMMARY = _Summary()


def found_nodes(shown: Shown) -> Nodes:
    """Return what the search has come to so far, with links to those nodes that are offered."""
    return _SUMMARY.of(nodes_plan(shown.evaluation), shown.found.values)


def offered(shown: Shown | None) -> tuple[PlannedNode, ...]:
    """Return the nodes that can be taken: the first of those that are found so far."""
    return found_nodes(shown).ranked[:OFFERED] if shown and shown.found.values else ()


def nodes_note(shown: Shown) -> str:
    """Return the answer in words, as far as it is known."""
    if not shown.found.values:
        return assumed_words(shown.language)
    found = found_nodes(shown)
    said = answer_words(found, shown.language) if found.ranked or not shown.found.waiting else []
    return sentence("verdict.between", shown.language).join([*said, assumed_words(shown.language)])


def _axis(values: Sequence[float], most: int, room: float) -> Axis:
    if not values:
        return Axis(start=1.0, end=10.0, ticks=(1.0, 10.0), labels=("1", "10"))
    low, high = min(values) / MARGIN, max(values) * room
    ticks = round_ticks(low, high, most)
    return Axis(start=low, end=high, ticks=ticks, labels=tuple(fmt.tick(tick, "").replace(" ", "") for tick in ticks))


def _usd_axis(values: Sequence[float]) -> Axis:
    axis = _axis([value for value in values if value > 0.0], MOST_TICKS, MARGIN)
    return Axis(start=axis.start, end=axis.end, ticks=axis.ticks, labels=tuple(cost_words(tick) for tick in axis.ticks))


def nodes_view(shown: Shown) -> NodesView:
    """Return both frontiers; each node is named where it first stands, unless another's name is there."""
    found = found_nodes(shown)
    every = (*found.frontier, *found.frontier_without)
    asked = (found.target.user, found.target.usd)
    narrow = shown.look.narrow
    x = _axis(
        [point.tokens_per_second_per_user for point in every], NARROW_TICKS if narrow else MOST_TICKS, ROOM_FOR_NAMES
    )
    y = _usd_axis([point.usd_per_million_tokens for point in every])
    taken: list[tuple[float, float, float]] = []
    curves = tuple(
        _curve(key, points[::-1], (x, y), taken, shown)
        for key, points in ((WITH, found.frontier), (PLAIN, found.frontier_without))
    )
    cheapest = found.ranked[0].cheapest if found.ranked else None
    return NodesView(
        curves=curves, cheapest=cheapest, x=x, y=y, asked=asked, fresh=not shown.found.waiting, language=shown.language
    )


def _share(value: float, axis: Axis) -> float:
    return math.log(value / axis.start) / math.log(axis.end / axis.start) if value > 0 else 0.0


def _curve(
    key: str,
    points: tuple[NodePoint, ...],
    axes: tuple[Axis, Axis],
    taken: list[tuple[float, float, float]],
    shown: Shown,
) -> NodeCurve:
    """Return a frontier; names that would touch those that stand already are left out."""
    width, height = NARROW_FRAME if shown.look.narrow else FRAME
    names: list[str] = []
    before: tuple[str, int] | None = None
    for point in points:
        node = (point.gpu, point.gpus)
        name = short_name(point)
        left, size = _share(point.tokens_per_second_per_user, axes[0]) * width, float(text_width(name))
        up = _share(point.usd_per_million_tokens, axes[1]) * height
        free = all(
            abs(up - other_up) > LABEL_HEIGHT or left + size < other or other + other_size < left
            for other, other_up, other_size in taken
        )
        stands = node != before and free and left + size < width
        names.append(name if stands else "")
        if stands:
            taken.append((left, up, size))
            before = node
    hovers = tuple(_hover(point, shown.language) for point in points)
    return NodeCurve(id=key, points=points, names=tuple(names), hovers=hovers)


def short_name(point: NodePoint) -> str:
    """Return a node's numbers and the accelerator's name without its maker's."""
    known = registered(point.gpu)
    return f"{point.gpus} × {known.name.removeprefix(known.vendor).strip()}"


def _hover(point: NodePoint, language: str) -> str:
    return f"{node_words(point, language)}, {drafter_words(point, language)}"


def drafter_words(point: NodePoint, language: str) -> str:
    """Return the line of a node, or that there is none."""
    return point.drafter or sentence("nodes.without", language)


def nodes_key(view: NodesView, palette: Palette, language: str) -> list[KeyEntry]:
    """Return which colour is which frontier."""
    return [
        {"colour": curve_colour(curve.id, palette), "words": sentence(f"nodes.{curve.id}_line", language)}
        for curve in view.curves
    ]


def curve_colour(key: str, palette: Palette) -> str:
    """Return the colour of a frontier."""
    return drafter_colour(palette, 2, "") if key == WITH else palette.muted


def nodes_table(shown: Shown) -> Table:
    """Return ranked nodes, then what is left out, each with its reason."""
    language = shown.language
    header = tuple(sentence("page.batch" if key == "batch" else f"nodes.column_{key}", language) for key in _COLUMNS)
    rows: list[tuple[str, ...]] = []
    if shown.found.values:
        found, empty = found_nodes(shown), (NOTHING,) * (len(_COLUMNS) - 2)
        rows += [_ranked_row(rank, node, language) for rank, node in enumerate(found.ranked, start=1)]
        rows += [(reason_words(one, language), one.name, *empty) for one in found.left_out]
    return Table(caption=sentence("figures.nodes_caption", language), header=header, rows=tuple(rows))


def _ranked_row(rank: int, node: PlannedNode, language: str) -> tuple[str, ...]:
    point, plain = node.cheapest, node.without
    first, joules, paid = (
        point.first_token_seconds,
        point.joules_per_token,
        point.electricity_usd_per_million_tokens,
    )
    return (
        str(rank),
        f"{node.gpus} × {node.name}",
        node.weights,
        layout_name(node.layout, language),
        drafter_words(point, language),
        fmt.count(point.batch),
        fmt.rate(point.tokens_per_second_per_user),
        cost_words(point.usd_per_million_tokens),
        NOTHING if plain is None else cost_words(plain.usd_per_million_tokens),
        fmt.usd(point.usd_per_hour),
        NOTHING if first is None else fmt.seconds(first),
        NOTHING if joules is None else fmt.significant(joules),
        NOTHING if paid is None else fmt.significant(paid),
        node.price_date or sentence("nodes.own_price", language),
    )


def nodes_rows(shown: Shown) -> list[Row]:
    """Return a row per ranked node with and without speculation, and per node of the frontiers, for files."""
    searched = nodes_plan(shown.evaluation)
    if not shown.found.values:
        return []
    found = searched.nodes(shown.found.values)
    rows: list[Row] = []
    for rank, node in enumerate(found.ranked, start=1):
        rows += [_row("ranked", point, rank) for point in (node.best, node.without) if point]
    rows += [_row("frontier", point) for point in found.frontier]
    rows += [_row("frontier without speculation", point) for point in found.frontier_without]
    for one in found.left_out:
        near = _row("left out", one.nearest) if one.nearest else dict.fromkeys(("list", "rank", "reason", *_FIELDS))
        rows.append({**near, "list": "left out", "gpu": one.gpu, "reason": one.reason})
    return rows


def _row(name: str, point: NodePoint, rank: int | None = None) -> Row:
    return {
        "list": name,
        "rank": rank,
        "reason": None,
        **{name: getattr(point, name) for name in _FIELDS},
    }
