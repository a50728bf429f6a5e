"""The assumptions besides the choice of a profile: engine, layout and experts, and what a profile leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from roofline_app import format as fmt, registry
from roofline_app.hardware.layout_words import layout_name, layout_reason
from roofline_app.hardware.parallelism import Layout
from roofline_app.page.forms.fields import FormField
from roofline_app.page.forms.typed_text import typed_value
from roofline_app.resolved import usual_layout
from roofline_app.results import Evaluation
from roofline_app.scenario import Scenario
from roofline_app.text import sentence
from roofline_app.timing.profiles import CALIBRATED, DEFAULT_ENGINE, Profile


def fields(scenario: Scenario, evaluation: Evaluation, language: str) -> Iterator[FormField]:
    """Yield the fields of the popover: the engine where a profile is looked for, layout, experts."""

    def words(key: str, **values: object) -> str:
        return sentence(f"page.{key}", language, **values)

    calibrated = registry.profile(evaluation.profile.id).is_calibrated
    if scenario.profile == CALIBRATED:
        known = {engine: registry.engine(engine).name for engine in registry.engine_ids()}
        usual = {"": words("engine_usual", engine=known[DEFAULT_ENGINE])}
        hint = words("hint_engine", profile=evaluation.profile.name)
        options = usual | known
        yield FormField(
            key="engine",
            control="choice",
            label=words("engine_control"),
            value=scenario.engine,
            options=options,
            hint=hint,
        )
    if calibrated:
        yield FormField(
            key="kernels",
            control="switch",
            label=words("kernels_control"),
            value="on" if scenario.kernels == "fused" else "",
            hint=words("hint_kernels"),
        )
    yield _layout(scenario, evaluation, language)
    options = {} if calibrated else {choice: words(f"experts_{choice}") for choice in registry.routings()}
    yield FormField(
        key="experts",
        control="note" if calibrated else "choice",
        label=words("experts_control"),
        value=scenario.experts,
        options=options,
        hint=words("hint_experts_calibrated" if calibrated else f"hint_experts_{scenario.experts}"),
    )
    if evaluation.model.experts and evaluation.node.gpus > 1 and Layout(evaluation.layout.id).spreads_experts:
        yield FormField(
            key="imbalance",
            control="text",
            label=words("imbalance_control"),
            value=fmt.decimal(scenario.imbalance),
            hint=words("hint_imbalance"),
        )


def _layout(scenario: Scenario, evaluation: Evaluation, language: str) -> FormField:
    """Return the menu of layouts, with what the one in use does and why it is in use."""
    layouts = {layout.value: layout_name(layout, language) for layout in Layout}
    usual = layouts[usual_layout(scenario).value]
    does = sentence(f"page.hint_layout_{evaluation.layout.id.replace('+', '_')}", language)
    return FormField(
        key="layout",
        control="choice",
        label=sentence("page.layout_control", language),
        value=scenario.layout,
        options={"": sentence("page.layout_usual", language, layout=usual)} | layouts,
        hint=sentence("verdict.between", language).join((does, layout_reason(evaluation.layout, language))),
    )


def _write_experts(scenario: Scenario, text: str) -> Scenario:
    return replace(scenario, experts=typed_value("experts", text))


def _write_imbalance(scenario: Scenario, text: str) -> Scenario:
    return replace(scenario, imbalance=typed_value("imbalance", text or "1"))


def _write_layout(scenario: Scenario, text: str) -> Scenario:
    return replace(scenario, layout=typed_value("layout", text) if text else "")


def _write_engine(scenario: Scenario, text: str) -> Scenario:
    return replace(scenario, engine=typed_value("engine", text) if text else "")


def _write_kernels(scenario: Scenario, text: str) -> Scenario:
    return replace(scenario, kernels="fused" if text == "on" else "launched")


WRITERS: Mapping[str, Callable[[Scenario, str], Scenario]] = {
    "engine": _write_engine,
    "kernels": _write_kernels,
    "layout": _write_layout,
    "experts": _write_experts,
    "imbalance": _write_imbalance,
}


def remaining(profile: Profile, model: str) -> tuple[float, float]:
    """Return the median error that a profile leaves in the time per token, and that on models it never saw.

    Args:
        profile: A calibrated profile.
        model: Registry id; its own errors are returned where it is among the measured ones, else the mean over rows.

    Returns:
        Two relative errors; zeros where the profile's constants are drawn from others.
    """
    steps = [error for error in profile.errors if error.quantity == "step"]
    own = [error for error in steps if error.model == model] or steps
    rows = sum(error.rows for error in own)
    if not rows:
        return 0.0, 0.0
    seen = sum(error.median * error.rows for error in own) / rows
    unseen = sum(error.unseen_median * error.rows for error in own) / rows
    return seen, unseen


def assumption_summary(evaluation: Evaluation, language: str) -> str:
    """Return a profile's assumptions and errors in plain words."""
    profile = registry.profile(evaluation.profile.id)
    if not profile.is_calibrated:
        return sentence("page.footer", language)
    layout = (layout_reason(evaluation.layout, language),) if evaluation.node.gpus > 1 else ()
    return sentence("verdict.between", language).join((*layout, _left(profile, evaluation, language)))


def _left(profile: Profile, evaluation: Evaluation, language: str) -> str:
    seen, unseen = remaining(profile, evaluation.model.id)
    if not seen:
        return sentence("page.footer_drawn", language, profile=profile.name)
    measured = any(error.model == evaluation.model.id for error in profile.errors)
    return sentence(
        "page.footer_calibrated" if measured else "page.footer_unseen",
        language,
        profile=profile.name,
        rows=profile.rows,
        model=evaluation.model.name,
        seen=fmt.percent(round(seen, 2)),
        unseen=fmt.percent(round(unseen, 2)),
    )
