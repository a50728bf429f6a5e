"""SGLang: flags. The verified token is counted with the drafts (num-draft-tokens = γ + 1)."""

from __future__ import annotations

import json

from roofline_app.flags.commands import server
from roofline_app.flags.drafts import Drafts
from roofline_app.flags.serving_plan import Plan
from roofline_app.flags.shell import file
from roofline_app.hardware.engines import EngineSpec

LENGTH_DIGITS = 4
SCHEDULE_FILE = "speculation-steps.json"


def _speculation(engine: EngineSpec, drafts: Drafts, plan: Plan) -> list[list[object]]:
    names = engine.speculation
    options: list[list[object]] = [[names["method"], drafts.method.method]]
    if drafts.draft_model:
        options.append([names["draft_model"], drafts.draft_model])
    options += [[name, value] for name, value in drafts.method.options_at(drafts.draft_tokens, drafts.branches)]
    options.append([names["verified_tokens"], drafts.verified + 1])
    return [*options, list(drafts.method.layout_words(plan.layout) if plan.ranks > 1 else ())]


def serve(engine: EngineSpec, plan: Plan) -> str:
    """Return the serving command of a chain or a tree, after a file of steps where the length follows the batch."""
    if plan.drafts is None:
        return server(engine, plan, [])
    options = _speculation(engine, plan.drafts, plan)
    if not plan.drafts.by_batch:
        return server(engine, plan, options)
    names = engine.speculation
    options += [[names["by_batch"]], [names["schedule"], SCHEDULE_FILE]]
    return file(SCHEDULE_FILE, _steps(engine, plan.drafts)) + "\n" + server(engine, plan, options)


def _steps(engine: EngineSpec, drafts: Drafts) -> list[str]:
    """Return a file of steps: one candidate from each range's first batch on, so that nothing adapts."""
    name = engine.speculation["schedule_steps"]
    entries = [f"  {json.dumps(str(first))}: {json.dumps({name: [length]})}" for first, _, length in drafts.ranges]
    return ["{", *(f"{entry}," for entry in entries[:-1]), entries[-1], "}"]


def measure(engine: EngineSpec, plan: Plan) -> str:
    """Return the command of a server with random weights; where it drafts, rounds commit the length computed here."""
    options: list[list[object]] = [
        [engine.flags["context"], plan.lengths.longest],
        [engine.flags["load_format"], "dummy"],
    ]
    if plan.drafts is None:
        return server(engine, plan, options)
    names = engine.speculation
    environment: dict[str, object] = {
        names["forced_length"]: round(plan.drafts.tokens_per_round, LENGTH_DIGITS),
        names["forced_method"]: names["forced_method_value"],
        # Drafted tokens can be kept along a chain only.
        names["forced_tokens"]: names["forced_tree_value" if plan.drafts.branches > 1 else "forced_tokens_value"],
    }
    return server(engine, plan, [*options, *_speculation(engine, plan.drafts, plan)], environment)
