"""TensorRT-LLM: a YAML file. Draft tokens are counted alone, and a forced length leaves the bonus token out."""

from __future__ import annotations

import json

from roofline_app.flags.commands import server
from roofline_app.flags.drafts import Drafts
from roofline_app.flags.limits import graph_batch
from roofline_app.flags.serving_plan import Plan
from roofline_app.flags.shell import file
from roofline_app.hardware.engines import EngineSpec

LENGTH_DIGITS = 4
SERVING_FILE = "speculation.yaml"
MEASURING_FILE = "measuring.yaml"
PLAIN_FILE = "plain.yaml"


def schedule(drafts: Drafts) -> dict[int, int]:
    """Return draft lengths by the last batch that they hold for; empty where the engine cannot follow them.

    The first has to be the longest, and batches beyond the last do not draft.
    """
    lengths = [length for _, _, length in drafts.ranges]
    fits = drafts.by_batch and lengths[0] == max(lengths)
    return {end: length for _, end, length in drafts.ranges} if fits else {}


def _speculation(engine: EngineSpec, drafts: Drafts, lengths: dict[int, int]) -> list[str]:
    names = engine.speculation
    lines = [
        f"{names['config']}:",
        f"  {names['method']}: {drafts.method.method}",
        f"  {names['draft_tokens']}: {max(lengths.values(), default=drafts.draft_tokens)}",
    ]
    if drafts.draft_model:
        lines.append(f"  {names['draft_model']}: {json.dumps(drafts.draft_model)}")
    lines += [f"  {name}: {json.dumps(value)}" for name, value in drafts.method.options_at(drafts.draft_tokens)]
    if lengths:
        lines.append(f"  {names['schedule']}:")
        lines += [f"    {batch}: {length}" for batch, length in lengths.items()]
    return lines


def _common(engine: EngineSpec, plan: Plan) -> list[str]:
    """Return the lines that every server of the plan needs."""
    names, batch = engine.speculation, graph_batch(engine, plan)
    lines = list(engine.layout_options.get(plan.layout, ())) if plan.gpus > 1 else []
    lines += engine.cache_options.get(plan.kv, ())
    if batch is not None:
        lines += [f"{names['graphs']}:", f"  {names['graph_batch']}: {batch}", f"  {names['graph_padding']}: true"]
    return lines


def serve(engine: EngineSpec, plan: Plan) -> str:
    """Return the file of options and the serving command."""
    lines = _common(engine, plan)
    if plan.drafts:
        lines += _speculation(engine, plan.drafts, schedule(plan.drafts))
    if not lines:
        return server(engine, plan, [])
    return file(SERVING_FILE, lines) + "\n" + server(engine, plan, [[engine.speculation["file"], SERVING_FILE]])


def measure(engine: EngineSpec, plan: Plan) -> str:
    """Return file and command of a server with random weights; where it drafts, it accepts the length computed here."""
    names, dummy = engine.speculation, f"{engine.flags['load_format']}: dummy"
    lines, name, environment = [dummy, *_common(engine, plan)], PLAIN_FILE, dict[str, object]()
    if plan.drafts:
        name = MEASURING_FILE
        lines += _speculation(engine, plan.drafts, {})
        if plan.drafts.draft_model:
            lines.append(f"  {dummy}")
        environment = {names["forced_length"]: round(plan.drafts.tokens_per_round - 1.0, LENGTH_DIGITS)}
    options: list[list[object]] = [[engine.flags["context"], plan.lengths.longest], [names["file"], name]]
    return file(name, lines) + "\n" + server(engine, plan, options, environment)
