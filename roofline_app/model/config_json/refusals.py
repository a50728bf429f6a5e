"""Refusals of a config.json in one line, and the largest numbers that its fields may hold."""

from __future__ import annotations

from roofline_app.specs import SpecError

LARGEST = 1 << 20
# Fields that are legitimately larger than any width, or that are refused well below one.
LARGEST_BY_FIELD = {
    "vocab_size": 1 << 24,
    "max_position_embeddings": 1 << 30,
    "model_max_length": 1 << 30,
    "max_seq_len": 1 << 30,
    "max_sequence_length": 1 << 30,
    "intermediate_size": 1 << 22,
    "num_hidden_layers": 1 << 9,
    "attention_chunk_size": 1 << 30,
    "sliding_window": 1 << 30,
    "index_topk": 1 << 24,
    "num_attention_heads": 1 << 14,
    "num_experts_per_tok": 1 << 14,
    "num_key_value_heads": 1 << 14,
}
_SHOWN_CHARACTERS = 40


class ConfigError(SpecError):
    """A config.json cannot be read; the message names the field and the reason, in one line."""


def shown(value: object) -> str:
    """Return a value as a refusal quotes it: short and on one line.

    Args:
        value: Anything that JSON or TOML can hold.

    Returns:
        At most 40 characters.
    """
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    text = " ".join(repr(value).split()) if not isinstance(value, int) or abs(value) < LARGEST**3 else "a huge number"
    return text if len(text) <= _SHOWN_CHARACTERS else text[: _SHOWN_CHARACTERS - 1] + "…"
