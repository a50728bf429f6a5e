"""vLLM: one JSON argument. Draft tokens are counted alone (K = γ), and K may depend on the batch."""

from __future__ import annotations

import json

from roofline_app.flags.commands import server
from roofline_app.flags.drafts import Drafts
from roofline_app.flags.serving_plan import Plan
from roofline_app.hardware.engines import EngineSpec


def _config(engine: EngineSpec, drafts: Drafts, plan: Plan) -> dict[str, object]:
    names = engine.speculation
    config: dict[str, object] = {names["method"]: drafts.method.method}
    if drafts.draft_model:
        config[names["draft_model"]] = drafts.draft_model
    if drafts.heads % plan.tensor_parallel:
        config[names["draft_parallel"]] = 1
    if drafts.other_vocabulary:
        config |= dict(drafts.method.other_vocabulary)
    return config | dict(drafts.method.options_at(drafts.draft_tokens))


def serve(engine: EngineSpec, plan: Plan) -> str:
    """Return the serving command, its draft length chosen by batch where that differs and the engine can."""
    if plan.drafts is None:
        return server(engine, plan, [])
    names, drafts = engine.speculation, plan.drafts
    config = _config(engine, drafts, plan)
    # The table's entries may not exceed this number.
    config[names["draft_tokens"]] = drafts.most_tokens
    if drafts.whole:
        # Sized at every step instead of by a table.
        config |= dict(drafts.method.adaptive)
    elif drafts.by_batch:
        config[names["schedule"]] = [list(entry) for entry in drafts.ranges]
    return server(engine, plan, [[names["config"], json.dumps(config)]])


def measure(engine: EngineSpec, plan: Plan) -> str:
    """Return the command of a server with random weights; where it drafts, positions are accepted as often as here."""
    options: list[list[object]] = [
        [engine.flags["context"], plan.lengths.longest],
        [engine.flags["load_format"], "dummy"],
    ]
    if plan.drafts:
        names = engine.speculation
        config = _config(engine, plan.drafts, plan)
        config[names["draft_tokens"]] = plan.drafts.draft_tokens
        config[names["sampling"]] = names["forced"]
        config[names["rates"]] = list(plan.drafts.survival)
        options.append([names["config"], json.dumps(config)])
    return server(engine, plan, options)
