"""The fold of a line's card in which a user draws a drafter: its sizes or its config.json, and what follows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from roofline_app import format as fmt, registry
from roofline_app.evaluation import need
from roofline_app.model.config_json.parse import parsed
from roofline_app.model.drawn_drafter import kind_of_config, read_drafter_config
from roofline_app.page.forms.drafter_controls import with_kind, with_line
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import typed_drafter
from roofline_app.query import minified
from roofline_app.query.drawn_drafters import FORMATS, HEADS, SIZES, config_block, meant_for
from roofline_app.resolved import drawn_sizes
from roofline_app.results import DrafterResult, NeededAcceptance
from roofline_app.scenario import DrafterSizes, Scenario
from roofline_app.text import sentence

PART, PREFIX = "design", "design-"
_DIGITS = 2
# Windows are rare: they come with a config.json, or in a link.
_BOXES = tuple(name for name in SIZES if name not in {"window", "full-layers"})


class DesignForm:
    """Makes the fields of the fold of one line."""

    def __init__(self, scenario: Scenario, index: int, result: DrafterResult, language: str) -> None:
        """Keep the line and what follows from it."""
        self.scenario, self.index, self.result, self.language = scenario, index, result, language
        self.line = scenario.drafters[index]
        self.kind = registry.drafter_kind(self.line.kind)

    def words(self, key: str, **values: object) -> str:
        """Return a sentence of the page."""
        return sentence(f"page.{key}", self.language, **values)

    def fields(self) -> Iterator[FormField]:
        """Yield the fields: what starts a drawing, or the sizes of a drawn drafter and what they cost."""
        if not self.result.physical:
            return
        if self.kind.weights != "next-token":
            yield self._field("config", "area", hint=self.words("hint_design_config"))
        if self.line.sizes is None and not self.line.config:
            yield self._field("start", "button", hint=self.words("hint_design_start"))
            return
        if not self.line.config:
            yield from self._sizes()
        yield self._choice("precision", FORMATS, self.line.sizes.precision if self.line.sizes else "")
        yield self._field("says", "note", hint=sentence("verdict.between", self.language).join(self._said()))
        if self.line.config and self.result.physical.sizes:
            yield self._field("start", "button", hint=self.words("hint_design_edit"))
        yield self._field("undo", "button", hint=self.words("hint_design_undo"))

    def _field(self, key: str, control: str, value: str = "", hint: str = "") -> FormField:
        label = "" if control == "note" else self.words(f"design_{key.replace('-', '_')}")
        return FormField(key=f"{PREFIX}{key}", control=control, label=label, value=value, hint=hint, part=PART)  # type: ignore[arg-type]

    def _choice(self, key: str, known: tuple[str, ...], value: str) -> FormField:
        options = {"": self.words("design_as_it_is")} | {word: self._word(key, word) for word in known}
        label = self.words(f"design_{key}")
        return FormField(key=f"{PREFIX}{key}", control="choice", label=label, value=value, options=options, part=PART)

    def _word(self, key: str, word: str) -> str:
        return self.words(f"design_head_{word}") if key == "head" else word

    def _sizes(self) -> Iterator[FormField]:
        stated, whole = self.line.sizes or DrafterSizes(), drawn_sizes(self.line, self.scenario)
        for name in _BOXES:
            if not meant_for(name, self.kind) or (name == "vocabulary" and whole and whole.head == "shared"):
                continue
            value = getattr(stated, name.replace("-", "_"))
            assumed = getattr(whole, name.replace("-", "_")) if whole else ""
            hint = "" if value is not None else self.words("hint_design_assumed", value=assumed)
            yield self._field(name, "text", "" if value is None else str(value), hint)
        if meant_for("head", self.kind):
            yield self._choice("head", HEADS, stated.head)

    def _said(self) -> Iterator[str]:
        physical = self.result.physical
        assert physical is not None
        parameters, size = fmt.parameters(physical.parameters), fmt.bytes_(physical.weight_bytes)
        cost, batch = fmt.significant(physical.cost, _DIGITS), fmt.count(self.scenario.batch)
        yield self.words("design_costs", parameters=parameters, size=size, cost=cost, batch=batch)
        wanted = need(self.scenario, everywhere=False).drafters[self.index]
        own = fmt.significant(float(wanted.own_acceptance[0]), _DIGITS)
        if math.isnan(wanted.without.acceptance[0]):
            yield self.words("design_never", own=own)
        else:
            length = int(wanted.without.draft_tokens[0])
            yield self.words("design_needs", acceptance=_now(wanted.without), draft=length, own=own)
        for line, other in zip(self._others(), wanted.against, strict=True):
            if not registry.drafter_kind(line).hypothetical:
                key = "design_against_none" if math.isnan(other.acceptance[0]) else "design_against"
                yield self.words(key, other=other.name, acceptance=_now(other))

    def _others(self) -> list[str]:
        return [line.kind for place, line in enumerate(self.scenario.drafters) if place != self.index]


def _now(needed: NeededAcceptance) -> str:
    return fmt.significant(float(needed.acceptance[0]), _DIGITS)


def with_drafter_config(scenario: Scenario, index: int, text: str) -> Scenario:
    """Return the scenario with the drafter of a config.json, of whatever kind it is.

    Args:
        scenario: The scenario.
        index: Which line.
        text: The file.

    Raises:
        SpecError: When it cannot be read; one line that names the field.
    """
    kinds = registry.drafter_kinds()
    kind = kinds[kind_of_config(kinds.values(), parsed(text))]
    read_drafter_config(kinds.values(), kind, text)
    config = minified(text)
    changed = scenario if scenario.drafters[index].kind == kind.id else with_kind(scenario, index, kind.id)
    block = config_block(kind, config)
    return with_line(changed, index, config=config, sizes=None, model="", cost=None, block=block)


def _with_sizes(scenario: Scenario, index: int, sizes: DrafterSizes | None) -> Scenario:
    """Return the scenario with stated sizes, at the cost of the drafter's own work; None where nothing is stated."""
    return with_line(scenario, index, sizes=None if sizes == DrafterSizes() else sizes, cost=None)


def _started(scenario: Scenario, index: int) -> Scenario:
    """Return the scenario with all sizes of the line's drafter stated."""
    line = scenario.drafters[index]
    whole = drawn_sizes(line, scenario)
    if whole is None:
        return scenario
    kind, sizes = registry.drafter_kind(line.kind), whole.as_stated()
    if not meant_for("head", kind):
        sizes = replace(sizes, head="")
    changed = with_line(scenario, index, config="")
    return _with_sizes(changed, index, sizes)


def written(scenario: Scenario, index: int, field: str, text: str) -> Scenario:
    """Return the scenario after a change of a field of the fold; unknown fields change nothing.

    Args:
        scenario: The scenario.
        index: Which line.
        field: Key of the field.
        text: What the field says now.

    Raises:
        NotUnderstoodError: When the text is not a value of the field.
        SpecError: When it is a config.json that is not read.
    """
    line, name = scenario.drafters[index], field.removeprefix(PREFIX)
    sizes = line.sizes or DrafterSizes()
    if name == "config":
        return with_drafter_config(scenario, index, text) if text.strip() else scenario
    if name == "start":
        return _started(scenario, index)
    if name == "undo":
        return with_line(scenario, index, sizes=None, config="")
    if name == "head":
        whole = drawn_sizes(line, scenario)
        words = whole.vocabulary if whole and text == "own" else None
        return _with_sizes(scenario, index, replace(sizes, head=text if text in HEADS else "", vocabulary=words))
    if name == "precision":
        changed = replace(sizes, precision=text if text in FORMATS else "")
        return _with_sizes(scenario, index, changed)
    return _with_sizes(scenario, index, _changed(sizes, name, text, line.kind)) if name in SIZES else scenario


def _changed(sizes: DrafterSizes, name: str, text: str, kind: str) -> DrafterSizes:
    """Return sizes with one of them as a link would read it, beside the others; an emptied box states nothing."""
    field = name.replace("-", "_")
    if not text.strip():
        return replace(sizes, **{field: None})  # type: ignore[arg-type]
    given = text.strip().replace(",", "")
    beside: Mapping[str, int | None] = {"heads": sizes.heads, "kv-heads": sizes.kv_heads}
    others = [f"{other}={value}" for other, value in beside.items() if value is not None and other != name]
    # Of two that contradict each other a link drops one, so that the box is refused.
    read = typed_drafter(kind, ",".join([f"{name}={given}", *(others if name in beside else [])]), text)
    return replace(sizes, **{field: getattr(read.sizes, field)})
