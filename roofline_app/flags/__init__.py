"""Serving flags: a scenario's best drafter in the words of a serving engine, and the commands that measure it.

Draft lengths keep to what engines can do (one block of a block drafter, as far as its checkpoint's reaches), so they
can be shorter than on the page. To measure, weights are random and acceptance is forced: both passes run in full, and
no drafter has to be trained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from roofline_app import format as fmt, registry
from roofline_app.flags import sglang, tensorrt_llm, vllm
from roofline_app.flags.commands import client
from roofline_app.flags.serving_plan import DRAFT_MODEL, MODEL, Drafts, Plan, plan
from roofline_app.flags.shell import remark
from roofline_app.hardware.engines import EngineSpec
from roofline_app.hardware.layout_words import layout_name
from roofline_app.scenario import Scenario, Weights
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
        measure: Servers without and with speculation, and the client; in this order.
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


def _no_drafts(made: Plan, scenario: Scenario, engine: EngineSpec, language: str) -> str:
    """Return why nothing is drafted."""
    served = any(registry.drafter_kind(drafter.kind).method(engine.id) for drafter in scenario.drafters)
    key = "flags.do_not_speculate" if served else "flags.no_drafter"
    return sentence(key, language, batch=fmt.count(made.batch), engine=engine.name)


def _advice(drafts: Drafts, batch: int, engine: EngineSpec, language: str) -> list[str]:
    """Return advice on the draft, and how it differs from the page's answer."""
    values = {
        "drafter": drafts.drafter,
        "drafts": drafts.draft_tokens,
        "batch": fmt.count(batch),
        "tokens": fmt.significant(drafts.tokens_per_round),
    }
    notes = [sentence("flags.speculate", language, **values)]
    if drafts.longest is not None:
        notes.append(sentence("flags.block", language, block=drafts.longest + 1, drafts=drafts.longest))
    if len(drafts.ranges) > 1 and drafts.method.by_batch:
        notes.append(sentence("flags.by_batch", language))
    elif len(drafts.ranges) > 1:
        notes.append(sentence("flags.one_length", language, engine=engine.name, batch=fmt.count(batch)))
    return notes


def _notes(made: Plan, scenario: Scenario, engine: EngineSpec, language: str) -> tuple[str, ...]:
    drafts = made.drafts
    if drafts is None:
        notes = [_no_drafts(made, scenario, engine, language)]
    else:
        notes = _advice(drafts, made.batch, engine, language)
    if made.model == MODEL:
        notes.append(sentence("flags.name_model", language, placeholder=MODEL))
    if drafts and drafts.draft_model:
        notes.append(sentence("flags.name_draft_model", language, placeholder=DRAFT_MODEL))
    if drafts and drafts.kind.weights == "next-token":
        notes.append(sentence("flags.next_token", language))
    if scenario.weights != Weights() or scenario.kv != "published":
        notes.append(sentence("flags.precision", language))
    if made.gpus > 1:
        notes.append(sentence("flags.layout", language, gpus=made.gpus, layout=layout_name(made.layout, language)))
    forced = drafts is not None and not drafts.kind.looks_up
    notes.append(sentence("flags.random_weights" if forced or not drafts else "flags.no_forcing", language))
    if forced:
        notes.append(sentence("flags.forced", language))
        notes += [sentence(f"flags.{caution}", language) for caution in engine.cautions]
    return tuple(notes)


def _measuring(made: Plan, engine: EngineSpec, measure: Writer, language: str) -> tuple[Step, ...]:
    """Return the commands that measure; none where drafts are looked up in texts: random ones prove nothing."""
    if made.drafts and made.drafts.kind.looks_up:
        return ()
    plain = replace(made, drafts=None)
    steps = [Step(title=sentence("flags.measure_plain", language), command=measure(engine, plain))]
    if made.drafts:
        title = sentence("flags.measure_drafts", language, tokens=fmt.significant(made.drafts.tokens_per_round))
        steps.append(Step(title=title, command=measure(engine, made)))
    return (*steps, Step(title=sentence("flags.client", language), command=client(engine, made)))


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
        notes=_notes(made, scenario, engine, language),
    )


def as_text(flags: Flags) -> str:
    """Return flags as text that a shell can read: every line that is no command is a remark."""
    blocks = [[remark(note) for note in (flags.checked, *flags.notes)]]
    blocks += [[remark(step.title), step.command] for step in (flags.serve, *flags.measure)]
    return "\n\n".join("\n".join(block) for block in blocks)
