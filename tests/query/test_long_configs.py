"""A config.json too long for a link as it is, and short enough once its experts are listed by layer."""

from __future__ import annotations

import json

from hostile_configs import MOE

from roofline_app.model.config_json import read_config
from roofline_app.query.packed_config import minified, packed, unpacked


def _listing(names: dict[str, object]) -> str:
    statement = {"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": names}
    return json.dumps({**MOE, "quantization_config": statement})


NAMES: dict[str, object] = {
    f"model.layers.{layer}.mlp.experts.{expert}.{matrix}_proj": {"quant_algo": "NVFP4", "group_size": 16}
    for layer in range(36)
    for expert in range(128)
    for matrix in ("gate", "up", "down")
}


def test_experts_that_are_all_alike_are_listed_by_layer() -> None:
    long = _listing(NAMES)
    short = minified(long)
    assert len(long) > 10**6
    assert len(short) < 10**5
    assert read_config(short) == read_config(long)
    assert unpacked(packed(short)) == short


def test_experts_that_are_not_all_listed_stand_as_they_are() -> None:
    some = {name: form for name, form in NAMES.items() if ".3.mlp.experts.5." not in name}
    assert "model.layers.3.mlp.experts.6.up_proj" in minified(_listing(some))


def test_matrices_of_experts_keep_formats_of_their_own() -> None:
    downs = {name: form for name, form in NAMES.items() if name.endswith("down_proj")}
    long = _listing({**downs, "model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"}})
    assert len(minified(long)) < 10**4
    assert read_config(minified(long)) == read_config(long)
