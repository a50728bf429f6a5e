"""What has to be known beside an engine's commands: replaced, taken care of, or left unserved."""

from __future__ import annotations

from collections.abc import Iterator

from roofline_app import format as fmt
from roofline_app.flags.checkpoints import DRAFT_MODEL, MODEL
from roofline_app.flags.drafts import Drafts
from roofline_app.flags.limits import graph_batch, graph_sizes, token_budget
from roofline_app.flags.serving_plan import Plan
from roofline_app.flags.shell import words
from roofline_app.flags.tensorrt_llm import schedule
from roofline_app.hardware.engines import EngineSpec
from roofline_app.hardware.layout_words import layout_name
from roofline_app.scenario import Scenario, Weights
from roofline_app.text import sentence

PUBLISHED = "published"
Notes = Iterator[str]


def notes_on(made: Plan, scenario: Scenario, engine: EngineSpec, language: str) -> tuple[str, ...]:
    """Return what has to be known beside a plan's commands, plain text.

    Args:
        made: The plan.
        scenario: The setting that it is of.
        engine: The engine.
        language: Of the texts.
    """
    drafts = made.drafts
    notes = list[str]()
    if drafts is None:
        notes.append(_no_drafts(made, engine, language))
    else:
        notes += _drafting(drafts, made, engine, language)
    notes += _left_out(made, engine, language)
    notes += _names(made, engine, language)
    notes += _formats(scenario, engine, language)
    notes += _node(made, engine, language)
    notes += _measuring(made, engine, language)
    return tuple(notes)


def _no_drafts(made: Plan, engine: EngineSpec, language: str) -> str:
    """Return why nothing is drafted."""
    key = "flags.none_left" if made.drafting.refused else "flags.no_drafter"
    if made.drafting.methods:
        key = "flags.do_not_speculate"
    return sentence(key, language, batch=fmt.count(made.batch), engine=engine.name)


def _drafting(drafts: Drafts, made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield advice on the draft, and how it differs from the page's answer."""
    yield sentence(
        "flags.speculate",
        language,
        drafter=drafts.drafter,
        drafts=drafts.draft_tokens,
        batch=fmt.count(made.batch),
        tokens=fmt.significant(drafts.tokens_per_round),
    )
    if drafts.branches > 1:
        yield sentence("flags.tree", language, engine=engine.name, branches=drafts.branches, verified=drafts.verified)
    if drafts.longest is not None:
        yield _longest(drafts, drafts.longest, language)
        if drafts.wanted > drafts.draft_tokens:
            yield sentence("flags.shorter", language, wanted=drafts.wanted, drafts=drafts.draft_tokens)
    if drafts.adaptive:
        yield _adaptive(drafts, engine, language)
    if not drafts.whole:
        yield from _by_batch(drafts, made, engine, language)


def _adaptive(drafts: Drafts, engine: EngineSpec, language: str) -> str:
    """Return how an engine verifies adaptively, or that it does not."""
    values = {"engine": engine.name, "drafter": drafts.drafter, "drafts": drafts.whole}
    if drafts.whole:
        return sentence("flags.adaptive_on", language, **values)
    method = drafts.method
    if method.adaptive_setting:
        given = {"setting": method.adaptive_setting, "option": method.adaptive_table}
        return sentence("flags.adaptive_setting", language, **values, **given)
    return sentence("flags.adaptive_none", language, **values)


def _longest(drafts: Drafts, longest: int, language: str) -> str:
    """Return what bounds the draft: a block, in its checkpoint's own way of counting, or next-token layers."""
    if not drafts.kind.in_blocks:
        return sentence("flags.chain", language, layers=longest)
    counts_verified = drafts.kind.block_counts_verified
    key = "flags.block" if counts_verified else "flags.block_of_drafts"
    return sentence(key, language, block=longest + counts_verified, drafts=longest)


def _by_batch(drafts: Drafts, made: Plan, engine: EngineSpec, language: str) -> Notes:
    batch = fmt.count(made.batch)
    if drafts.by_batch:
        yield sentence("flags.by_batch", language)
        if engine.id == "sglang":
            yield sentence("flags.padded_batch", language, engine=engine.name)
        if engine.id == "tensorrt-llm" and 0 in schedule(drafts).values():
            yield sentence("flags.schedule_zero", language, engine=engine.name)
    elif drafts.varies and made.ranks > 1 and drafts.method.by_batch:
        yield sentence("flags.ranks_one_length", language, batch=batch)
    elif drafts.varies:
        yield sentence("flags.one_length", language, engine=engine.name, batch=batch)


def _left_out(made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield which lines an engine refuses with the layout, and what it leaves out of others."""
    for name, field in made.drafting.unserved:
        yield sentence(f"flags.unserved_{field}", language, engine=engine.name, drafter=name)
    for name in made.drafting.refused:
        layout = layout_name(made.layout, language)
        yield sentence("flags.refused", language, engine=engine.name, drafter=name, layout=layout)


def _names(made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield what has to be replaced, and which checkpoints are taken."""
    if made.model == MODEL:
        yield sentence("flags.name_model", language, placeholder=MODEL)
    if made.remote_code:
        yield sentence("flags.remote_code", language, model=made.model, option=engine.flags["remote_code"])
    if made.drafts is not None:
        yield from _drafter_names(made.drafts, made, language)
        yield from _drafter_needs(made.drafts, made, engine, language)


def _drafter_names(drafts: Drafts, made: Plan, language: str) -> Notes:
    """Yield which checkpoint of a drafter is taken, or has to be."""
    if drafts.draft_model == DRAFT_MODEL:
        yield sentence("flags.name_draft_model", language, placeholder=DRAFT_MODEL)
    elif drafts.draft_model:
        yield sentence("flags.draft_model", language, repository=drafts.draft_model)
    if drafts.target:
        yield sentence("flags.bundled", language, repository=drafts.target)
    if drafts.kind.weights == "next-token" and not drafts.draft_model:
        key = "flags.next_token" if made.next_token else "flags.no_next_token"
        yield sentence(key, language, model=made.model)


def _drafter_needs(drafts: Drafts, made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield what a drafter needs of the engine besides, and where it ends."""
    if drafts.method.package:
        yield sentence("flags.needs_package", language, engine=engine.name, package=drafts.method.package)
    if 0 < drafts.max_context_tokens < made.lengths.longest:
        yield sentence("flags.draft_context", language, tokens=fmt.count(drafts.max_context_tokens))
    if drafts.other_vocabulary:
        key = "flags.other_vocabulary" if drafts.method.other_vocabulary else "flags.other_vocabulary_refused"
        yield sentence(key, language, engine=engine.name)


def _formats(scenario: Scenario, engine: EngineSpec, language: str) -> Notes:
    """Yield what the chosen number formats need."""
    if scenario.weights != Weights():
        yield sentence("flags.precision", language)
    kv = scenario.kv
    if kv != PUBLISHED and kv not in {*engine.cache, *engine.cache_options}:
        yield sentence("flags.no_cache_format", language, engine=engine.name, format=kv)


def _node(made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield how the GPUs share the model, and where an engine cannot have them do so."""
    if made.gpu.vendor not in engine.vendors:
        vendors = ", ".join(engine.vendors)
        yield sentence("flags.other_vendor", language, engine=engine.name, vendors=vendors, gpu=made.gpu.name)
    if made.gpus > 1:
        yield sentence("flags.layout", language, gpus=made.gpus, layout=layout_name(made.layout, language))
        if made.asked_layout not in {made.layout, "even"}:
            asked = layout_name(made.asked_layout, language)
            yield sentence("flags.other_layout", language, engine=engine.name, asked=asked)
    if made.ranks > 1 and engine.batch_per_rank:
        values = {"option": engine.flags["batch"], "batch": fmt.count(made.batch), "ranks": made.ranks}
        yield sentence("flags.batch_per_rank", language, **values, sequences=fmt.count(made.rank_batch))
    yield from _uneven(made, engine, language)
    yield from _hosts(made, engine, language)
    if any((token_budget(engine, made), graph_batch(engine, made), graph_sizes(engine, made))):
        yield sentence("flags.limits", language, engine=engine.name, batch=fmt.count(made.batch))


def _uneven(made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield what the GPUs cannot share evenly, which engines refuse."""
    shares, drafts = made.tensor_parallel, made.drafts
    if made.heads % shares:
        yield sentence("flags.heads", language, engine=engine.name, heads=made.heads, gpus=shares)
    if drafts and drafts.heads % shares and "draft_parallel" not in engine.speculation:
        yield sentence("flags.draft_heads", language, engine=engine.name, heads=drafts.heads, gpus=shares)
    if made.layout.endswith("ep") and made.experts % made.gpus:
        yield sentence("flags.experts", language, engine=engine.name, experts=made.experts, gpus=made.gpus)


def _hosts(made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield how the commands go with several hosts."""
    if made.hosts == 1:
        return
    values = {"hosts": made.hosts, "gpus": made.host_gpus}
    if engine.launch:
        yield sentence("flags.hosts_launched", language, **values, launcher=engine.launch[0])
        return
    second = words(*engine.host_words(made.layout, made.hosts, made.host_gpus, 1))
    if made.hosts == 2:  # noqa: PLR2004 - the first and the other one
        yield sentence("flags.two_hosts", language, gpus=made.host_gpus, second=second)
        return
    last = words(*engine.host_words(made.layout, made.hosts, made.host_gpus, made.hosts - 1))
    yield sentence("flags.hosts", language, **values, second=second, last=last)


def _measuring(made: Plan, engine: EngineSpec, language: str) -> Notes:
    """Yield what measuring is worth."""
    drafts, lengths = made.drafts, made.lengths
    if drafts and drafts.kind.looks_up:
        yield sentence("flags.no_forcing", language)
        return
    yield sentence("flags.random_weights", language)
    counts = {"input": fmt.count(lengths.input_tokens), "output": fmt.count(lengths.output_tokens)}
    if lengths.whole:
        yield sentence("flags.whole_requests", language, **counts, requests=fmt.count(lengths.requests))
    else:
        yield sentence("flags.steady", language, **counts)
    if abs(lengths.middle - lengths.context) > 1:
        values = {"middle": fmt.count(lengths.middle), "context": fmt.count(lengths.context)}
        yield sentence("flags.other_context", language, **values)
    if drafts:
        yield sentence("flags.forced", language)
        for caution in engine.cautions:
            yield sentence(f"flags.{caution}", language)
