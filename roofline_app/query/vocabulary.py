"""The keys of a link whose values are words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from roofline_app import registry
from roofline_app.data import read_toml
from roofline_app.hardware.parallelism import Layout
from roofline_app.query.encoding import PUBLISHED
from roofline_app.query.notices import NOTHING, Notices
from roofline_app.scenario import Presentation, Scenario, Weights
from roofline_app.text import LANGUAGES
from roofline_app.timing.profiles import CALIBRATED

FORMATS = ("bf16", "fp8", "fp4", "int8", "int4")
CONTROLS = ("model", "node", "batch", "context", "precision", "drafters", "assumptions")
THEMES = ("light", "dark", "auto")
KV_READS = ("overlap", "add")
EXPERTS = ("independent", "correlated")
KERNELS = ("launched", "fused")
INDEPENDENT, CORRELATED = EXPERTS
IDEAL_PROFILE = Scenario().profile
_PARTS = ("experts", "linear", "head")
# Pipeline parallel, in the form of the layouts that there are.
_PIPELINE = "pp"
_POSTER = re.compile(r"[a-z0-9.-]{1,64}")
_PRESENTATION = ("figure", "figures", "controls", "theme", "lang", "poster")
KEYS = ("weights", "kv", "profile", "kv-read", "experts", "kernels", "layout", "engine", *_PRESENTATION)


@cache
def figure_ids() -> tuple[str, ...]:
    """Return the figures that a link can name."""
    return tuple(read_toml("figures.toml")["figures"])


def choices() -> Mapping[str, tuple[str, ...]]:
    """Return the words that a key takes one of."""
    return {
        "kv": (PUBLISHED, *FORMATS),
        "profile": (*registry.profile_ids(), CALIBRATED),
        "kv-read": KV_READS,
        "experts": EXPERTS,
        "kernels": KERNELS,
        "layout": tuple(layout.value for layout in Layout),
        "engine": registry.engine_ids(),
        "theme": THEMES,
        "lang": LANGUAGES,
    }


def lists() -> Mapping[str, tuple[str, ...]]:
    """Return the words that a key takes some of, joined by commas."""
    return {"figure": figure_ids(), "figures": figure_ids(), "controls": CONTROLS}


def read(single: Mapping[str, str], notices: Notices) -> dict[str, object]:
    """Return the scenario's fields that words decide.

    Args:
        single: Values by key.
        notices: Takes a notice for each value that is not used as given.
    """
    profile = _choice("profile", single, Scenario().profile, notices)
    return {
        "weights": _weights(single.get("weights", PUBLISHED), notices),
        "kv": _choice("kv", single, PUBLISHED, notices),
        "profile": profile,
        "kv_read": _choice("kv-read", single, Scenario().kv_read, notices),
        "experts": _experts(single, profile, notices),
        "kernels": _choice("kernels", single, Scenario().kernels, notices),
        "layout": _layout(single, notices),
        "engine": _choice("engine", single, "", notices),
        "presentation": _presentation(single, notices),
    }


def _choice(key: str, single: Mapping[str, str], default: str, notices: Notices) -> str:
    if key not in single:
        return default
    known = choices()[key]
    # A plus sign in a query reads as a space; no word holds a space of its own.
    given = single[key].lower().replace(" ", "+")
    if given in known:
        return given
    used = default or "the page's own"
    notices.add("not_a_choice", key=key, given=single[key], used=used, detail=", ".join(known))
    return default


def _layout(single: Mapping[str, str], notices: Notices) -> str:
    if _PIPELINE in single.get("layout", "").lower():
        notices.add("no_pipeline", key="layout", given=single["layout"], used="the page's own")
        return ""
    return _choice("layout", single, "", notices)


def _experts(single: Mapping[str, str], profile: str, notices: Notices) -> str:
    chosen = _choice("experts", single, INDEPENDENT, notices)
    if profile != IDEAL_PROFILE and single.get("experts", "").lower() == INDEPENDENT:
        # Calibrated constants were fitted with experts as counted and mean nothing without.
        notices.add("needs_beside", key="experts", given=chosen, used=CORRELATED, detail=f"profile={IDEAL_PROFILE}")
    return chosen


def _weights(text: str, notices: Notices) -> Weights:
    """Return weight formats from `published`, one format, or formats by part."""
    given = text.lower()
    if given == PUBLISHED:
        return Weights()
    if given in FORMATS:
        return Weights(experts=given, linear=given, head="bf16")
    found: dict[str, str] = {}
    for pair in given.split(","):
        part, _, chosen = (piece.strip() for piece in pair.partition(":"))
        if part in _PARTS and chosen in {PUBLISHED, *FORMATS}:
            found[part] = chosen
        elif part in _PARTS:
            detail = ", ".join((PUBLISHED, *FORMATS))
            notices.add("not_a_choice", key=f"weights.{part}", given=chosen, used=PUBLISHED, detail=detail)
        else:
            detail = ", ".join((PUBLISHED, *FORMATS, *(f"{name}:…" for name in _PARTS)))
            notices.add("not_a_choice", key="weights", given=pair, used=PUBLISHED, detail=detail)
    return Weights(**found)


def _presentation(single: Mapping[str, str], notices: Notices) -> Presentation:
    figures = (*_listed("figure", single, notices), *_listed("figures", single, notices))
    poster = single.get("poster", "")
    if poster and not _POSTER.fullmatch(poster):
        notices.add("not_a_choice", key="poster", given=poster, used=NOTHING, detail="the posters' names")
        poster = ""
    return Presentation(
        figures=tuple(dict.fromkeys(figures)),
        controls=_listed("controls", single, notices),
        theme=_choice("theme", single, "", notices),
        lang=_language(single, notices),
        poster=poster,
    )


def _listed(key: str, single: Mapping[str, str], notices: Notices) -> tuple[str, ...]:
    """Return the known words of a list joined by commas, each once, in the order given."""
    found: list[str] = []
    known = lists()[key]
    for word in filter(None, (word.strip() for word in single.get(key, "").split(","))):
        if word.lower() in known:
            found.append(word.lower())
        else:
            notices.add("not_a_choice", key=key, given=word, used=NOTHING, detail=", ".join(known))
    return tuple(dict.fromkeys(found))


def _language(single: Mapping[str, str], notices: Notices) -> str:
    """Return a language that there are texts in; a region such as in `zh-CN` is left out."""
    if "lang" not in single:
        return ""
    plain = single["lang"].replace("_", "-").partition("-")[0].lower()
    return plain if plain in LANGUAGES else _choice("lang", single, "", notices)
