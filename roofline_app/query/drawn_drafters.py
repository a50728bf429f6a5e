"""The parts of a drafter line that draw a drafter: its sizes, or a config.json of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import MappingProxyType

from roofline_app import registry
from roofline_app.model.config_json.files import strict
from roofline_app.model.dimensions import DrafterSpec
from roofline_app.model.drawn_drafter import OWN, SHARED, read_drafter_config
from roofline_app.query.notices import NOTHING, Notices
from roofline_app.query.numbers import DECIMAL, Limits, number
from roofline_app.query.packed_config import PackedConfigError, packed, unpacked
from roofline_app.scenario import DrafterSizes
from roofline_app.specs import DrafterKindSpec, SpecError

CONFIG = "drafter-config"
FORMATS = ("bf16", "fp8", "fp4", "int8", "int4")
HEADS = (SHARED, OWN)
SIZES: Mapping[str, Limits] = MappingProxyType(
    {
        "layers": Limits(least=1, most=256, whole=True),
        "width": Limits(least=16, most=65_536, whole=True),
        "heads": Limits(least=1, most=1024, whole=True),
        "kv-heads": Limits(least=1, most=1024, whole=True),
        "head-dim": Limits(least=1, most=4096, whole=True),
        "ffn": Limits(least=1, most=1_048_576, whole=True),
        "vocabulary": Limits(least=1, most=4_194_304, whole=True),
        "states": Limits(least=1, most=256, whole=True),
        "window": Limits(least=0, most=16_777_216, whole=True),
        "full-layers": Limits(least=0, most=256, whole=True),
    }
)
WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"precision": FORMATS, "head": HEADS})
NAMES = frozenset({CONFIG, *SIZES, *WORDS})
# What drafters of a kind cannot be built with: a model of its own reads no states of the target and shares no head.
_ELSEWHERE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "model": frozenset({"states", "window", "full-layers", "head"}),
        "next-token": frozenset({"states", "window", "full-layers", CONFIG}),
    }
)


def meant_for(name: str, kind: DrafterKindSpec) -> bool:
    """Return whether a size has a meaning for drafters of a kind.

    Args:
        name: One of `NAMES`.
        kind: The kind.
    """
    return kind.has_own_work and name not in _ELSEWHERE.get(kind.weights, ())


def read_drawn(given: Mapping[str, str], spec: DrafterKindSpec, notices: Notices) -> tuple[DrafterSizes | None, str]:
    """Return the sizes and the config.json that a line states; None and an empty text where it states none.

    Args:
        given: The line's parts by name.
        spec: Its kind.
        notices: Takes a notice for each part that is not used as given.
    """
    stated = {name: given[name] for name in sorted(NAMES) if name in given}
    for name in [name for name in stated if not meant_for(name, spec)]:
        notices.add("not_of_kind", key=f"drafter.{name}", given=stated.pop(name), used=NOTHING, detail=spec.name)
    config = _config(stated.pop(CONFIG), spec, notices) if CONFIG in stated else ""
    if config:
        for name in [name for name in stated if name != "precision"]:
            notices.add("beside_config", key=f"drafter.{name}", given=stated.pop(name), used=NOTHING)
    sizes = {name: value for name, text in stated.items() if (value := _value(name, text, notices)) is not None}
    _check_together(sizes, notices)
    named = {name.replace("-", "_"): value for name, value in sizes.items()}
    return DrafterSizes(**named) if named else None, config  # type: ignore[arg-type]


def written_parts(sizes: DrafterSizes | None, config: str) -> Iterator[str]:
    """Yield the parts of a drawn drafter, in a fixed order."""
    for field in fields(DrafterSizes):
        value = getattr(sizes, field.name) if sizes else None
        if value not in {None, ""}:
            yield f"{field.name.replace('_', '-')}={value}"
    if config:
        yield f"{CONFIG}={packed(config)}"


def config_block(kind: DrafterKindSpec, config: str) -> int:
    """Return the draft tokens of one pass that a drafter's own config.json states.

    Args:
        kind: Its kind.
        config: Text of the file, which has been read before.
    """
    found = read_drafter_config(registry.drafter_kinds().values(), kind, config)
    return found.block if isinstance(found, DrafterSpec) else 1


def _value(name: str, text: str, notices: Notices) -> int | str | None:
    key = f"drafter.{name}"
    if name in WORDS:
        if text.lower() in WORDS[name]:
            return text.lower()
        notices.add("not_a_choice", key=key, given=text, used=NOTHING, detail=", ".join(WORDS[name]))
        return None
    # A vocabulary of 32k is 32,000 words, and a size outside of its range is no size at all.
    value, limits = number(text, DECIMAL), SIZES[name]
    reason = ""
    if value is None:
        reason = "not_a_number"
    elif not limits.least <= value <= limits.most:
        reason = "outside"
    elif not value.is_integer():
        reason = "not_whole"
    if reason or value is None:
        notices.add(reason, key=key, given=text, used=NOTHING, detail=limits.text)
        return None
    return int(value)


def _check_together(sizes: dict[str, int | str], notices: Notices) -> None:
    """Take sizes away that contradict others."""

    def drop(name: str, reason: str, detail: str) -> None:
        notices.add(reason, key=f"drafter.{name}", given=str(sizes.pop(name)), used=NOTHING, detail=detail)

    heads, groups = sizes.get("heads"), sizes.get("kv-heads")
    if isinstance(heads, int) and isinstance(groups, int) and heads % groups:
        drop("kv-heads", "not_a_divisor", f"heads={heads}")
    if sizes.get("head") == SHARED and "vocabulary" in sizes:
        drop("vocabulary", "needs_beside", f"head={OWN}")
    if "full-layers" in sizes and not sizes.get("window"):
        drop("full-layers", "needs_beside", "window=4096")


def _config(text: str, spec: DrafterKindSpec, notices: Notices) -> str:
    """Return the config.json of a drafter, or an empty text."""
    try:
        plain = unpacked(text)
        read_drafter_config(registry.drafter_kinds().values(), spec, plain)
    except PackedConfigError as error:
        reason, detail = "not_packed", str(error)
    except SpecError as error:
        reason, detail = "refused_config", str(error)
    else:
        return strict(plain)
    notices.add(reason, key=f"drafter.{CONFIG}", given=text, used=NOTHING, detail=detail)
    return ""
