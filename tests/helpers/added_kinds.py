"""Kinds of drafters that nobody made, as a contributor would add them: tables in data files, and no code."""

from __future__ import annotations

from pathlib import Path

from package_copy import copied_package

_FACTS = 'source = "https://example.org/kind"\nchecked = "2026-11-30"\n'
# Heads that all draft in one pass; how large they are is not described.
SHARE = f"""
[nova]
name = "Nova"
drafting = "block"
weights = "undescribed"
acceptance = 0.6
cost = 0.05
block = 4
description = "Several heads on the last hidden state, all run once."
{_FACTS}
[nova.engines]
vllm = {{ method = "nova", options = {{ draft_tensor_parallel_size = 1 }} }}
"""
# Trained layers, once in the way of DFlash with a drafter of one model, once side by side with the embedding.
TRAINED = f"""
[comet]
name = "Comet"
drafting = "block"
weights = "trained"
states = "keys"
config_form = "dflash"
architectures = ["CometDraftModel"]
acceptance = 0.8
cost = 0.1
block = 8
description = "Trained layers that draft eight tokens in one pass."
{_FACTS}
[comet.generic]
name = "generic comet"
assumed = "2 dense layers."
layers = 2
head_dim = 128
kv_heads = 8
feed_forward = 3.0
fused_states = 3
block = 7
[comet.engines]
vllm = {{ method = "comet", by_batch = true }}
sglang = {{ method = "COMET", options = {{ "--speculative-comet-positions" = "positions" }} }}
tensorrt-llm = {{ method = "Comet", options = {{ comet_drafts = "drafts" }} }}

[vega]
name = "Vega"
drafting = "block"
weights = "trained"
states = "beside"
acceptance = 0.8
cost = 0.1
block = 5
physical = true
description = "A trained layer that drafts five tokens in one pass."
{_FACTS}
[vega.generic]
name = "generic vega"
assumed = "1 dense layers."
layers = 1
head_dim = 128
kv_heads = 8
feed_forward = 3.0
fused_states = 3
block = 5
"""
DRAFTER = """
[qwen3-8b-comet]
name = "Comet for Qwen3 8B"
targets = ["qwen3-8b"]
source = "https://example.org/drafter"
checked = "2026-11-30"
[qwen3-8b-comet.config]
architectures = ["CometDraftModel"]
hidden_size = 4096
num_hidden_layers = 3
num_attention_heads = 32
num_key_value_heads = 8
head_dim = 128
intermediate_size = 12288
block_size = 8
dflash_config = { target_layer_ids = [1, 18, 33] }
"""
CHINESE = 'nova = "多头。"\nnova_name = "新星"\ncomet = "彗星。"\ncomet_name = "彗星"\n'


def package_with_more_kinds(folder: Path) -> None:
    """Copy the package into a folder, with three more kinds of drafters in its data.

    Args:
        folder: Where the copy goes, for `package_copy.printed`.
    """
    data = copied_package(folder)
    added = {
        "drafter_kinds.toml": SHARE + TRAINED,
        "drafters.toml": DRAFTER,
        "text/zh/drafter_kinds.toml": CHINESE,
    }
    for name, text in added.items():
        with (data / name).open("a", encoding="utf-8") as file:
            file.write("\n" + text)
