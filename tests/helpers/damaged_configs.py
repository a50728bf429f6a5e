"""Config files damaged at random: published ones and hostile bases, with fields gone, changed, doubled and made up."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from hostile_configs import CHUNKED, COMPRESSED, DENSE, HYBRID, LATENT, LETTERS, LIGHTNING, MOE
from reference_data import config_facts, later_config_facts

BASES = (DENSE, MOE, HYBRID, LATENT, COMPRESSED, LETTERS, LIGHTNING, CHUNKED)
VALUES: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 3, 7, 128, 10**6, 10**30, 0.5, 1e308, "", "fp8", "full_attention", "NVFP4", "x" * 300,
    "re:(a+)+$", "*", "model.layers.0.*", [], [1], [0] * 60, ["full_attention"] * 40, [[]], {}, {"a": 1}, {"bits": 3},
)  # fmt: skip
QUANTISATIONS: tuple[dict[str, object], ...] = (
    {"quant_method": "fp8", "weight_block_size": [128, 128], "modules_to_not_convert": ["lm_head"]},
    {"quant_method": "gptq", "bits": 4, "group_size": 128, "dynamic": {"-:.*attn.*": {}, "+:.*mlp.*": {"bits": 8}}},
    {"quant_method": "awq", "bits": 4, "group_size": 128, "modules_to_not_convert": ["model.layers.0."]},
    {"quant_method": "auto-round", "bits": 4, "extra_config": {".*down_proj": {"bits": 16}}},
    {"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}}, "exclude": ["*"]},
    {
        "quant_method": "compressed-tensors",
        "config_groups": {"a": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "float", "group_size": 16}}},
        "ignore": ["re:.*self_attn.*"],
    },
    {
        "quant_method": "modelopt",
        "quant_algo": "MIXED_PRECISION",
        "quantized_layers": {f"model.layers.{layer}.mlp.experts": {"quant_algo": "NVFP4"} for layer in range(60)},
    },
)


def _tables(config: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a config's tables, those inside it included."""
    inner = [value for value in config.values() if isinstance(value, dict)]
    return [config, *(table for found in inner for table in _tables(found))]


def _damage(config: dict[str, Any], chance: random.Random) -> None:
    table = chance.choice(_tables(config))
    names = list(table)
    name = chance.choice(names) if names else "model_type"
    match chance.randrange(6):
        case 0:
            table.pop(name, None)
        case 1:
            table[name] = copy.deepcopy(chance.choice(VALUES))
        case 2:
            other = chance.choice((name, f"{name}_new", "layer_types", "head_dim"))
            table[other] = copy.deepcopy(chance.choice(VALUES))
        case 3:
            value = table.get(name)
            if isinstance(value, list) and value:
                value[chance.randrange(len(value))] = copy.deepcopy(chance.choice(VALUES))
        case 4:
            value = table.get(name)
            table[name] = value * chance.choice((-1, 2, 3, 1000)) if isinstance(value, int) else [value]
        case _:
            config["quantization_config"] = copy.deepcopy(chance.choice(QUANTISATIONS))


def damaged_configs(count: int, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Yield so many damaged configs, the same for the same seed."""
    chance = random.Random(seed)
    bases = [*BASES, *config_facts().values(), *later_config_facts().values()]
    for _ in range(count):
        config = copy.deepcopy(dict(chance.choice(bases)))
        for _ in range(chance.randint(1, 4)):
            _damage(config, chance)
        yield config
