"""Serving flags: a scenario's best drafter in the words of a serving engine, and the commands that measure it.

Draft lengths keep to what engines can do (one block of a block drafter, as far as its checkpoint's reaches), so they
can be shorter than on the page. To measure, weights are random and acceptance is forced: both passes run in full, and
no drafter has to be trained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from roofline_app import format as fmt, registry
from roofline_app.flags import sglang, tensorrt_llm, vllm
from roofline_app.flags.commands import client
from roofline_app.flags.notes import notes_on
from roofline_app.flags.serving_plan import Plan, plan
from roofline_app.flags.shell import remark
from roofline_app.hardware.engines import EngineSpec
from roofline_app.scenario import Scenario
from roofline_app.text import sentence

Writer = Callable[[EngineSpec, Plan], str]
ENGINES: dict[str, tuple[Writer, Writer]] = {
    "vllm": (vllm.serve, vllm.measure),
    "sglang": (sglang.serve, sglang.measure),
    "tensorrt-llm": (tensorrt_llm.serve, tensorrt_llm.measure),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to run.

    Attributes:
        title: What it is for, plain text.
        command: Shell text, quoted.
    """

    title: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """How to serve and to measure a setting on one engine.

    Attributes:
        engine: Name of the engine.
        checked: What the names of its arguments were checked against, plain text.
        sources: Where they are stated.
        drafter: Name of the drafter line, or empty where nothing is to be drafted.
        draft_tokens: Draft length γ at this batch, 0 where nothing is to be drafted.
        tokens_per_round: Committed tokens per round, bonus token included.
        serve: The server.
        measure: Servers without and with speculation, the client that has prompts read where decoding alone is timed,
            and the one that measures, once for each server where it writes over its file; in this order.
        notes: What has to be known or replaced, plain text.
    """

    engine: str
    checked: str
    sources: tuple[str, ...]
    drafter: str
    draft_tokens: int
    tokens_per_round: float
    serve: Step
    measure: tuple[Step, ...]
    notes: tuple[str, ...]


def _clients(made: Plan, engine: EngineSpec, language: str) -> list[Step]:
    """Return the clients of both servers: one for both where results are appended, else one for each."""
    prompts = Step(title=sentence("flags.read_prompts", language), command=client(engine, made, ""))
    before = [] if made.lengths.whole else [prompts]
    if made.drafts is None or not engine.plain_results:
        return [*before, Step(title=sentence("flags.client", language), command=client(engine, made, engine.results))]
    files = {"flags.client_plain": engine.plain_results, "flags.client_drafts": engine.results}
    named = [Step(title=sentence(key, language), command=client(engine, made, file)) for key, file in files.items()]
    return [*before, *named]


def _measuring(made: Plan, engine: EngineSpec, measure: Writer, language: str) -> tuple[Step, ...]:
    """Return the commands that measure; none where drafts are looked up in texts: random ones prove nothing."""
    if made.drafts and made.drafts.kind.looks_up:
        return ()
    steps = [Step(title=sentence("flags.measure_plain", language), command=measure(engine, made.plain))]
    if made.drafts:
        title = sentence("flags.measure_drafts", language, tokens=fmt.significant(made.drafts.tokens_per_round))
        steps.append(Step(title=title, command=measure(engine, made.fixed)))
    return (*steps, *_clients(made, engine, language))


def serving_flags(scenario: Scenario, engine_id: str, *, drafter: int | None = None, language: str = "en") -> Flags:
    """Return the commands that serve a setting on an engine, and those that measure it there.

    Args:
        scenario: The setting.
        engine_id: `vllm`, `sglang` or `tensorrt-llm`.
        drafter: Position of a drafter line; None takes the line that gains most on this engine.
        language: Of the texts.

    Returns:
        Commands and notes. Where no drafter gains, commands without speculation, and a note that says so.

    Raises:
        SpecError: When the engine, the model or the GPU is unknown or a custom config cannot be read.

    Examples:
        >>> flags = serving_flags(Scenario(batch=8), "sglang")
        >>> flags.drafter, flags.serve.command.split()[:3]
        ('Block', ['python', '-m', 'sglang.launch_server'])
    """
    engine = registry.engine(engine_id)
    serve, measure = ENGINES[engine_id]
    made = plan(scenario, engine, drafter)
    return Flags(
        engine=engine.name,
        checked=sentence("flags.checked", language, engine=engine.name, version=engine.version, date=engine.checked),
        sources=engine.sources,
        drafter=made.drafts.drafter if made.drafts else "",
        draft_tokens=made.drafts.draft_tokens if made.drafts else 0,
        tokens_per_round=made.drafts.tokens_per_round if made.drafts else 1.0,
        serve=Step(title=sentence("flags.serve", language), command=serve(engine, made)),
        measure=_measuring(made, engine, measure, language),
        notes=notes_on(made, scenario, engine, language),
    )


def as_text(flags: Flags) -> str:
    """Return flags as text that a shell can read: every line that is no command is a remark."""
    blocks = [[remark(note) for note in (flags.checked, *flags.notes)]]
    blocks += [[remark(step.title), step.command] for step in (flags.serve, *flags.measure)]
    return "\n\n".join("\n".join(block) for block in blocks)
