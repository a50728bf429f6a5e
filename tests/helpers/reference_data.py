"""Facts from outside that the library is compared with: shipped in `tests/reference`, whole files beside the checkout.

`tests/reference/PROVENANCE.md` says where each comes from. Of others' files only facts are shipped; tests that compare
them with the whole file skip where that is not at hand.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SHIPPED = Path(__file__).resolve().parents[1] / "reference"
SHARED = Path(__file__).resolve().parents[3] / "shared"
# What a config.json says besides the architecture: words for tokens, versions, code, defaults, other towers.
_BOOKKEEPING = re.compile(
    r"""(?x)
    _.* | auto_map | transformers_version | .*_token_(id|index) | .*_placeholder | unsloth_.* | initializer_.*
    | .*dropout | use_cache | output_(attentions|hidden_states|scores|router_logits) | (vision|audio)_config
    | .*_aux_loss_coef
    | (forced|suppress|begin_suppress|bad_words|decoder_start|sep|remove|return)_.* | max_length | min_length
    | do_sample | temperature | top_[kp] | typical_p | num_beams | num_beam_groups | num_return_sequences
    | early_stopping | (length|repetition|diversity|exponential_decay_length)_penalty
    | (encoder_)?no_repeat_ngram_size | pruned_heads
    | is_(decoder|encoder_decoder) | finetuning_task | problem_type | prefix | id2label | label2id | torchscript
    | task_specific_params | tokenizer_class | tf_legacy_loss | use_bfloat16 | tie_encoder_decoder | pretraining_tp
    | chunk_size_feed_forward | .*_cross_attention | cache_implementation
    """
)


def reference_file(name: str) -> Path:
    """Return a shipped file of facts."""
    return SHIPPED / name


def whole_file(name: str) -> Path:
    """Return a whole file beside the checkout, or skip the test where there is none."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"compares with a whole file of others, which is not shipped: {name}")
    return path


@cache
def _table(name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(reference_file(name).read_text(encoding="utf-8"))
    return found


def config_facts() -> dict[str, dict[str, Any]]:
    """Return the architecture's fields of published config.json files, by file."""
    return _table("configs.json")


def later_config_facts() -> dict[str, dict[str, Any]]:
    """Return the architecture's fields of config.json files of mid-2026, their companions' among them, by file."""
    return _table("configs_2.json")


def drafter_config_facts() -> dict[str, dict[str, Any]]:
    """Return the architecture's fields of drafters' config.json files, by file."""
    return _table("drafter_configs.json")


def facts(config: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a config.json that say something about the architecture, sorted by name."""
    kept = [name for name in sorted(config) if config[name] is not None and not _BOOKKEEPING.fullmatch(name)]
    return {name: facts(config[name]) if name == "text_config" else config[name] for name in kept}
