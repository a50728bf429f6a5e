"""Which entries of the registry a benchmark file means by its own words for models, accelerators and formats."""

from __future__ import annotations

import re
from functools import cache

from roofline_app import registry
from roofline_app.calibration.benchmarks import as_id

# What checkpoints and files of one model add to its name: formats, tunings, dates. They change no dimension.
_ADDED = re.compile(
    r"(?:-(?:instruct|it|hf|chat|base|thinking|dynamic|gguf|awq|gptq|autoround|bf16|f16|fp16|fp8|fp4|nvfp4|mxfp4|"
    r"int4|int8|w8a8|w4a16|w4a8|quantized|moe|i?q\d\w*|k|m|s|xs|xl|xxs|medium|small|large|\d{4}|v0\.\d))+\Z"
)
_CACHED = re.compile(r"models--[^/]*?--([^/]+)")
_VENDORS = frozenset({"nvidia", "amd", "intel", "google", "aws", "instinct", "geforce", "tesla"})
_SOCKET = re.compile(r"\bsxm\d\b")
# Which kind of numbers an engine's or a file's word stands for; the first that is in the word counts.
_CLASSES = (
    ("fp4", re.compile(r"nvfp4|mxfp4|fp4|modelopt_fp4")),
    ("fp8", re.compile(r"fp8|f8_|float8|e4m3|e5m2")),
    ("int4", re.compile(r"int4|w4a|awq|gptq|i?q[2-6]_|q4")),
    ("int8", re.compile(r"int8|w8a8|q8_")),
    ("bf16", re.compile(r"bf16|bfloat16|fp16|f16|float16|half")),
)


def _plain(name: str) -> str:
    return _ADDED.sub("", name)


@cache
def _models() -> dict[str, str]:
    """Return the models' ids by every name that stands for them; a model's own names go before others' aliases."""
    models = [registry.model(model_id) for model_id in registry.model_ids()]
    own = [(name, model.id) for model in models for name in (model.id, as_id(model.name), as_id(model.source))]
    others = [(as_id(alias), model.id) for model in models for alias in model.aliases]
    found: dict[str, str] = {}
    for name, model_id in (*own, *others):
        found.setdefault(name, model_id)
    for name, model_id in (*own, *others):
        found.setdefault(_plain(name), model_id)
    return found


def model_id_of(text: str) -> str:
    """Return the registry id of the model that a file names, empty where none is known.

    Args:
        text: A Hugging Face id, a path, or the name of a file; formats, tunings and dates at its end do not matter.
    """
    cached = _CACHED.search(text)
    name = as_id(cached[1] if cached else text.rstrip("/"))
    names = (name, name.removeprefix("meta-").removeprefix("nvidia-"))
    known = _models()
    return next((known[one] for each in names for one in (each, _plain(each)) if one in known), "")


def _words(name: str) -> frozenset[str]:
    return frozenset(re.split(r"[^a-z0-9.]+", _SOCKET.sub("sxm", name.lower()))) - _VENDORS - {""}


def gpu_id_of(text: str) -> str:
    """Return the registry id of the accelerator that a file names, empty where none or several are meant.

    Args:
        text: An id, or a name as a driver reports it, such as `NVIDIA H100 80GB HBM3`.
    """
    known = registry.gpu_ids()
    exact = next((gpu_id for gpu_id in known if as_id(text) in {gpu_id, as_id(registry.gpu(gpu_id).name)}), "")
    if exact:
        return exact
    told = _words(text)
    fitting = [gpu_id for gpu_id in known if set(gpu_id.split("-")) <= told]
    if fitting:
        return max(fitting, key=len)
    # A card is a module on a board of its own unless its name says otherwise.
    bare = [gpu_id for gpu_id in known if gpu_id.split("-")[0] in told and gpu_id.endswith(("-sxm", "-nvl72"))]
    if len(bare) == 1:
        return bare[0]
    named = [gpu_id for gpu_id, gpu in registry.gpus().items() if told and told <= _words(gpu.name)]
    return named[0] if len(named) == 1 else ""


def engine_id_of(text: str) -> str:
    """Return the registry id of the engine that a file names, empty where it is none of the registry's."""
    return as_id(text) if as_id(text) in registry.engine_ids() else ""


def format_class_of(text: str) -> str:
    """Return the kind of numbers that a word stands for: `bf16`, `fp8`, `fp4`, `int8`, `int4`; empty where unknown.

    Args:
        text: An engine's word for a quantisation or a cache, or the name of a checkpoint that ends with one.
    """
    word = text.lower()
    return next((kind for kind, pattern in _CLASSES if pattern.search(word)), "")
