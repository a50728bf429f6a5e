"""Steps of the snapshot, run inside Pyodide by `take.mjs`: make the default page, use all of it, put it back."""

import base64
import gc
import importlib
import json
import linecache
import random
import re
import sys
from collections.abc import Mapping
from typing import Any

from roofline_app.page.runtime import panel_shims

panel_shims.install()

from bokeh.models.widgets.sliders import Slider  # noqa: E402 (Panel must find the shims)

from roofline_app.page.runtime import browser, reseed  # noqa: E402

ROUNDS = 2
# What no preset shows: forms of a line and of a profile that read files of their own.
LINKS = (
    "drafter=mtp,preset=deepseek-v4-pro-mtp-thinking-on,placement=separate&profile=calibrated&kernels=fused",
    "drafter=draft,mix=0.5:0.8;0.5:0.3&model=qwen3.5-27b&gpu=b200&gpus=1",
)
# Runs of a user's own, enough to fit a profile to, of another model; one does not state its draft length.
RUNS = """model,batch,context_tokens,draft_tokens,tokens_per_round,seconds_per_token
qwen3-8b,1,2048,0,1,0.01
qwen3-8b,2,2048,0,1,0.01
qwen3-8b,4,2048,0,1,0.01
qwen3-8b,4,2048,,2,0.01
"""


def make_page(language: str) -> None:
    """Build the default page, its document alive from here on."""
    reseed.reseed(0, 0)
    browser.prepare(language)
    _of_the_page("text", "read_all", tuple)()  # a page in the other language can share this one's Python


def rehearse() -> None:
    """Do what users do, so that every late import and cache is warm, and put everything back.

    Raises:
        RuntimeError: If the page is not what it was before.
    """
    page = browser.current().page
    before = page.state()
    for _ in range(ROUNDS):
        _try_everything(before)
        _turn([("query", ""), ("theme", "dark"), ("theme", browser.PREPARED_THEME)])
    _measure()
    changed = [name for name, value in page.state().items() if value != before[name]]
    if changed:
        message = f"the rehearsal has changed the page: {changed}"
        raise RuntimeError(message)


def _of_the_page(module: str, name: str, otherwise: Any) -> Any:
    """Return an attribute of a module of the page; the page that tests build has few modules."""
    return getattr(sys.modules.get(f"roofline_app.{module}"), name, otherwise)


def _turn(events: list[tuple[str, object]], patch: str = "") -> None:
    browser.turn(patch, json.dumps([{"name": name, "value": value} for name, value in events]))


def _try_everything(state: Mapping[str, Any]) -> None:
    """Choose every preset, move every slider, open every table, add and remove a line."""
    for name in state.get("keys", ()):
        _turn([("show", {"figure": name, "visible": True}), ("table", {"figure": name, "open": True})])
    for preset in state.get("presets", ()):
        _turn([("preset", preset["id"])])
    _turn([("query", "")])
    _turn([("add-drafter", None)])
    _turn([("remove-drafter", 1)])
    _turn([("narrow", True), ("switch", {"name": "fixed-length", "on": True})])
    _turn([("narrow", False), ("switch", {"name": "fixed-length", "on": False})])
    for engine in ("vllm", "sglang", "tensorrt-llm", ""):
        _turn([("use", engine)])
    _turn([("config", "{}"), ("validation", True), ("files", [{"name": "empty", "content": ""}])])
    figures: Mapping[str, Any] = _of_the_page("page.figures.catalogue", "FIGURES", {})
    _turn([("validation", False)])
    # A piece of one that is drawn whole draws nothing yet; one with a key has been shown above.
    for name in (name for name, figure in figures.items() if figure.work and (figure.is_drawn_whole or figure.key)):
        _turn([("show", {"figure": name, "visible": True})])
        shown: Mapping[str, Any] = browser.current().page.state()
        revision = shown["pending"][name]["revision"]
        _turn([("advance", {"figure": name, "revision": revision})])
        _turn([("show", {"figure": name, "visible": False})])
    _turn([("query", "")])
    for link in (*LINKS, ""):
        _turn([("query", link)])
        _turn([("working", {"figure": figure, "open": True}) for figure in figures])
        _turn([("working", {"figure": figure, "open": False}) for figure in figures])
    for name in state.get("keys", ()):
        _turn([("table", {"figure": name, "open": False})])
    sliders = [model for model in browser.current().page.document.models if isinstance(model, Slider)]
    for model in sorted(sliders, key=lambda slider: slider.id):
        for value in (model.value + model.step, model.value):
            change = {"kind": "ModelChanged", "model": {"id": model.id}, "attr": "value", "new": value}
            _turn([], json.dumps({"events": [change]}))


def _measure() -> None:
    """Do all that can be done with a user's own runs, and remove them."""
    content = base64.b64encode(RUNS.encode()).decode()
    _turn([("files", [{"name": "runs.csv", "content": content}]), ("validation", True)])
    _turn([("draft-length", {"file": 0, "drafts": "3"}), ("contribute", None), ("fit-points", None)])
    _turn([("validation", False)])
    _turn([("clear-points", None), ("query", "")])


def openings() -> str:
    """Return JSON of what the browser draws first, by theme; the prepared one last, for the document stays in it."""
    paint: dict[str, str] = getattr(browser.current().page, "first_paint", dict)()
    texts: dict[str, object] = {"paint": paint}
    for theme in ("dark", browser.PREPARED_THEME):
        _turn([("theme", theme)])
        texts[theme] = json.loads(browser.current().open_again())
    return json.dumps(texts)


def tidy() -> None:
    """Forget what only the build needed."""
    random.seed(0)  # Python took the machine's randomness; the user's browser brings its own
    linecache.clearcache()
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
    re.purge()
    gc.collect()
    gc.freeze()  # what is loaded now stays: no need to search it again and again
