"""The form of a line's card, besides its sliders: measured acceptance, mix, own work, passes, relax, placement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from roofline_app import format as fmt, registry
from roofline_app.evaluation.line_acceptance import states_trees
from roofline_app.page.forms import drafter_design, measured_acceptance, mixes
from roofline_app.page.forms.drafter_controls import SEPARATORS, with_line
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import number, plain_digits, share, typed_drafter
from roofline_app.results import DrafterResult
from roofline_app.scenario import Drafter, MeasuredAcceptance, MixedAcceptance, MixPart, Scenario
from roofline_app.text import phrases, sentence
from roofline_app.verdict import own_gpus

MORE = "more"
Writer = Callable[[Scenario, int, str, DrafterResult], Scenario]


class Card:
    """Makes the fields of one line's card."""

    def __init__(self, scenario: Scenario, index: int, result: DrafterResult, language: str) -> None:
        """Keep the line and what follows from it."""
        self.scenario = scenario
        self.index = index
        self.line: Drafter = scenario.drafters[index]
        self.kind = registry.drafter_kind(self.line.kind)
        self.result = result
        self.language = language
        self.listed = f"measured-{self.line.kind}"

    def words(self, key: str, **values: object) -> str:
        """Return a sentence of the page."""
        return sentence(f"page.{key}", self.language, **values)

    def fields(self) -> Iterator[FormField]:
        """Yield the fields that this line's kind and forms have."""
        acceptance = self.line.acceptance
        if isinstance(acceptance, MeasuredAcceptance):
            yield self._measured(acceptance)
        elif isinstance(acceptance, MixedAcceptance):
            yield from self._mix(acceptance)
        if self.result.physical:
            yield from self._own_work()
        if self.kind.in_blocks:
            yield from self._passes()
        if self.kind.trees:
            yield from self._tree()
        if not self.kind.hypothetical:
            relax = fmt.decimal(self.line.relax)
            yield self._more("relax", relax, hint=self.words("hint_relax"))
            yield from self._spread()
        if self.result.physical:
            yield from self._placement()
        yield from drafter_design.DesignForm(self.scenario, self.index, self.result, self.language).fields()

    def _more(self, key: str, value: str, hint: str = "", options: Mapping[str, str] | None = None) -> FormField:
        return FormField(
            key=key,
            control="choice" if options else "text",
            label=self.words(f"line_{key.replace('-', '_')}"),
            value=value,
            options=options,
            hint=hint,
            part=MORE,
        )

    def _measured(self, acceptance: MeasuredAcceptance) -> FormField:
        spec = registry.acceptance(acceptance.preset)
        conditions = phrases("conditions", self.language, spec.conditions)
        hint = [self.words("hint_measured", conditions=conditions, measured=spec.measured_draft_tokens)]
        if spec.contexts:
            first, last = fmt.count(spec.contexts[0]), fmt.count(spec.contexts[-1])
            hint.append(self.words("hint_by_context", first=first, last=last))
        if spec.model != self.scenario.model:
            hint.append(self.words("hint_other_model"))
        if spec.kind != self.kind.id:
            hint.append(self.words("hint_other_kind", kind=registry.drafter_kind(spec.kind).name))
        return FormField(
            key="measured",
            control="search",
            label=self.words("line_measured"),
            value=spec.name,
            listed=self.listed,
            hint=" ".join(hint),
        )

    def _mix(self, mix: MixedAcceptance) -> Iterator[FormField]:
        for index, part in enumerate(mix.parts):
            yield from self._part(index, part, last=len(mix.parts) == 1)
        hint = self.words("hint_mix")
        yield FormField(key="add-part", control="button", label=self.words("add_part"), hint=hint)

    def _part(self, index: int, part: MixPart, *, last: bool) -> Iterator[FormField]:
        number_ = index + 1
        yield FormField(
            key=f"share-{index}",
            control="text",
            label=self.words("line_share", number=number_),
            value=fmt.percent(part.share),
        )
        yield FormField(
            key=f"part-{index}",
            control="search",
            label=self.words("line_part", number=number_),
            value=measured_acceptance.acceptance_name(part.acceptance),
            listed=self.listed,
        )
        if not last:
            yield FormField(key=f"drop-{index}", control="button", label=self.words("drop_part", number=number_))

    def _own_work(self) -> Iterator[FormField]:
        physical = self.result.physical
        assert physical is not None
        cost = self.words("hint_own_work", cost=fmt.significant(physical.cost, 2))
        yield FormField(key="own-work", control="note", label="", hint=cost)
        options = {"relative": self.words("cost_relative"), "physical": self.words("cost_physical")}
        yield self._more("cost-as", "physical" if self.line.cost is None else "relative", options=options)
        parameters, size = fmt.parameters(physical.parameters), fmt.bytes_(physical.weight_bytes)
        told = self.words("hint_drafter", drafter=physical.name, parameters=parameters, size=size)
        hint = f"{told} {physical.assumed}".strip()
        models = self._models()
        if models:
            yield self._more("drafter", self.line.model, hint=hint, options=models)
        else:
            yield FormField(key="drafter", control="note", label="", hint=hint, part=MORE)

    def _models(self) -> Mapping[str, str]:
        """Return the drafters to choose from: those of this kind for this model, or any model as a draft model."""
        own = {"": self.words("drafter_own")}
        if self.kind.weights == "model":
            labels = {model: label for label, model in registry.model_labels().items()}
            return own | labels
        listed = {
            spec.id: spec.name
            for spec in registry.drafters().values()
            if (spec.kind == self.kind.id and self.scenario.model in spec.targets) or spec.id == self.line.model
        }
        return own | listed if len(listed) > 1 or self.line.model else {}

    def _passes(self) -> Iterator[FormField]:
        yield self._more("passes", str(self.line.passes), hint=self.words("hint_passes"))
        if self.line.passes > 1:
            yield self._more("gain", fmt.decimal(self.line.gain), hint=self.words("hint_gain"))

    def _tree(self) -> Iterator[FormField]:
        yield self._more("topk", str(self.line.topk), hint=self.words("hint_topk"))
        if self.line.topk == 1:
            return
        nodes = fmt.count(int(self.result.verify.query_tokens) - 1)
        verified = str(self.line.verified) if self.line.verified else ""
        yield self._more("verified", verified, hint=self.words("hint_verified", nodes=nodes))
        if not states_trees(self.line.acceptance, registry.acceptances()):
            ranks = " : ".join(fmt.decimal(share) for share in self.line.ranks or self.kind.ranks)
            yield self._more("ranks", ranks, hint=self.words("hint_ranks"))

    def _spread(self) -> Iterator[FormField]:
        if self.line.topk > 1:
            return
        yield self._more("spread", fmt.decimal(self.line.spread), hint=self.words("hint_spread"))
        if self.line.spread or self.line.confidence != 1.0:
            yield self._more("confidence", fmt.decimal(self.line.confidence), hint=self.words("hint_confidence"))

    def _placement(self) -> Iterator[FormField]:
        separate = self.result.separate
        hint = self.words("hint_placement")
        if separate:
            link = float(separate.link_seconds[max(self.result.best.draft_tokens, 1)])
            hint = self.words("hint_separate", own=own_gpus(separate.gpus, self.language), link=fmt.seconds(link))
        options = {"same": self.words("placement_same"), "separate": self.words("placement_separate")}
        yield self._more("placement", self.line.placement, hint=hint, options=options)
        if separate:
            network = registry.networks()["network"]
            latency, bandwidth = self.line.link_latency, self.line.link_bandwidth
            latency = network.latency_seconds if latency is None else latency
            bandwidth = network.bytes_per_second if bandwidth is None else bandwidth
            yield self._more("link-latency", fmt.decimal(round(latency / fmt.MICRO, 6)))
            yield self._more("link-bandwidth", fmt.decimal(bandwidth / fmt.GIGA), hint=self.words("hint_link"))


# What a changed field makes of the scenario


def _write_measured(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    line = scenario.drafters[index]
    return with_line(
        scenario,
        index,
        acceptance=measured_acceptance.measured_acceptance(text),
        block=measured_acceptance.of_checkpoint(line),
    )


def _write_cost_as(scenario: Scenario, index: int, text: str, result: DrafterResult) -> Scenario:
    """Return the same drafter at its own work, or at the share of a step that comes nearest to that."""
    line, physical = scenario.drafters[index], result.physical
    if physical is None or (text == "physical") == (line.cost is None):
        return scenario
    if text != "physical":
        return with_line(scenario, index, cost=round(physical.cost, 3))
    return with_line(scenario, index, cost=None, block=min(line.block, physical.draft_tokens_per_pass))


def _write_drafter(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    return _part_of_link(scenario, index, "model", text, text) if text else with_line(scenario, index, model="")


def _write_placement(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    if text == "separate":
        return with_line(scenario, index, placement="separate")
    return with_line(scenario, index, placement="same", link_latency=None, link_bandwidth=None)


def _part_of_link(scenario: Scenario, index: int, name: str, value: str, given: str) -> Scenario:
    """Return the scenario with one part of a line as a link would say it."""
    beside = {
        "gain": "passes=2,",
        "verified": "topk=2,",
        "ranks": "topk=2,",
        "link.latency": "placement=separate,",
        "link.bandwidth": "placement=separate,",
    }
    kind = scenario.drafters[index].kind
    read = typed_drafter(kind, f"{beside.get(name, '')}{name}={value}", given)
    field = name.replace(".", "_")
    return with_line(scenario, index, **{field: getattr(read, field)})


def _write_share(name: str, scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    return _part_of_link(scenario, index, name, fmt.decimal(share(text)), text)


def _write_passes(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    changed = _part_of_link(scenario, index, "passes", text.strip(), text)
    return changed if changed.drafters[index].passes > 1 else with_line(changed, index, gain=0.0)


def _write_topk(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    changed = _part_of_link(scenario, index, "topk", text.strip(), text)
    if changed.drafters[index].topk > 1:
        return with_line(changed, index, spread=0.0, confidence=1.0)
    return with_line(changed, index, verified=0, ranks=())


def _write_verified(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    if not text.strip():
        return with_line(scenario, index, verified=0)
    return _part_of_link(scenario, index, "verified", text.strip(), text)


def _write_ranks(scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    if not text.strip():
        return with_line(scenario, index, ranks=())
    return _part_of_link(scenario, index, "ranks", SEPARATORS.sub(":", plain_digits(text).strip()), text)


def _write_link(name: str, scale: float, scenario: Scenario, index: int, text: str, _: DrafterResult) -> Scenario:
    if not text.strip():
        return with_line(scenario, index, **{name.replace(".", "_"): None})
    return _part_of_link(scenario, index, name, repr(number(text) * scale), text)


WRITERS: Mapping[str, Writer] = {
    "measured": _write_measured,
    "cost-as": _write_cost_as,
    "drafter": _write_drafter,
    "passes": _write_passes,
    "gain": partial(_write_share, "gain"),
    "relax": partial(_write_share, "relax"),
    "spread": partial(_write_share, "spread"),
    "confidence": partial(_write_share, "confidence"),
    "topk": _write_topk,
    "verified": _write_verified,
    "ranks": _write_ranks,
    "placement": _write_placement,
    "link-latency": partial(_write_link, "link.latency", fmt.MICRO),
    "link-bandwidth": partial(_write_link, "link.bandwidth", fmt.GIGA),
}


def _changed_mix(mix: MixedAcceptance, what: str, part: int, text: str) -> MixedAcceptance:
    if what == "share":
        return mixes.with_share(mix, part, text)
    return mixes.with_part(mix, part, text) if what == "part" else mixes.without(mix, part)


def written(scenario: Scenario, index: int, field: str, text: str, result: DrafterResult) -> Scenario:
    """Return the scenario after a change of a field of a line's card; unknown fields change nothing.

    Args:
        scenario: The scenario.
        index: Which line.
        field: Key of the field.
        text: What the field says now.
        result: What followed from the line so far.

    Raises:
        NotUnderstoodError: When the text is not a value of the field.
        SpecError: When it is a config.json that is not read.
    """
    if field.startswith(drafter_design.PREFIX):
        return drafter_design.written(scenario, index, field, text)
    if field in WRITERS:
        return WRITERS[field](scenario, index, text, result)
    mix = scenario.drafters[index].acceptance
    if not isinstance(mix, MixedAcceptance):
        return scenario
    if field == "add-part":
        return with_line(scenario, index, acceptance=mixes.with_one_more(mix))
    what, _, number_ = field.rpartition("-")
    if what not in {"share", "part", "drop"} or not number_.isdecimal() or int(number_) >= len(mix.parts):
        return scenario
    return with_line(scenario, index, acceptance=_changed_mix(mix, what, int(number_), text))


def lists(scenario: Scenario) -> dict[str, list[str]]:
    """Return the names that the cards' searches look through."""
    kinds = {
        line.kind for line in scenario.drafters if isinstance(line.acceptance, MeasuredAcceptance | MixedAcceptance)
    }
    return {
        f"measured-{kind}": [spec.name for spec in measured_acceptance.in_order(scenario.model, kind)]
        for kind in sorted(kinds)
    }
