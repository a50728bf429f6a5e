"""Servers and benchmark clients, in what all engines have in common."""

from __future__ import annotations

from roofline_app.flags.limits import chunked_prefill, graph_batch, graph_sizes, token_budget
from roofline_app.flags.serving_plan import Plan
from roofline_app.flags.shell import Options, command
from roofline_app.hardware.engines import EngineSpec


def server(engine: EngineSpec, plan: Plan, options: Options, environment: dict[str, object] | None = None) -> str:
    """Return the command that serves the plan's model, with further options."""
    flags = engine.flags
    model = [flags["model"], plan.model] if flags["model"] else [plan.model]
    common: list[list[object]] = [
        engine.layout_words(plan.layout, plan.gpus),
        engine.host_words(plan.layout, plan.hosts, plan.host_gpus, 0),
        [flags["batch"], plan.rank_batch if engine.batch_per_rank else plan.batch],
        *_limits(engine, plan),
        [*engine.cache.get(plan.kv, ())],
        [flags["remote_code"]] if plan.remote_code else [],
    ]
    launch = [word.format(hosts=plan.hosts, gpus=plan.host_gpus) for word in engine.launch if plan.hosts > 1]
    return command([*launch, *engine.serve, *model], [*common, *options], environment)


def _limits(engine: EngineSpec, plan: Plan) -> list[list[object]]:
    """Return the options that go beyond the engine's defaults, as far as they are options of the command."""
    flags, options = engine.flags, list[list[object]]()
    budget, batch, sizes = token_budget(engine, plan), graph_batch(engine, plan), graph_sizes(engine, plan)
    if budget is not None and "token_budget" in flags:
        options.append([flags["token_budget"], budget])
    if batch is not None and "graph_batch" in flags:
        options.append([flags["graph_batch"], batch])
    if sizes and "graph_sizes" in flags:
        options.append([flags["graph_sizes"], *sizes])
    if chunked_prefill(engine, plan):
        options.append([flags["chunked_prefill"]])
    return options


def client(engine: EngineSpec, plan: Plan, results: str) -> str:
    """Return the engine's own benchmark: the plan's batch of random token ids around the setting's context.

    Args:
        engine: The engine.
        plan: The plan.
        results: Name of the file to write; empty for a run that only has the server read the prompts.
    """
    flags, lengths = engine.flags, plan.lengths
    saving = engine.bench_save if results else ()
    trusting = engine.bench_remote_code if plan.remote_code else ()
    return command(
        [*engine.bench, *saving, *trusting],
        [
            [flags["bench_model"], plan.model],
            [flags["bench_input"], lengths.input_tokens],
            [flags["bench_output"], lengths.output_tokens if results else 1],
            [flags["bench_prompts"], lengths.requests],
            [flags["bench_concurrency"], plan.batch],
            [flags["bench_file"], results] if results else [],
        ],
    )
