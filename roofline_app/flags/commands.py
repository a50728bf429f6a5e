"""Servers and benchmark clients, in what all engines have in common."""

from __future__ import annotations

from roofline_app.flags.serving_plan import Plan
from roofline_app.flags.shell import Options, command
from roofline_app.hardware.engines import EngineSpec

# Waves of sequences in a benchmark: enough that starting and ending weigh little.
WAVES = 4
# Prompts come out a few tokens longer than asked for where a client goes through text.
SPARE_TOKENS = 64


def server(engine: EngineSpec, plan: Plan, options: Options, environment: dict[str, object] | None = None) -> str:
    """Return the command that serves the plan's model, with further options."""
    flags = engine.flags
    model = [flags["model"], plan.model] if flags["model"] else [plan.model]
    common = [engine.layout_words(plan.layout, plan.gpus), [flags["batch"], plan.batch]]
    return command([*engine.serve, *model], [*common, *options], environment)


def longest_sequence(plan: Plan) -> int:
    """Return the tokens that the longest measured sequence can reach, drafts included."""
    draft_tokens = plan.drafts.draft_tokens if plan.drafts else 0
    return plan.input_tokens + plan.output_tokens + draft_tokens + SPARE_TOKENS


def client(engine: EngineSpec, plan: Plan) -> str:
    """Return the engine's own benchmark: the plan's batch of random token ids around the setting's context."""
    flags = engine.flags
    return command(
        engine.bench,
        [
            [flags["bench_model"], plan.model],
            [flags["bench_input"], plan.input_tokens],
            [flags["bench_output"], plan.output_tokens],
            [flags["bench_prompts"], WAVES * plan.batch],
            [flags["bench_concurrency"], plan.batch],
            [flags["bench_file"], engine.results],
        ],
    )
