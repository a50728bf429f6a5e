"""Every entry of the data files, by id. The only reader of package data besides `text`.

A file is read when an entry of it is first asked for, and an entry is parsed when it is asked for by id, so that
starting with one model does not cost reading all. A missing, misspelt, extra or impossible field is refused with the
file, the entry and the field.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, TypeVar

from roofline_app.hardware.engines import EngineSpec
from roofline_app.hardware.parallelism import LayoutSpec
from roofline_app.model.config_json import read_config
from roofline_app.model.config_json.drafter_config import read_drafter
from roofline_app.model.dimensions import Dimensions, DrafterSpec, ModelSpec
from roofline_app.model.generic_drafter import GenericDrafterSpec
from roofline_app.specs import (
    AcceptanceSpec,
    DrafterKindSpec,
    FormatSpec,
    GpuSpec,
    NetworkSpec,
    RoutingSpec,
    SpecError,
)
from roofline_app.specs.drafter_kinds import read_drafter_kind
from roofline_app.timing.profiles import IDEAL_CONSTANTS, Calibration, Profile, Remaining

Entry = TypeVar("Entry")
_SAID = re.compile(r'^(name|family) = "([^"\n]+)"$', re.MULTILINE)
_HEADING = re.compile(r'^\[(?:"([^"\n]+)"|([A-Za-z0-9_-]+))\][ \t]*(?:#.*)?$', re.MULTILINE)


class RegistryError(SpecError):
    """An entry of a data file is wrong; the message names the file, the entry and the field."""


class UnknownIdError(SpecError):
    """No entry has this id; the message names it and the nearest id, where one is near."""

    def __init__(self, kind: str, given: str, known: tuple[str, ...]) -> None:
        """Name the id that nobody knows.

        Args:
            kind: What was asked for, such as `model`.
            given: The unknown id.
            known: Every id of that kind.
        """
        super().__init__(given)
        self.kind = kind
        self.given = given
        near = get_close_matches(given.lower(), known, n=1)
        self.suggestion = near[0] if near else ""

    def __str__(self) -> str:
        """Return one sentence."""
        hint = f"; did you mean {self.suggestion}?" if self.suggestion else ""
        return f"unknown {self.kind} {self.given!r}{hint}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A named setting that tells a story.

    Attributes:
        id: Key of the entry, used in links.
        title: A few words for the row of presets.
        story: One sentence that says what to look at.
        query: The setting, as a query string; what it leaves out keeps its default.
        zh: Title and story in Chinese.
    """

    id: str
    title: str
    story: str
    query: str
    zh: Mapping[str, str]

    def __post_init__(self) -> None:
        """Refuse a Chinese entry that says anything but a title and a story."""
        if self.zh.keys() != {"title", "story"}:
            message = "zh: must say a title and a story"
            raise SpecError(message)

    def said(self, language: str) -> tuple[str, str]:
        """Return title and story in a language, in English where it has none of its own."""
        return (self.zh["title"], self.zh["story"]) if language == "zh" else (self.title, self.story)


def formats() -> Mapping[str, FormatSpec]:
    """Return the number formats of weights and caches, by id."""
    return _all("formats.toml", FormatSpec)


def gpus() -> Mapping[str, GpuSpec]:
    """Return the accelerators, by id, in the order of the file."""
    return _all("gpus.toml", GpuSpec)


def gpu(gpu_id: str) -> GpuSpec:
    """Return one accelerator.

    Args:
        gpu_id: Key of the entry.

    Returns:
        The accelerator.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: GpuSpec = _one("gpus.toml", gpu_id, "GPU", GpuSpec)
    return entry


def gpu_ids() -> tuple[str, ...]:
    """Return the ids of the accelerators, without parsing their entries."""
    return tuple(_entries("gpus.toml"))


def models() -> Mapping[str, ModelSpec]:
    """Return every model, by id, in the order of the file; to read one, `model` costs far less."""
    return _all("models.toml", _model)


def model(model_id: str) -> ModelSpec:
    """Return one model.

    Args:
        model_id: Key of the entry.

    Returns:
        The model, as its config.json's fields and the entry's facts describe it.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: ModelSpec = _one("models.toml", model_id, "model", _model)
    return entry


def model_ids() -> tuple[str, ...]:
    """Return the ids of the models, without parsing their entries."""
    return tuple(_entries("models.toml"))


def twin_of(dimensions: Dimensions) -> ModelSpec | None:
    """Return the first model of exactly these dimensions, or None; only models of the same width are parsed.

    Args:
        dimensions: Of a reader's own model.
    """
    width = f"hidden_size = {dimensions.hidden_size}\n"
    near = (model(key) for key, text in _entries("models.toml").items() if width in text)
    return next((found for found in near if found.dimensions == dimensions), None)


@cache
def model_labels() -> Mapping[str, str]:
    """Return the models' ids by label, `family · name`, in the order of the file, without parsing their entries."""
    labels = dict[str, str]()
    for key, text in _entries("models.toml").items():
        said = dict(_SAID.findall(text))
        labels[f"{said['family']} · {said['name'].removeprefix(said['family']).strip(' -')}"] = key
    return MappingProxyType(labels)


def drafter_kinds() -> Mapping[str, DrafterKindSpec]:
    """Return the kinds of drafters, by id."""
    return _all("drafter_kinds.toml", _drafter_kind)


def drafter_kind(kind_id: str) -> DrafterKindSpec:
    """Return one kind of drafter.

    Args:
        kind_id: Key of the entry.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: DrafterKindSpec = _one("drafter_kinds.toml", kind_id, "kind of drafter", _drafter_kind)
    return entry


def drafters() -> Mapping[str, DrafterSpec]:
    """Return the drafters that have weights, by id; to read one, `drafter_model` costs far less."""
    return _all("drafters.toml", _drafter_model)


def drafter_ids() -> tuple[str, ...]:
    """Return the ids of the drafters that have weights, without parsing their entries."""
    return tuple(_entries("drafters.toml"))


def drafter(drafter_id: str) -> DrafterSpec:
    """Return one drafter that has weights.

    Args:
        drafter_id: Key of the entry.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: DrafterSpec = _one("drafters.toml", drafter_id, "drafter", _drafter_model)
    return entry


@cache
def drafter_for(target_id: str, kind: str) -> DrafterSpec | None:
    """Return the first drafter of a kind that names a model among its targets, or None.

    Args:
        target_id: Registry id of the model to draft for.
        kind: Drafter kind.
    """
    for key, text in _entries("drafters.toml").items():
        if f'"{target_id}"' in text:
            found = drafter(key)
            if found.kind == kind and target_id in found.targets:
                return found
    return None


def generic_drafters() -> Mapping[str, GenericDrafterSpec]:
    """Return what stands in for drafters that no entry describes, by kind."""
    return _all("generic_drafters.toml", GenericDrafterSpec)


def generic_drafter(kind_id: str) -> GenericDrafterSpec:
    """Return what stands in for a drafter of a kind that no entry describes.

    Args:
        kind_id: The kind.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: GenericDrafterSpec = _one("generic_drafters.toml", kind_id, "generic drafter", GenericDrafterSpec)
    return entry


def acceptances() -> Mapping[str, AcceptanceSpec]:
    """Return the measured acceptances, by id; to read one, `acceptance` costs far less."""
    return _all("acceptance.toml", AcceptanceSpec)


def acceptance_ids() -> tuple[str, ...]:
    """Return the ids of the measured acceptances, without parsing their entries."""
    return tuple(_entries("acceptance.toml"))


def acceptance(acceptance_id: str) -> AcceptanceSpec:
    """Return one measured acceptance.

    Args:
        acceptance_id: Key of the entry.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: AcceptanceSpec = _one("acceptance.toml", acceptance_id, "acceptance", AcceptanceSpec)
    return entry


def routings() -> Mapping[str, RoutingSpec]:
    """Return the ways in which tokens choose experts, by id."""
    return _all("routing.toml", RoutingSpec)


def networks() -> Mapping[str, NetworkSpec]:
    """Return the networks to a drafter on GPUs of its own, by id."""
    return _all("networks.toml", NetworkSpec)


def profiles() -> Mapping[str, Profile]:
    """Return the profiles, by id."""
    return _all("profiles.toml", _profile)


def profile_ids() -> tuple[str, ...]:
    """Return the ids of the profiles, without parsing their entries."""
    return tuple(_entries("profiles.toml"))


def profile(profile_id: str) -> Profile:
    """Return one profile.

    Args:
        profile_id: Key of the entry.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: Profile = _one("profiles.toml", profile_id, "profile", _profile)
    return entry


def presets() -> Mapping[str, Preset]:
    """Return the presets, by id, in the order in which they are shown."""
    return _all("presets.toml", Preset)


def engine_ids() -> tuple[str, ...]:
    """Return the ids of the serving engines."""
    return tuple(_entries("engines.toml"))


def engine(engine_id: str) -> EngineSpec:
    """Return one serving engine.

    Args:
        engine_id: Key of the entry.

    Returns:
        The engine.

    Raises:
        UnknownIdError: When no entry has this id.
        RegistryError: When the entry is wrong.
    """
    entry: EngineSpec = _one("engines.toml", engine_id, "engine", EngineSpec)
    return entry


def layouts() -> Mapping[str, LayoutSpec]:
    """Return how engines' own recipes lay models out, by id."""
    return _all("layouts.toml", LayoutSpec)


@cache
def layout_for(engine_id: str, model_id: str, gpus: int) -> LayoutSpec | None:
    """Return what an engine's recipe says of a model on so many GPUs, or None where no entry does.

    Args:
        engine_id: Key of the engine.
        model_id: Registry id.
        gpus: GPUs of the node.
    """
    for spec in layouts().values():
        if spec.engine == engine_id and model_id in spec.models and gpus >= spec.least_gpus:
            return spec
    return None


def _profile(
    *, constants: Mapping[str, float] | None = None, errors: Iterable[Mapping[str, Any]] = (), **facts: Any
) -> Profile:
    """Return the profile that an entry with its tables of constants and errors describes."""
    fitted = Calibration(**constants) if constants else IDEAL_CONSTANTS
    return Profile(constants=fitted, errors=tuple(Remaining(**error) for error in errors), **facts)


def _drafter_kind(**entry: Any) -> DrafterKindSpec:
    """Return the kind of drafter that an entry describes; only engines of the registry can run it."""
    kind = read_drafter_kind(**entry)
    for method in kind.engines:
        if method.engine not in engine_ids():
            raise UnknownIdError("engine", method.engine, engine_ids())
    return kind


def _drafter_model(**entry: Any) -> DrafterSpec:
    """Return the drafter that an entry describes."""
    return read_drafter(drafter_kinds().values(), **entry)


def _model(*, id: str, config: Mapping[str, object], **facts: object) -> ModelSpec:  # noqa: A002 - a field's name
    """Return the model that the fields of its config.json describe, with the entry's facts."""
    return replace(read_config(config), id=id, **facts)  # type: ignore[arg-type]


@cache
def _entries(file: str) -> Mapping[str, str]:
    """Return the TOML text of each entry of a file, its sub-tables included."""
    text = resources.files("roofline_app.data").joinpath(file).read_text(encoding="utf-8")
    heads = list(_HEADING.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    entries: dict[str, str] = {}
    for head, end in zip(heads, ends, strict=True):
        key = head.group(1) or head.group(2)
        if key in entries:
            message = f"{file} [{key}]: the entry stands twice"
            raise RegistryError(message)
        entries[key] = text[head.start() : end]
    return MappingProxyType(entries)


@cache
def _one(file: str, key: str, kind: str, make: Callable[..., Entry]) -> Entry:
    known = _entries(file)
    if key not in known:
        raise UnknownIdError(kind, key, tuple(known))
    try:
        table = tomllib.loads(known[key])[key]
    except tomllib.TOMLDecodeError as error:
        message = f"{file} [{key}]: {error}"
        raise RegistryError(message) from error
    return read_entry(file, key, table, make)


@cache
def _all(file: str, make: Callable[..., Entry]) -> Mapping[str, Entry]:
    return MappingProxyType({key: _one(file, key, "entry", make) for key in _entries(file)})


def read_entry(file: str, key: str, table: Mapping[str, object], make: Callable[..., Entry]) -> Entry:
    """Return the spec that a table of a data file describes.

    Args:
        file: Name of the data file, for the refusal.
        key: The entry's id.
        table: The entry's fields.
        make: Builds the spec from `id` and the fields.

    Returns:
        The spec, its lists as tuples.

    Raises:
        RegistryError: When a field is missing, unknown or impossible; names the file, the entry and the field.
    """
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    try:
        return make(id=key, **fields)
    except SpecError as error:
        message = f"{file} [{key}]: {error}"
        raise RegistryError(message) from error
    except TypeError as error:
        message = f"{file} [{key}]: {str(error).split('__init__() ')[-1]}"
        raise RegistryError(message) from error
