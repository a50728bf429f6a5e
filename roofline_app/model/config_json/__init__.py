"""A Hugging Face config.json as a `ModelSpec`, or a refusal that names the field.

Facts: every number comes from the config. Derived: what a model type's own code fixes (biases, norms, gates). Assumed:
nothing; a layer that is not understood is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping

from roofline_app.model.config_json.families import DEFAULTS, is_known, read_dimensions, resolved
from roofline_app.model.config_json.fields import Fields
from roofline_app.model.config_json.files import BESIDE, TEXT_TABLES, one_config
from roofline_app.model.config_json.known_fields import refuse_not_understood
from roofline_app.model.config_json.parse import checked, parsed
from roofline_app.model.config_json.quantization import read_stored, together
from roofline_app.model.config_json.refusals import ConfigError, shown
from roofline_app.model.config_json.window_heads import STEP, step_leaves_heads_out
from roofline_app.model.dimensions import ModelSpec
from roofline_app.scenario import CUSTOM
from roofline_app.specs import SpecError

__all__ = ["ConfigError", "one_config", "read_config"]

CONTEXTS = ("max_position_embeddings", "model_max_length", "max_seq_len", "max_sequence_length")
OWN = ("quantization_config", "compression_config")
_LONGEST_NAME = 40


def read_config(config: Mapping[str, object] | str) -> ModelSpec:
    """Return the language model that a config.json describes.

    A vision or audio tower is left out; a model inside `text_config` is read with the outer fields that belong to it.

    Args:
        config: The file's text, or its parsed table.

    Returns:
        A model with the id `custom`, at the precision that the config states.

    Raises:
        ConfigError: When the text is no JSON object of reasonable size, a field is missing or impossible, or a layer
            is not modelled. One line that names the field.

    Examples:
        >>> sizes = {"hidden_size": 4096, "num_hidden_layers": 32, "intermediate_size": 14336, "vocab_size": 128256}
        >>> heads = {"num_attention_heads": 32, "num_key_value_heads": 8}
        >>> model = read_config({"model_type": "llama", "max_position_embeddings": 8192, **sizes, **heads})
        >>> model.id, model.dimensions.layers[0].count, model.max_context_tokens
        ('custom', 32, 8192)
    """
    outer = Fields(parsed(config) if isinstance(config, str) else checked(config))
    fields = _text_fields(outer)
    model_type = (fields if fields.has("model_type") else outer).text("model_type")
    fields = fields.with_defaults(DEFAULTS.get(resolved(model_type), {}))
    try:
        return _model(outer, fields, model_type)
    except SpecError as error:
        raise ConfigError(str(error) if is_known(model_type) else _unknown(error, model_type)) from None


def _text_fields(outer: Fields) -> Fields:
    """Return the fields of the language model, which a config with other towers keeps in a table of its own."""
    around = outer.table("thinker_config") if outer.has("thinker_config") else outer
    name = next((name for name in TEXT_TABLES if around.has(name)), None)
    return around.table(name) if name else around


def _unknown(error: SpecError, model_type: str) -> str:
    """Return why a config of an unknown model type is refused, and what a user can do."""
    known = f"model_type: {shown(model_type)} is not known and does not read as a plain transformer"
    return f"{known} ({error}); else choose a registered model of its shape"


def _model(outer: Fields, fields: Fields, model_type: str) -> ModelSpec:
    tied = outer.flag("tie_word_embeddings", default=False) if outer.has("tie_word_embeddings") else None
    dimensions, layers = read_dimensions(model_type, fields, tied=tied)
    own = next((table.table(name) for table in (outer, fields) for name in OWN if table.has(name)), None)
    beside = next((table.table(BESIDE) for table in (outer, fields) if table.has(BESIDE)), None)
    stored = read_stored(fields, together(own, beside), dimensions, layers)
    leaves_heads_out = resolved(model_type) == STEP and step_leaves_heads_out(fields)
    context = fields.count(next((name for name in CONTEXTS if fields.has(name)), CONTEXTS[0]))
    refuse_not_understood(fields, known=is_known(model_type))
    family = " ".join(model_type.split())[:_LONGEST_NAME]
    return ModelSpec(
        id=CUSTOM,
        name=f"{family}, {len(layers)} layers",
        family=family,
        dimensions=dimensions,
        precision=stored.precision,
        max_context_tokens=context,
        assumptions=(*stored.assumptions, *(("sliding_heads",) if leaves_heads_out else ())),
    )
