from __future__ import annotations

import re
import subprocess

import pytest

import build
from roofline_app.site import assemble
from roofline_app.site.bokehjs import Bundle, slim

# As BokehJS is bundled: modules by place, then by key in a plugin; one of the modules is late and never there.
MAIN = """(function(root, factory) { factory(); })(this, function() {
  const registered = globalThis.registered = [];
  return (function(modules, entry, aliases) {
    const cache = {};
    const require = (name) => {
      const key = aliases[String(name).replace("@bokehjs/", "")] ?? name;
      if (!modules[key]) throw new Error(`no module ${key}`);
      if (!cache[key]) modules[key](require, null, cache[key] = {}, () => {}, (n, v) => { cache[key][n] = v; });
      return cache[key];
    };
    const main = require(entry);
    main.register_plugin = (more, first, names) => {
      Object.assign(modules, more);
      Object.assign(aliases, names);
      require(first);
    };
    globalThis.Bokeh = main;
  })
([
function _(t,e,n,o,r){o();n.started=true,t(1)},
function _(t,e,n,o,r){o();const s={__importStar:t=>t},a=s.__importStar(t(2));(0,t(6).register_models)(a)},
function _(t,e,n,o,r){o();r("Line",t(3).Line),r("Text",t(4).Text);var i=t(5);r("Title",i.Title)},
function _(t,e,n,o,r){o();n.Line=class{};n.Line.__name__="Line";
Promise.resolve().then((()=>s.__importStar(t(99)))).catch((()=>{}))},
function _(t,e,n,o,r){o();n.Text=class{};n.Text.__name__="Text"},
function _(t,e,n,o,r){o();n.Title=class{};n.Title.__name__="Title"},
function _(t,e,n,o,r){o();n.register_models=t=>registered.push(...Object.values(t).map((t=>t.__name__)))},
function _(t,e,n,o,r){o();n.half=t=>t/2},
], 0, {"base":6,"math/half":7,"widgets/index":2}, {});});
"""

PLUGIN = """(function(root, factory) { factory(); })(this, function() {
  return (function(modules, entry, aliases) { return Bokeh.register_plugin(modules, entry, aliases); })
({
"a1": function _(t,e,n,o,r){o();const i=t("b2");n.all=i;(0,t("@bokehjs/base").register_models)(i)},
"b2": function _(t,e,n,o,r){o();r("Slider",t("c3").Slider),r("Player",t("d4").Player)},
"c3": function _(t,e,n,o,r){o();const s=t("@bokehjs/math/half");
n.Slider=class{};n.Slider.__name__="Slider";n.Slider.half=s.half(4)},
"d4": function _(t,e,n,o,r){o();n.Player=class{};n.Player.__name__="Player"},
}, "a1", {"models/slider":"c3"}, {});});
"""


def registered(script: bytes) -> list[str]:
    """Run a script in node; return the names of the models that it registers."""
    node, _ = build.node_and_npm()
    program = f"{script.decode()}\nconsole.log(globalThis.registered.join(' '))"
    return subprocess.run([node, "-e", program], check=True, capture_output=True, text=True).stdout.split()


def test_bundles_are_left_with_the_wanted_models_and_what_these_need_of_each_other() -> None:
    script = slim([MAIN, PLUGIN], {"Line", "panel.models.Slider"})
    assert registered(script) == ["Line", "Slider"]
    text = script.decode()
    assert "n.half" in text
    assert not re.search(r"Text=class|Title=class|Player=class", text)


def test_a_model_is_found_however_an_index_exports_it() -> None:
    assert sorted(registered(slim([MAIN], {"Title", "Text", "Line"}))) == ["Line", "Text", "Title"]


def test_a_plugin_of_which_nothing_is_wanted_is_left_out() -> None:
    assert b"register_plugin(modules" not in slim([MAIN, PLUGIN], {"Line"})


def test_modules_that_the_page_takes_itself_are_kept() -> None:
    assert b"n.half" not in slim([MAIN], {"Line"})
    assert b"n.half" in slim([MAIN], {"Line"}, ["math/half"])


@pytest.mark.parametrize(
    ("texts", "models", "named"),
    [
        ([MAIN, PLUGIN], {"Line", "Gauge"}, "Gauge"),
        ([MAIN, PLUGIN.replace("math/half", "math/third")], {"Slider"}, "math/third"),
        (["alert(1)"], {"Line"}, "no bundle"),
        ([MAIN.replace("register_models)(", "forget_models)(")], {"Line"}, "registers no models"),
    ],
)
def test_what_cannot_be_cut_down_is_named(texts: list[str], models: set[str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        slim(texts, models)


def test_bokehjs_itself_is_taken_apart_and_put_together_again() -> None:
    for text in assemble._bundles():
        bundle = Bundle.parsed(text)
        assert bundle.text(set(bundle.modules)) == text
        assert len(bundle.modules) > 20
