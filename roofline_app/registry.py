"""Every entry of the data files, by id.

Of each kind of entry there are up to three functions: `gpus()` returns all of them by id in the order of the file,
`gpu(id)` makes one and costs far less, `gpu_ids()` makes none. A file is read when it is first asked for. `gpu(id)`
raises `UnknownIdError` when no entry has the id; each raises `RegistryError` when an entry is wrong, naming the file,
the entry and the field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from roofline_app.hardware.engine_limits import EngineLimits
from roofline_app.hardware.engines import EngineSpec
from roofline_app.hardware.parallelism import LayoutSpec
from roofline_app.model.config_json import read_config
from roofline_app.model.config_json.drafter_config import read_drafter
from roofline_app.model.dimensions import Dimensions, DrafterSpec, ModelSpec
from roofline_app.specs import (
    AcceptanceSpec,
    CheckpointSpec,
    DrafterKindSpec,
    FormatSpec,
    GenericDrafterSpec,
    GpuSpec,
    NetworkSpec,
    Preset,
    RoutingSpec,
    SpecError,
)
from roofline_app.specs.drafter_kinds import engine_methods
from roofline_app.specs.table import RegistryError, Table, UnknownIdError, build
from roofline_app.specs.value_types import field_types
from roofline_app.text import TRANSLATIONS
from roofline_app.timing.evidence import Evidence
from roofline_app.timing.profiles import IDEAL_CONSTANTS, Calibration, Profile, Remaining


def _model(
    *,
    id: str,  # noqa: A002 - a field's name
    config: Mapping[str, object],
    precision: Mapping[str, str] | None = None,
    **facts: Any,
) -> ModelSpec:
    """Return the model that the fields of its config.json describe, with the entry's facts.

    An entry that states a precision has those formats by part, whatever the config says of single matrices.
    """
    read = read_config(config)
    by_part = read.precision if precision is None else replace(read.precision, layers=(), next_token=None, **precision)
    return ModelSpec(
        id=id,
        dimensions=read.dimensions,
        precision=by_part,
        max_context_tokens=read.max_context_tokens,
        **facts,
    )


def _drafter(*, config: Mapping[str, object] | None = None, **facts: Any) -> DrafterSpec:
    """Return the drafter that an entry describes."""
    return read_drafter(drafter_kinds().values(), config=config, **facts)


def _drafter_kind(
    *,
    id: str,  # noqa: A002 - a field's name
    source: str,
    checked: str,
    generic: Mapping[str, Any] | None = None,
    engines: Mapping[str, Mapping[str, Any]] | None = None,
    **facts: Any,
) -> DrafterKindSpec:
    """Return the kind of drafter that an entry describes; only engines of the registry can run it."""
    for engine_id in engines or {}:
        if engine_id not in engine_ids():
            raise UnknownIdError("engine", engine_id, engine_ids())
    origin = {"source": source, "checked": checked}
    return DrafterKindSpec(
        id=id,
        source=source,
        checked=checked,
        generic=_generic_drafter({**origin, **generic}, id) if generic is not None else None,
        engines=engine_methods(engines or {}),
        **facts,
    )


def _generic_drafter(table: Mapping[str, Any], kind: str) -> GenericDrafterSpec:
    """Return what stands in for drafters of a kind; its source is the kind's unless it states one."""
    sequence = tuple(table.get("sequence", {}).items())
    plain = {name: value for name, value in table.items() if name != "sequence"}
    try:
        return build(GenericDrafterSpec, plain, id=kind, sequence=sequence)
    except SpecError as error:
        message = f"generic: {error}"
        raise SpecError(message) from error


def _distinct(kinds: Mapping[str, DrafterKindSpec]) -> None:
    """Refuse kinds of which a config.json could not tell which is meant."""
    claims: dict[str, str] = {}
    for kind in kinds.values():
        for name in kind.architectures:
            if name in claims:
                message = f"architectures: {name} is claimed by {claims[name]} already"
                raise RegistryError(f"{_DRAFTER_KINDS.file} [{kind.id}]: {message}")
            claims[name] = kind.id


def _engine(*, limits: Mapping[str, Any], **facts: Any) -> EngineSpec:
    """Return the engine that an entry with its table of limits describes."""
    return EngineSpec(limits=build(EngineLimits, limits), **facts)


def _profile(
    *,
    constants: Mapping[str, float] | None = None,
    errors: Sequence[Mapping[str, Any]] = (),
    evidence: Sequence[Mapping[str, Any]] = (),
    **facts: Any,
) -> Profile:
    """Return a profile whose constants are in a table of their own."""
    fitted = build(Calibration, constants) if constants else IDEAL_CONSTANTS
    return Profile(
        constants=fitted,
        errors=tuple(build(Remaining, error) for error in errors),
        evidence=tuple(build(Evidence, some) for some in evidence),
        **facts,
    )


def _gpu(*, network: str = "", **facts: Any) -> GpuSpec:
    """Return the accelerator that an entry describes; its network is one of the registry's."""
    return GpuSpec(network=_NETWORKS.one(network) if network else None, **facts)


def _preset(
    *,
    id: str,  # noqa: A002 - a field's name
    title: str,
    story: str,
    query: str,
    **translations: Mapping[str, str],
) -> Preset:
    """Return the preset of an entry, which has a table for each language that it is translated to."""
    return Preset(id=id, title=title, story=story, query=query, translations=translations)


_ACCEPTANCES = Table("acceptance.toml", AcceptanceSpec, "acceptance")
_CHECKPOINTS = Table("checkpoints.toml", CheckpointSpec, "checkpoint")
_DRAFTERS = Table("drafters.toml", _drafter, "drafter", field_types(DrafterSpec))
_DRAFTER_KINDS = Table("drafter_kinds.toml", _drafter_kind, "kind of drafter", field_types(DrafterKindSpec), _distinct)
_ENGINES = Table("engines.toml", _engine, "engine", field_types(EngineSpec))
_FORMATS = Table("formats.toml", FormatSpec, "format")
_GPUS = Table("gpus.toml", _gpu, "GPU", field_types(GpuSpec))
_LAYOUTS = Table("layouts.toml", LayoutSpec, "layout")
_MODELS = Table("models.toml", _model, "model", field_types(ModelSpec))
_NETWORKS = Table("networks.toml", NetworkSpec, "network")
_PRESETS = Table("presets.toml", _preset, "preset", dict.fromkeys(TRANSLATIONS, Mapping[str, str]))
_PROFILES = Table("profiles.toml", _profile, "profile", field_types(Profile))
_ROUTINGS = Table("routing.toml", RoutingSpec, "routing")

# Measured acceptances.
acceptances, acceptance, acceptance_ids = _ACCEPTANCES.all, _ACCEPTANCES.one, _ACCEPTANCES.ids
# What engines have to be told of checkpoints, by the id of a model or of a drafter.
checkpoints = _CHECKPOINTS.all
# Drafters that have weights.
drafters, drafter, drafter_ids = _DRAFTERS.all, _DRAFTERS.one, _DRAFTERS.ids
# Kinds of drafters.
drafter_kinds, drafter_kind = _DRAFTER_KINDS.all, _DRAFTER_KINDS.one
# Serving engines.
engine, engine_ids = _ENGINES.one, _ENGINES.ids
# Number formats of weights and caches.
formats = _FORMATS.all
# Accelerators.
gpus, gpu, gpu_ids = _GPUS.all, _GPUS.one, _GPUS.ids
# How engines' own recipes lay models out.
layouts = _LAYOUTS.all
# Models, as their config.json's fields and the entries' facts describe them.
models, model, model_ids = _MODELS.all, _MODELS.one, _MODELS.ids
# Networks to a drafter on GPUs of its own.
networks = _NETWORKS.all
# Named settings, in the order in which they are shown.
presets = _PRESETS.all
# How far real engines fall short of the roofline.
profiles, profile, profile_ids = _PROFILES.all, _PROFILES.one, _PROFILES.ids
# Ways in which tokens choose experts.
routings = _ROUTINGS.all


def twin_of(dimensions: Dimensions) -> ModelSpec | None:
    """Return the first model of exactly these dimensions, or None; only models of the same width are made.

    Args:
        dimensions: Of a user's own model.
    """
    configs, width = _MODELS.field("config"), dimensions.hidden_size
    near = (model(key) for key, config in configs.items() if config.get("hidden_size", width) == width)
    return next((found for found in near if found.dimensions == dimensions), None)


_HUB = "https://huggingface.co/"
# What repositories add to a model's name without changing its shape or its number formats.
_ADDED = ("", "-instruct", "-it", "-hf", "-bf16", "-base", "-chat", "-thinking")


# The longest repository whose address fits into a notice.
_LONGEST_REPOSITORY = 80
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")


def is_repository(name: str) -> bool:
    """Return whether a text has the form of a Hugging Face repository's name: `Qwen/Qwen3-8B`."""
    return len(name) <= _LONGEST_REPOSITORY and _REPOSITORY.fullmatch(name) is not None


@cache
def _hub_names() -> Mapping[str, str]:
    names: dict[str, str] = {}
    for key, source in _MODELS.field("source").items():
        names.setdefault(source.removeprefix(_HUB).lower(), key)
    return MappingProxyType(names)


def hub_model(name: str) -> str:
    """Return the id of the model that a Hugging Face repository holds, empty where no entry is it.

    Args:
        name: Owner and name, in any case: `Qwen/Qwen3-8B`.
    """
    path = name.lower().removeprefix(_HUB).strip("/")
    owner, _, own = path.rpartition("/")
    if path in _hub_names() or not owner:
        return _hub_names().get(path, "")
    stems = [own.removesuffix(added) for added in _ADDED if own.endswith(added)]
    return next((stem.removeprefix("meta-") for stem in stems if stem.removeprefix("meta-") in model_ids()), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedModel:
    """A model in a list.

    Attributes:
        id: Key of its entry.
        label: `family · name`.
        name: Name as shown.
        repository: Owner and name on Hugging Face.
        parameters: Published ones.
        active_parameters: Published active ones; 0 of a dense model.
        measured: Whether times of it are among the measured rows.
    """

    id: str
    label: str
    name: str
    repository: str
    parameters: float
    active_parameters: float
    measured: bool


@cache
def model_labels() -> Mapping[str, str]:
    """Return the models' ids by label, `family · name`, in the order of the file, without making their entries."""
    families, labels = _MODELS.field("family"), dict[str, str]()
    for key, name in _MODELS.field("name").items():
        labels[f"{families[key]} · {name.removeprefix(families[key]).strip(' -')}"] = key
    return MappingProxyType(labels)


def listed_models() -> tuple[ListedModel, ...]:
    """Return the models as a list shows them, in the order of the file, without making their entries."""
    measured = {error.model for profile in profiles().values() for error in profile.errors}
    repositories = {key: source.removeprefix(_HUB) for key, source in _MODELS.field("source").items()}
    names, parameters, active = _MODELS.field("name"), _MODELS.field("parameters"), _MODELS.stated("active_parameters")
    return tuple(
        ListedModel(
            id=key,
            label=label,
            name=names[key],
            repository=repositories[key],
            parameters=parameters[key],
            active_parameters=active.get(key, 0.0),
            measured=key in measured,
        )
        for label, key in model_labels().items()
    )


@cache
def drafter_for(target_id: str, kind: str) -> DrafterSpec | None:
    """Return the first drafter of a kind that names a model among its targets, or None.

    Args:
        target_id: Registry id of the model to draft for.
        kind: Drafter kind.
    """
    near = (drafter(key) for key, targets in _DRAFTERS.field("targets").items() if target_id in targets)
    return next((found for found in near if found.kind == kind), None)


@cache
def layout_for(engine_id: str, model_id: str, gpus: int) -> LayoutSpec | None:
    """Return an engine's recipe for a model on a number of GPUs; None if there is none.

    Args:
        engine_id: Key of the engine.
        model_id: Registry id.
        gpus: GPUs of the node.
    """
    for spec in layouts().values():
        if spec.engine == engine_id and model_id in spec.models and gpus >= spec.least_gpus:
            return spec
    return None
