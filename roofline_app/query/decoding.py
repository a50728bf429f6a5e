"""Query string to scenario: total, whatever the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from types import MappingProxyType
from urllib.parse import unquote_plus

from roofline_app import registry
from roofline_app.model.config_json import read_config
from roofline_app.query import planning_words, vocabulary
from roofline_app.query.drafter_lines import read_drafter
from roofline_app.query.encoding import VERSION, encode
from roofline_app.query.learning import read_learning
from roofline_app.query.loads import LOAD, read_load
from roofline_app.query.notices import NOTHING, Notice, Notices
from roofline_app.query.numbers import Limits, number, read_number, written
from roofline_app.query.packed_config import PackedConfigError, minified, unpacked
from roofline_app.scenario import (
    CUSTOM,
    LARGEST_BATCH,
    LARGEST_CAP,
    LARGEST_CONTEXT,
    LARGEST_GPUS,
    LARGEST_IMBALANCE,
    LARGEST_RESERVE,
    LONGEST_NAME,
    MOST_DRAFTERS,
    MOST_PINNED,
    Drafter,
    Hardware,
    Presentation,
    Scenario,
    middle_context,
    with_pinned,
)
from roofline_app.specs import SpecError

LONGEST_QUERY = 2**18
_DEFAULT = Scenario()
_OWN = "the registry's"
_POSITIVE = Limits(least=10**3, most=10**24)
_WHOLE: Mapping[str, Limits] = MappingProxyType(
    {
        "gpus": Limits(least=1, most=LARGEST_GPUS, whole=True),
        "batch": Limits(least=1, most=LARGEST_BATCH, whole=True),
        "context": Limits(least=1, most=LARGEST_CONTEXT, whole=True),
        "cap": Limits(least=1, most=LARGEST_CAP, whole=True),
        "seed": Limits(least=0, most=2**32 - 1, whole=True),
        "prompt": Limits(least=1, most=LARGEST_CONTEXT, whole=True),
        "output": Limits(least=1, most=LARGEST_CONTEXT, whole=True),
        "requests": Limits(least=1, most=LARGEST_BATCH, whole=True),
        "budget": Limits(least=1, most=LARGEST_BATCH * (LARGEST_CAP + 1), whole=True),
    }
)
_REAL: Mapping[str, Limits] = MappingProxyType(
    {
        "price": Limits(least=0, most=10**6, smallest=1e-6),
        "reserve": Limits(least=0, most=LARGEST_RESERVE),
        "imbalance": Limits(least=1, most=LARGEST_IMBALANCE),
        "traffic": Limits(least=0, most=10**18, smallest=1e-3),
        "after": Limits(least=1, most=LARGEST_CAP + 1),
        "training": Limits(least=0, most=10**12),
        "horizon": Limits(least=1, most=36_500),
        "electricity": Limits(least=0, most=100),
    }
)
NUMBERS: Mapping[str, Limits] = MappingProxyType({**_WHOLE, **_REAL})
HARDWARE: Mapping[str, Limits] = MappingProxyType(
    {
        f"gpu.{part.name}": replace(_POSITIVE, least=0, smallest=_POSITIVE.least)
        if part.name == "interconnect"
        else _POSITIVE
        for part in fields(Hardware)
    }
)
_DRAFTER, _COMPARE = _REPEATABLE = ("drafter", "compare")
_OTHERS = ("v", "model", "config", "gpu", "preset", "learning", LOAD, *_REPEATABLE)
KEYS = (*_OTHERS, *NUMBERS, *HARDWARE, *vocabulary.KEYS, *planning_words.KEYS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A decoded query string.

    Attributes:
        scenario: A complete setting; what the query leaves out or gets wrong has its default.
        notices: What was not used as given, in the order of reading.
    """

    scenario: Scenario
    notices: tuple[Notice, ...]


def decode(text: str) -> Decoded:
    """Return the scenario that a query string describes, and a notice for everything not used as given.

    Total: any text of any length gives a scenario.

    Args:
        text: A query string, with or without the leading question mark, percent-encoded or not.

    Returns:
        The scenario and its notices; none for what `encode` writes.

    Examples:
        >>> decoded = decode("batch=4k&gpus=many")
        >>> decoded.scenario.batch, [notice.key for notice in decoded.notices]
        (4096, ['gpus'])
    """
    return _decoded(text, may_pin=True)


def read_value(key: str, text: str) -> tuple[object, tuple[Notice, ...]]:
    """Return the value that a text states for one key, as a link with it would be read.

    Args:
        key: One of the keys whose values are numbers or words, or the load.
        text: What was given.

    Returns:
        The value, or None where nothing was understood; and what was not used as given.

    Raises:
        KeyError: When the key is none of them.
    """
    notices = Notices()
    if key == LOAD:
        return read_load(text, notices), notices.all()
    if key in NUMBERS:
        return _numbers({key: text}, notices).get(key), notices.all()
    return vocabulary.read({key: text}, notices)[key.replace("-", "_")], notices.all()


def _decoded(text: str, *, may_pin: bool) -> Decoded:
    notices = Notices()
    single, repeated = _expanded(*_pairs(text, notices), notices)
    _check_version(single.get("v"), notices)
    model, config = _model(single, notices)
    found: dict[str, object] = {"model": model, "config": config, "gpu": _gpu(single.get("gpu"), notices)}
    found |= _numbers(single, notices)
    found |= _requests(single, found, notices)
    found["hardware"] = _hardware(single, notices)
    found |= vocabulary.read(single, notices)
    found |= planning_words.read_planning(single, notices)
    found["drafters"] = _drafters(repeated[_DRAFTER], notices)
    found["load"] = read_load(single.get(LOAD, ""), notices)
    if single.get("learning"):
        found["learning"] = read_learning(single["learning"], notices)
    pinned = _pinned(repeated[_COMPARE], notices, may_pin=may_pin)
    scenario = with_pinned(replace(_DEFAULT, **found), pinned)  # type: ignore[arg-type]
    return Decoded(scenario=scenario, notices=notices.all())


def _requests(single: Mapping[str, str], found: Mapping[str, object], notices: Notices) -> dict[str, object]:
    """Return what follows from a request's lengths: the context where none is stated; nothing without both lengths."""
    prompt, output = (found.get(key) for key in ("prompt", "output"))
    if isinstance(prompt, int) and isinstance(output, int):
        return {} if "context" in found else {"context": middle_context(prompt, output)}
    for key in ("prompt", "output", "requests"):
        if key in found:
            notices.add("needs_beside", key=key, given=single[key], used=NOTHING, detail="prompt= and output=")
    return dict.fromkeys(("prompt", "output", "requests"))


def _pairs(text: str, notices: Notices) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the values by key, the last of each, and those of keys that are repeated, in order."""
    if len(text) > LONGEST_QUERY:
        used = f"what stands in the first {LONGEST_QUERY}"
        notices.add("too_long", key="query", given=str(len(text)), used=used)
        # The pair that the cut goes through would read as another value.
        text = text[:LONGEST_QUERY].rpartition("&")[0]
    single: dict[str, str] = {}
    repeated: dict[str, list[str]] = {key: [] for key in _REPEATABLE}
    for pair in text.strip().lstrip("?").split("&"):
        if not pair:
            continue
        name, _, value = pair.partition("=")
        key, value = unquote_plus(name).strip(), unquote_plus(value).strip()
        if key in repeated:
            repeated[key].append(value)
            continue
        if key not in KEYS:
            notices.add("unknown_key", key=key, given=value, used=NOTHING, detail=notices.hint(key, KEYS))
            continue
        if key in single:
            notices.add("repeated", key=key, given=single[key], used=value)
        single[key] = value
    return single, repeated


def _expanded(
    single: dict[str, str], repeated: dict[str, list[str]], notices: Notices
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the pairs with a preset's put under them."""
    chosen = single.pop("preset", None)
    if chosen is None:
        return single, repeated
    preset = registry.presets().get(chosen.lower())
    if preset is None:
        hint = notices.hint(chosen, registry.presets())
        notices.add("unknown_id", key="preset", given=chosen, used="no preset", detail=hint)
        return single, repeated
    beneath, beneath_repeated = _pairs(preset.query, notices)
    return beneath | single, {key: given or beneath_repeated[key] for key, given in repeated.items()}


def _check_version(text: str | None, notices: Notices) -> None:
    if text is None or text == str(VERSION):
        return
    version = number(text)
    reason = "not_a_number" if version is None else "outside" if version < VERSION else "newer_version"
    notices.add(reason, key="v", given=text, used=str(VERSION), detail=f"{VERSION} to {VERSION}")


def _model(single: Mapping[str, str], notices: Notices) -> tuple[str, str]:
    """Return the model's id, and the config.json's text where it is a custom one."""
    packed_config = single.get("config", "")
    given = single.get("model", CUSTOM if packed_config else _DEFAULT.model)
    known = given.lower()
    if known == CUSTOM and packed_config:
        return _custom(packed_config, notices)
    if packed_config:
        notices.add("config_without_custom", key="config", given=packed_config, used=NOTHING)
    if known == CUSTOM:
        notices.add("custom_without_config", key="model", given=given, used=_DEFAULT.model)
    elif known in registry.model_ids():
        return known, ""
    elif registry.hub_model(known):
        return registry.hub_model(known), ""
    else:
        hint = notices.hint(known, registry.model_ids())
        reason = "unlisted_repository" if registry.is_repository(given) else "unknown_id"
        notices.add(reason, key="model", given=given, used=_DEFAULT.model, detail=hint)
    return _DEFAULT.model, ""


def _custom(packed_config: str, notices: Notices) -> tuple[str, str]:
    try:
        text = unpacked(packed_config)
        read_config(text)
    except PackedConfigError as error:
        reason, detail = "not_packed", str(error)
    except SpecError as error:
        reason, detail = "refused_config", str(error)
    else:
        return CUSTOM, minified(text)
    notices.add(reason, key="config", given=packed_config, used=_DEFAULT.model, detail=detail)
    return _DEFAULT.model, ""


def _gpu(given: str | None, notices: Notices) -> str:
    if given is None:
        return _DEFAULT.gpu
    known = registry.gpu_ids()
    if given.lower() in known:
        return given.lower()
    notices.add("unknown_id", key="gpu", given=given, used=_DEFAULT.gpu, detail=notices.hint(given, known))
    return _DEFAULT.gpu


def _numbers(single: Mapping[str, str], notices: Notices) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, limits in NUMBERS.items():
        if key in single:
            default = getattr(_DEFAULT, key)
            used = (_OWN if key == "price" else NOTHING) if default is None else written(default)
            value = read_number(single[key], limits, key=key, used=used, notices=notices)
            if value is not None:
                found[key] = value
    return found


def _hardware(single: Mapping[str, str], notices: Notices) -> Hardware:
    found: dict[str, float] = {}
    for key, limits in HARDWARE.items():
        if key in single:
            value = read_number(single[key], limits, key=key, used=_OWN, notices=notices)
            if value is not None:
                found[key.removeprefix("gpu.")] = value
    return Hardware(**found)


def _drafters(lines: list[str], notices: Notices) -> tuple[Drafter, ...]:
    found: list[Drafter] = []
    unknown: list[str] = []
    for line in lines:
        if len(found) == MOST_DRAFTERS:
            notices.add("too_many_drafters", key=_DRAFTER, given=line, used=NOTHING, detail=str(MOST_DRAFTERS))
            continue
        drafter = read_drafter(line, notices)
        if drafter is None:
            unknown.append(line)
        else:
            found.append(drafter)
    used = NOTHING if found else ", ".join(drafter.kind for drafter in _DEFAULT.drafters)
    for line in unknown:
        known = tuple(registry.drafter_kinds())
        # The nearest first: a long list is cut.
        near = get_close_matches(line.partition(",")[0].strip().lower()[:LONGEST_NAME], known, n=len(known), cutoff=0.5)
        kinds = ", ".join(dict.fromkeys((*near, *known)))
        notices.add("unknown_kind", key=_DRAFTER, given=line, used=used, detail=kinds)
    return tuple(found) or _DEFAULT.drafters


def _pinned(queries: list[str], notices: Notices, *, may_pin: bool) -> list[str]:
    """Return the canonical queries of pinned settings, in order."""
    found: list[str] = []
    for text in filter(None, queries):
        if len(found) == MOST_PINNED:
            notices.add("too_many_pinned", key=_COMPARE, given=text, used=NOTHING, detail=str(MOST_PINNED))
        elif pinned := _compare(text, notices, may_pin=may_pin):
            found.append(pinned)
    return found


def _compare(text: str, notices: Notices, *, may_pin: bool) -> str:
    """Return the canonical query of a pinned setting, without what concerns its presentation."""
    if not may_pin:
        notices.add("nested_compare", key="compare", given=text, used=NOTHING)
        return ""
    pinned = _decoded(text, may_pin=False)
    notices.extend(pinned.notices, within="compare")
    return encode(replace(pinned.scenario, presentation=Presentation()))
