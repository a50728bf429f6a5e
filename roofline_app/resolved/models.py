"""Models by id or config, their terms at the chosen formats, and these sharded over a node; each made once."""

from __future__ import annotations

from functools import lru_cache

from roofline_app import registry
from roofline_app.hardware.parallelism import Layout
from roofline_app.hardware.sharding import sharded
from roofline_app.model.config_json import read_config
from roofline_app.model.dimensions import ModelSpec
from roofline_app.model.terms import Transformer
from roofline_app.model.to_terms import transformer, with_weights
from roofline_app.scenario import CUSTOM, Scenario, Weights

_KEPT = 64


@lru_cache(maxsize=_KEPT)
def model_spec(model: str, config: str) -> ModelSpec:
    """Return a registry's model, or the one that a config.json describes.

    Args:
        model: Registry id, or `CUSTOM`.
        config: Text of the config.json of a custom model.

    Raises:
        SpecError: When the id is unknown or the config cannot be read.
    """
    return read_config(config) if model == CUSTOM else registry.model(model)


def twin_of(scenario: Scenario, spec: ModelSpec) -> ModelSpec | None:
    """Return the registry's model of exactly the dimensions of a user's own config; None for all others."""
    return registry.twin_of(spec.dimensions) if scenario.model == CUSTOM else None


@lru_cache(maxsize=_KEPT)
def terms_of(spec: ModelSpec, weights: Weights, kv: str) -> Transformer:
    """Return a model's terms at the chosen number formats."""
    precision = with_weights(spec.precision, weights=weights, kv=kv)
    return transformer(spec, precision, registry.formats())


@lru_cache(maxsize=_KEPT)
def sharded_terms(terms: Transformer, layout: Layout, gpus: int) -> Transformer:
    """Return terms sharded over a node's GPUs."""
    return sharded(terms, layout, gpus=gpus)
