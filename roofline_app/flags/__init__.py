"""Serving flags: a scenario's best drafter in the words of a serving engine, and the commands that measure it.

Draft lengths keep to what engines can do (one block of a block drafter, at most one token shorter than the block), so
they can be shorter than on the page. To measure, weights are random and acceptance is forced: both passes run in full,
and no drafter has to be trained.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from roofline_app import format as fmt, registry
from roofline_app.flags import sglang, tensorrt_llm, vllm
from roofline_app.flags.commands import client
from roofline_app.flags.serving_plan import DRAFT_MODEL, MODEL, Plan, plan
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


def _advice(made: Plan, scenario: Scenario, engine: EngineSpec, language: str) -> list[str]:
    """Return what to do, and in which way it differs from what the page shows."""
    if not made.draft_tokens:
        served = any(drafter.kind in engine.methods for drafter in scenario.drafters)
        key = "flags.do_not_speculate" if served else "flags.no_drafter"
        return [sentence(key, language, batch=fmt.count(made.batch), engine=engine.name)]
    values = {
        "drafter": made.drafter,
        "drafts": made.draft_tokens,
        "batch": fmt.count(made.batch),
        "tokens": fmt.significant(made.tokens_per_round),
    }
    said = [sentence("flags.speculate", language, **values)]
    if made.kind == "block":
        said.append(sentence("flags.block", language, block=made.block, drafts=made.block - 1))
    if made.kind in engine.scheduled and len(made.ranges) > 1:
        said.append(sentence("flags.by_batch", language))
    elif len(made.ranges) > 1:
        said.append(sentence("flags.one_length", language, engine=engine.name, batch=fmt.count(made.batch)))
    return said


def _notes(made: Plan, scenario: Scenario, engine: EngineSpec, language: str) -> tuple[str, ...]:
    said = _advice(made, scenario, engine, language)
    if made.model == MODEL:
        said.append(sentence("flags.name_model", language, placeholder=MODEL))
    if made.draft_model:
        said.append(sentence("flags.name_draft_model", language, placeholder=DRAFT_MODEL))
    if made.kind == "mtp":
        said.append(sentence("flags.next_token", language))
    if scenario.weights != Weights() or scenario.kv != "published":
        said.append(sentence("flags.precision", language))
    if made.gpus > 1:
        said.append(sentence("flags.layout", language, gpus=made.gpus, layout=layout_name(made.layout, language)))
    said.append(sentence("flags.no_forcing" if made.kind == "ngram" else "flags.random_weights", language))
    if made.draft_tokens and made.kind != "ngram":
        said.append(sentence("flags.forced", language))
        said += [sentence(f"flags.{caution}", language) for caution in engine.cautions]
    return tuple(said)


def _measuring(made: Plan, engine: EngineSpec, measure: Writer, language: str) -> tuple[Step, ...]:
    plain = replace(made, drafter="", kind="", draft_tokens=0, tokens_per_round=1.0, survival=(), ranges=())
    steps = [Step(title=sentence("flags.measure_plain", language), command=measure(engine, plain))]
    if made.draft_tokens:
        title = sentence("flags.measure_drafts", language, tokens=fmt.significant(made.tokens_per_round))
        steps.append(Step(title=title, command=measure(engine, made)))
    return (*steps, Step(title=sentence("flags.client", language), command=client(engine, made)))


def serving_flags(scenario: Scenario, engine_id: str, *, drafter: int | None = None, language: str = "en") -> Flags:
    """Return how to serve a setting on an engine, and how to measure it there.

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
        drafter=made.drafter,
        draft_tokens=made.draft_tokens,
        tokens_per_round=made.tokens_per_round,
        serve=Step(title=sentence("flags.serve", language), command=serve(engine, made)),
        measure=() if made.kind == "ngram" else _measuring(made, engine, measure, language),
        notes=_notes(made, scenario, engine, language),
    )


def as_text(flags: Flags) -> str:
    """Return flags as text that a shell can read: every line that is no command is a remark."""
    blocks = [[remark(note) for note in (flags.checked, *flags.notes)]]
    blocks += [[remark(step.title), step.command] for step in (flags.serve, *flags.measure)]
    return "\n\n".join("\n".join(block) for block in blocks)
