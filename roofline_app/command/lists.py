"""The registry's lists, as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from roofline_app import export, registry

Entries = list[dict[str, Any]]


def _models() -> Entries:
    return [export.model_entry(registry.model(model_id)) for model_id in registry.model_ids()]


def _gpus() -> Entries:
    return [export.plain(gpu) for gpu in registry.gpus().values()]


def _drafters() -> Entries:
    """Return the kinds with their defaults, then the drafters that have weights."""
    kinds, models = registry.drafter_kinds(), registry.drafters()
    return [*map(export.plain, kinds.values()), *map(export.drafter_entry, models.values())]


def _acceptances() -> Entries:
    return [export.plain(spec) for spec in registry.acceptances().values()]


def _profiles() -> Entries:
    return [export.plain(profile) for profile in registry.profiles().values()]


def _presets() -> Entries:
    return [export.preset_entry(preset) for preset in registry.presets().values()]


LISTS: Mapping[str, Callable[[], Entries]] = MappingProxyType(
    {
        "models": _models,
        "gpus": _gpus,
        "drafters": _drafters,
        "acceptances": _acceptances,
        "profiles": _profiles,
        "presets": _presets,
    }
)
