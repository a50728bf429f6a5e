"""Panel's widgets of the page, one per control, by the control's name; nothing here reacts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.models import InlineStyleSheet

from roofline_app import registry
from roofline_app.page.forms.controls import BATCH_STEPS, CONTEXT_STEPS
from roofline_app.page.forms.drafter_controls import KEYS
from roofline_app.page.forms.widget_style import WIDGET_CSS
from roofline_app.scenario import LARGEST_CAP
from roofline_app.text import sentence, translated
from roofline_app.timing.profiles import CALIBRATED

Widget = Any
WEIGHT_FORMATS = ("bf16", "fp8", "fp4", "int8", "int4")
DEAREST_COST = 0.5
COST_STEP = 0.005
ACCEPTANCE_STEP = 0.01


class Maker:
    """Makes widgets with words in one language."""

    def __init__(self, language: str) -> None:
        """Keep the language."""
        self.language = language

    def words(self, key: str, **values: object) -> str:
        """Return a sentence of the page."""
        return sentence(f"page.{key}", self.language, **values)

    def typed(self, key: str, *classes: str, **values: object) -> Widget:
        """Return a box for typed text; its words are those of `key`."""
        return pn.widgets.TextInput(label=self.words(key, **values), css_classes=list(classes))

    def select(self, key: str, options: Mapping[str, str], *classes: str, **values: object) -> Widget:
        """Return a menu of words that stand for values."""
        return pn.widgets.Select(label=self.words(key, **values), options=dict(options), css_classes=list(classes))

    def steps(self, key: str, start: int, end: int) -> Widget:
        """Return a slider over whole steps."""
        return pn.widgets.IntSlider(label=self.words(key), start=start, end=end, value=start, css_classes=["bare"])

    def share(self, key: str, end: float, step: float, number: int) -> Widget:
        """Return a slider over a share."""
        name = self.words(key, number=number)
        return pn.widgets.FloatSlider(label=name, start=0, end=end, step=step, value=0, css_classes=["bare"])


def _format_names() -> Mapping[str, str]:
    return {name.upper(): name for name in WEIGHT_FORMATS}


def setting_widgets(language: str) -> Mapping[str, Widget]:
    """Return the widgets of the setting, by control."""
    make = Maker(language)
    formats = {make.words("as_published"): "published", **_format_names()}
    gpus = {gpu.name: gpu.id for gpu in registry.gpus().values()}
    listed = [(profile.name, profile.id) for profile in registry.profiles().values()]
    profiles = dict([listed[0], (make.words("profile_closest"), CALIBRATED), *listed[1:]])
    overlap = {make.words("kv_read_overlap"): "overlap", make.words("kv_read_add"): "add"}
    return {
        "gpu": make.select("gpu", gpus),
        "gpus": make.typed("gpus"),
        "bandwidth": make.typed("bandwidth"),
        "memory": make.typed("memory_of_gpu"),
        "bf16": make.typed("peak_bf16"),
        "fp8": make.typed("peak_fp8"),
        "fp4": make.typed("peak_fp4"),
        "int8": make.typed("peak_int8"),
        "interconnect": make.typed("interconnect"),
        "price": make.typed("price"),
        "reserve": make.typed("reserve"),
        "batch-slider": make.steps("batch_control", 0, len(BATCH_STEPS) - 1),
        "batch": make.typed("batch_typed"),
        "context-slider": make.steps("context_control", 0, len(CONTEXT_STEPS) - 1),
        "context": make.typed("context_typed"),
        "experts": make.select("experts_format", formats),
        "linear": make.select("linear_format", formats),
        "head": make.select("head_format", formats),
        "kv": make.select("kv_format", formats),
        "cap-slider": make.steps("cap_control", 1, LARGEST_CAP),
        "cap": make.typed("cap_typed", "small", "bare"),
        "profile": make.select("profile_control", profiles),
        "kv-read": make.select("kv_read_control", overlap),
    }


def line_widgets(index: int, language: str) -> Mapping[str, Widget]:
    """Return the widgets of one drafter line, by control."""
    make = Maker(language)
    number = index + 1
    kinds = {
        translated(f"drafter_kinds.{kind.id}_name", language, kind.name): kind.id
        for kind in registry.drafter_kinds().values()
    }
    forms = {make.words(f"form_{form}"): form for form in KEYS}
    return {
        "kind": make.select("kind_of", kinds, "small", "bare", number=number),
        "form": make.select("form_of", forms, "small", "bare", number=number),
        "acceptance-slider": make.share("acceptance_slider", 1.0, ACCEPTANCE_STEP, number),
        "acceptance": make.typed("acceptance_of", "small", "bare", number=number),
        "cost-slider": make.share("cost_slider", DEAREST_COST, COST_STEP, number),
        "cost": make.typed("cost_of", "small", "bare", number=number),
        "block": make.typed("block_of", "small", "bare", number=number),
        "name": make.typed("name_of", "small", "bare", number=number),
        "colour": pn.widgets.ColorPicker(label=make.words("colour_of", number=number), css_classes=["small", "bare"]),
    }


def add_to(document: Document, widgets: Mapping[str, Widget]) -> None:
    """Add each widget to a document as a root with the control's name, all with the page's one sheet."""
    sheet = InlineStyleSheet(css=WIDGET_CSS)
    for name, widget in widgets.items():
        widget.sizing_mode = "stretch_width"
        model = widget.get_root(document)
        model.name = name
        model.stylesheets = [sheet]
        document.add_root(model)
