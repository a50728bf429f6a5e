"""vLLM: one JSON argument. Draft tokens are counted alone (K = γ), and K may depend on the batch."""

from __future__ import annotations

import json

from roofline_app.flags.commands import longest_sequence, server
from roofline_app.flags.serving_plan import Plan
from roofline_app.hardware.engines import EngineSpec


def _config(engine: EngineSpec, plan: Plan) -> dict[str, object]:
    names = engine.speculation
    config: dict[str, object] = {names["method"]: engine.methods[plan.kind]}
    if plan.draft_model:
        config[names["draft_model"]] = plan.draft_model
    return config


def serve(engine: EngineSpec, plan: Plan) -> str:
    """Return the serving command, its draft length chosen by batch where that differs."""
    if not plan.draft_tokens:
        return server(engine, plan, [])
    names = engine.speculation
    config = _config(engine, plan)
    # The table's entries may not exceed this number.
    config[names["draft_tokens"]] = max(length for _, _, length in plan.ranges)
    config[names["schedule"]] = [list(entry) for entry in plan.ranges]
    return server(engine, plan, [[names["config"], json.dumps(config)]])


def measure(engine: EngineSpec, plan: Plan) -> str:
    """Return the command of a server with random weights; where it drafts, positions are accepted as often as here."""
    options: list[list[object]] = [
        [engine.flags["context"], longest_sequence(plan)],
        [engine.flags["load_format"], "dummy"],
    ]
    if plan.draft_tokens:
        names = engine.speculation
        config = _config(engine, plan)
        config[names["draft_tokens"]] = plan.draft_tokens
        config[names["sampling"]] = names["forced"]
        config[names["rates"]] = list(plan.survival)
        options.append([names["config"], json.dumps(config)])
    return server(engine, plan, options)
