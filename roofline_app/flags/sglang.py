"""SGLang: flags. The verified token is counted with the drafts (num-draft-tokens = γ + 1)."""

from __future__ import annotations

from roofline_app.flags.commands import longest_sequence, server
from roofline_app.flags.serving_plan import Plan
from roofline_app.hardware.engines import EngineSpec

LENGTH_DIGITS = 4


def _speculation(engine: EngineSpec, plan: Plan) -> list[list[object]]:
    names, drafts = engine.speculation, plan.draft_tokens
    options: list[list[object]] = [[names["method"], engine.methods[plan.kind]]]
    if plan.draft_model:
        options.append([names["draft_model"], plan.draft_model])
    if plan.kind == "block":
        options.append([names["block"], drafts + 1])
    elif plan.kind == "ngram":
        options.append([names["breadth"], 1])
    else:
        options += [[names["steps"], drafts], [names["branches"], 1]]
    return [*options, [names["verified_tokens"], drafts + 1]]


def serve(engine: EngineSpec, plan: Plan) -> str:
    """Return the serving command; a drafted chain, not a tree."""
    return server(engine, plan, _speculation(engine, plan) if plan.draft_tokens else [])


def measure(engine: EngineSpec, plan: Plan) -> str:
    """Return the command of a server with random weights; where it drafts, rounds commit the length computed here."""
    options: list[list[object]] = [
        [engine.flags["context"], longest_sequence(plan)],
        [engine.flags["load_format"], "dummy"],
    ]
    if not plan.draft_tokens:
        return server(engine, plan, options)
    names = engine.speculation
    environment: dict[str, object] = {
        names["forced_length"]: round(plan.tokens_per_round, LENGTH_DIGITS),
        names["forced_method"]: names["forced_method_value"],
        names["forced_tokens"]: names["forced_tokens_value"],
    }
    return server(engine, plan, [*options, *_speculation(engine, plan)], environment)
