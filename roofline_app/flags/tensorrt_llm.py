"""TensorRT-LLM: a YAML file. Draft tokens are counted alone, and a forced length leaves the bonus token out."""

from __future__ import annotations

import json

from roofline_app.flags.commands import longest_sequence, server
from roofline_app.flags.serving_plan import Plan
from roofline_app.flags.shell import file
from roofline_app.hardware.engines import EngineSpec

LENGTH_DIGITS = 4
SERVING_FILE = "speculation.yaml"
MEASURING_FILE = "measuring.yaml"
PLAIN_FILE = "plain.yaml"


def _schedule(engine: EngineSpec, plan: Plan) -> dict[int, int]:
    """Return draft lengths by the last batch that they hold for; empty where the engine cannot follow them.

    The first has to be the longest, and batches beyond the last do not draft.
    """
    lengths = [length for _, _, length in plan.ranges]
    fits = plan.kind in engine.scheduled and len(lengths) > 1 and lengths[0] == max(lengths)
    return {end: length for _, end, length in plan.ranges} if fits else {}


def _config(engine: EngineSpec, plan: Plan, *, schedule: dict[int, int]) -> list[str]:
    names = engine.speculation
    lines = [
        f"{names['config']}:",
        f"  {names['method']}: {engine.methods[plan.kind]}",
        f"  {names['draft_tokens']}: {max(schedule.values(), default=plan.draft_tokens)}",
    ]
    if plan.draft_model:
        lines.append(f"  {names['draft_model']}: {json.dumps(plan.draft_model)}")
    if schedule:
        lines.append(f"  {names['schedule']}:")
        lines += [f"    {batch}: {length}" for batch, length in schedule.items()]
    return lines


def _layout(engine: EngineSpec, plan: Plan) -> list[str]:
    return list(engine.layout_options.get(plan.layout, ())) if plan.gpus > 1 else []


def serve(engine: EngineSpec, plan: Plan) -> str:
    """Return the file of options and the serving command."""
    lines = _layout(engine, plan)
    if plan.draft_tokens:
        lines += _config(engine, plan, schedule=_schedule(engine, plan))
    if not lines:
        return server(engine, plan, [])
    return file(SERVING_FILE, lines) + "\n" + server(engine, plan, [[engine.speculation["file"], SERVING_FILE]])


def measure(engine: EngineSpec, plan: Plan) -> str:
    """Return file and command of a server with random weights; where it drafts, it accepts the length computed here."""
    names, dummy = engine.speculation, f"{engine.flags['load_format']}: dummy"
    lines, name, environment = [dummy, *_layout(engine, plan)], PLAIN_FILE, dict[str, object]()
    if plan.draft_tokens:
        name = MEASURING_FILE
        lines += _config(engine, plan, schedule={})
        if plan.draft_model:
            lines.append(f"  {dummy}")
        environment = {names["forced_length"]: round(plan.tokens_per_round - 1.0, LENGTH_DIGITS)}
    options: list[list[object]] = [[engine.flags["context"], longest_sequence(plan)], [names["file"], name]]
    return file(name, lines) + "\n" + server(engine, plan, options, environment)
