"""Settings for commands: a fixed sample across models, nodes, layouts, batches, contexts and drafters, and presets."""

from __future__ import annotations

import random

from roofline_app import registry

NODES = [
    ("h100-sxm", 1), ("h100-sxm", 8), ("h100-sxm", 16), ("h200-sxm", 8), ("a100-80gb", 4), ("b200", 1), ("b200", 8),
    ("b300", 8), ("gb200-nvl72", 4), ("gb200-nvl72", 8), ("gb200-nvl72", 72), ("mi300x", 8), ("rtx-5090", 1),
    ("l40s", 2), ("h20", 8), ("dgx-spark", 1), ("h200-sxm", 3), ("tpu7x", 4),
]  # fmt: skip
BATCHES = [1, 8, 31, 32, 64, 129, 256, 512, 1024, 4096]
CONTEXTS = ["16", "512", "4096", "32768", "131072", "1000000", ""]
LAYOUTS = ["", "tp", "tp%2Bep", "dp%2Btp", "dp%2Bep", "even"]
DRAFTERS = [
    "", "mtp", "eagle3", "draft", "block", "ngram", "mtp,cost=physical", "draft,cost=physical", "ngram,acceptance=0.9",
    "eagle3,acceptance=0.95", "block,cost=physical", "block,block=8,passes=2,gain=0.3", "eagle3,relax=0.3",
    "dspark", "domino", "dflash2,cost=physical", "peagle", "mtp-chain", "suffix", "eagle3,topk=4,verified=16",
    "mtp,topk=2,verified=6,acceptance=0.9", "block,preset=kimi-k3-dspark", "dspark,preset=deepseek-v4-pro-0813-dspark",
    "draft,cost=physical,placement=separate", "block,acceptance=0.98", "draft,acceptance=0.9,cost=0.02",
]  # fmt: skip
FORMATS = ["", "&kv=fp8", "&weights=fp8", "&kv=nvfp4", "&kv=int8"]


def command_queries(count: int) -> list[str]:
    """Return that many settings, always the same, and those of every preset."""
    chance = random.Random(0)
    models = registry.model_ids()
    made = []
    for _ in range(count):
        gpu, gpus = chance.choice(NODES)
        context, layout, drafter = chance.choice(CONTEXTS), chance.choice(LAYOUTS), chance.choice(DRAFTERS)
        query = f"model={chance.choice(models)}&gpu={gpu}&gpus={gpus}&batch={chance.choice(BATCHES)}"
        query += f"&context={context}" if context else ""
        query += f"&layout={layout}" if layout else ""
        query += f"&drafter={drafter}" if drafter else ""
        made.append(query + chance.choice(FORMATS))
    return made + [preset.query for preset in registry.presets().values()]
