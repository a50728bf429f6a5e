"""The answer in words: headline, verdict and notices of an evaluation.

Every number in them is a formatted value of the evaluation itself; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roofline_app import format as fmt
from roofline_app.hardware.parallelism import Layout
from roofline_app.results import DrafterResult, Evaluation, Pass
from roofline_app.results.relaxed_words import relaxed_facts
from roofline_app.results.uncertainty_words import uncertainty_facts, uncertainty_notices
from roofline_app.text import sentence

# A verify below this many steps is called cheap, a speedup below it small.
CHEAP_STEPS = 1.15
SMALL_SPEEDUP = 1.25


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An evaluation in words; plain text, never markup.

    Attributes:
        headline: The best drafter's speedup and rates.
        verdict: Why, and what the other drafters reach.
        notices: What does not fit, stands in or is not lossless.
    """

    headline: str
    verdict: str
    notices: tuple[str, ...]


def draft_length(drafter: DrafterResult, language: str = "en") -> str:
    """Return the best draft length in words: `16 (max)` if the cap stops it."""
    text = fmt.count(drafter.best.draft_tokens)
    return sentence("verdict.at_cap", language, draft=text) if drafter.best.at_cap else text


def _joined(sentences: list[str], language: str) -> str:
    return sentence("verdict.between", language).join(sentences)


def _headline(evaluation: Evaluation, best: DrafterResult, language: str) -> str:
    plain = evaluation.economics.without
    pays = best.best.draft_tokens > 0
    position = evaluation.drafters.index(best)
    rates = evaluation.economics.drafters[position] if pays else plain
    values = {
        "drafter": best.name,
        "speedup": fmt.speedup(best.best.speedup),
        "draft": draft_length(best, language),
        "user": fmt.rate(rates.tokens_per_second_per_user),
        "plain_user": fmt.rate(plain.tokens_per_second_per_user),
        "gpu": fmt.rate(rates.tokens_per_second_per_gpu),
        "plain_gpu": fmt.rate(plain.tokens_per_second_per_gpu),
    }
    said = [sentence("verdict.headline_win" if pays else "verdict.headline_loss", language, **values)]
    if rates.usd_per_million_tokens is not None and plain.usd_per_million_tokens is not None:
        key = "verdict.headline_price" if pays else "verdict.headline_price_plain"
        usd, plain_usd = fmt.usd(rates.usd_per_million_tokens), fmt.usd(plain.usd_per_million_tokens)
        said.append(sentence(key, language, usd=usd, plain_usd=plain_usd))
    return _joined(said, language)


def _growth(step: Pass, verify: Pass) -> tuple[str, str]:
    """Return the component that makes a verify longer than a step, and what it waits for."""
    before = {part.name: part.seconds for part in step.components}
    most = max(verify.components, key=lambda part: part.seconds - before[part.name])
    return most.name, most.bound


def _why(evaluation: Evaluation, verify: Pass, language: str) -> str:
    name, bound = _growth(evaluation.step, verify)
    values = {
        "batch": fmt.count(evaluation.batch),
        "query": fmt.count(verify.query_tokens),
        "steps": fmt.significant(verify.steps),
        "context": fmt.tokens(evaluation.context),
        "experts": fmt.count(evaluation.model.experts),
        "touched": fmt.significant(verify.experts_touched),
        "touched_step": fmt.significant(evaluation.step.experts_touched),
        "component": sentence(f"verdict.component_{name}", language),
    }
    if verify.steps < CHEAP_STEPS:
        key = "why_cheap"
    elif name == "feed_forward" and bound == "memory" and evaluation.model.experts:
        key = "why_experts"
    elif name == "attention" and bound == "memory" and evaluation.model.state_bytes_per_sequence:
        key = "why_state"
    elif name == "attention":
        key = "why_context"
    else:
        key = "why_arithmetic" if bound == "compute" else "why_other"
    return sentence(f"verdict.{key}", language, **values)


def _drafting(drafter: DrafterResult, language: str) -> str:
    if not drafter.best.drafting_steps:
        return sentence("verdict.drafting_free", language)
    return sentence("verdict.drafting", language, drafting=fmt.significant(drafter.best.drafting_steps, 2))


def _others(evaluation: Evaluation, best: DrafterResult, language: str) -> list[str]:
    """Return one sentence for each other real drafter."""
    said = []
    for drafter in evaluation.drafters:
        if drafter is best or drafter.hypothetical:
            continue
        key = "verdict.other_pays" if drafter.best.draft_tokens else "verdict.other_loses"
        tokens, speedup = fmt.significant(drafter.best.tokens_per_round), fmt.speedup(drafter.best.speedup)
        said.append(sentence(key, language, drafter=drafter.name, tokens=tokens, speedup=speedup))
    return said


def _verdict(evaluation: Evaluation, best: DrafterResult, language: str) -> str:
    if not best.best.draft_tokens:
        tokens, speedup = fmt.significant(float(best.tokens_per_round[1])), fmt.speedup(float(best.speedup[1]))
        why = _why(evaluation, evaluation.verify_one, language)
        loss = sentence("verdict.loss", language, drafter=best.name, tokens=tokens, speedup=speedup)
        return _joined([sentence("verdict.alone", language, why=why), loss], language)
    key = "verdict.win_small" if best.best.speedup < SMALL_SPEEDUP else "verdict.win"
    tokens, speedup = fmt.significant(best.best.tokens_per_round), fmt.speedup(best.best.speedup)
    outcome = sentence(key, language, drafter=best.name, tokens=tokens, speedup=speedup)
    cost = sentence(
        "verdict.with_drafting",
        language,
        why=_why(evaluation, best.verify, language),
        drafting=_drafting(best, language),
    )
    return _joined([cost, outcome, *_others(evaluation, best, language)], language)


def _notices(evaluation: Evaluation, language: str) -> tuple[str, ...]:
    said = []
    limit = evaluation.model.max_context_tokens
    if evaluation.context > limit > 0:
        given, stated = fmt.tokens(evaluation.context), fmt.tokens(limit)
        said.append(
            sentence("verdict.beyond_context", language, given=given, limit=stated, model=evaluation.model.name)
        )
    said += [sentence(f"verdict.assumed_{key}", language) for key in evaluation.model.assumptions]
    memory = evaluation.memory
    if not memory.fits:
        key = "verdict.does_not_fit" if memory.largest_batch else "verdict.not_even_weights"
        said.append(
            sentence(
                key,
                language,
                needed=fmt.bytes_(memory.needed_bytes),
                capacity=fmt.bytes_(memory.capacity_bytes),
                gpus=fmt.count(evaluation.node.gpus),
                gpu=evaluation.node.name,
                largest=fmt.count(memory.largest_batch),
            )
        )
    said += _request_notices(evaluation, language)
    said += _node_notices(evaluation, language)
    said += uncertainty_notices(evaluation, language)
    for drafter in evaluation.drafters:
        said += _drafter_notices(drafter, evaluation, language)
    return tuple(said)


def _request_notices(evaluation: Evaluation, language: str) -> list[str]:
    """Return notices on whole requests that are computed otherwise than the rest, or that the model cannot hold."""
    requests, limit = evaluation.end_to_end, evaluation.model.max_context_tokens
    if requests is None:
        return []
    said = dict[str, dict[str, str]]()
    if requests.context != evaluation.context:
        middle, context = fmt.tokens(requests.context), fmt.tokens(evaluation.context)
        said["requests_context"] = {"middle": middle, "context": context}
    if (whole := requests.prompt_tokens + requests.output_tokens) > limit > 0:
        given = {"given": fmt.tokens(whole), "limit": fmt.tokens(limit)}
        said["requests_beyond"] = {**given, "model": evaluation.model.name}
    if requests.concurrency != evaluation.batch:
        few = {"requests": fmt.count(requests.concurrency), "batch": fmt.count(evaluation.batch)}
        said["requests_few"] = few
    return [sentence(f"verdict.{key}", language, **values) for key, values in said.items()]


def _node_notices(evaluation: Evaluation, language: str) -> list[str]:
    """Return notices on what the node cannot do but is computed: hold so many GPUs, send without a link."""
    node, layout = evaluation.node, evaluation.profile.layout
    values = {
        "heads": fmt.count(evaluation.layout.undivided_heads),
        "gpus": fmt.count(node.gpus),
        "gpu": node.name,
        "usual": fmt.count(node.usual_gpus),
        "layout": layout,
        "network": node.network,
        "bandwidth": fmt.scaled(node.network_bytes_per_second, "B/s"),
        "latency": fmt.seconds(node.network_latency_seconds),
    }
    sends = node.gpus > 1 and layout != Layout.EVEN
    said = []
    if node.gpus > node.usual_gpus:
        counted = node.network and any(part.name == "communication" for part in evaluation.step.components)
        said.append("beyond_node_network" if counted else "beyond_node")
        said += ["no_pipeline"] if node.network and node.gpus > node.host_gpus else []
    if evaluation.layout.undivided_heads:
        said.append("undivided_heads")
    if evaluation.scenario.imbalance > 1.0 and not (
        node.gpus > 1 and evaluation.model.experts and Layout(layout).spreads_experts
    ):
        said.append("imbalance_unused")
    if sends and not (node.network or node.interconnect_bytes_per_second):
        said.append("not_linked")
    return [sentence(f"verdict.{key}", language, **values) for key in said]


def _drafter_notices(drafter: DrafterResult, evaluation: Evaluation, language: str) -> list[str]:
    """Return notices on one line: what stands in, what is clamped, what is not lossless."""
    said = dict[str, dict[str, str]]()
    physical = drafter.physical
    if drafter.lossy:
        said |= relaxed_facts(drafter)
    if physical and physical.assumed_sizes:
        said["drawn_sizes"] = {"sizes": ", ".join(physical.assumed_sizes)}
    if physical and physical.rebuilt:
        said["drawn_dense"] = {"model": evaluation.model.name}
    if physical and physical.joins_widths:
        said["drawn_width"] = {"model": evaluation.model.name}
    if physical and drafter.cost is None:
        if physical.generic:
            said["stands_in"] = {"physical": physical.name, "model": evaluation.model.name}
        if drafter.block > physical.draft_tokens_per_pass:
            tokens = fmt.count(physical.draft_tokens_per_pass)
            said["clamped_block"] = {"given": fmt.count(drafter.block), "tokens": tokens, "physical": physical.name}
    said |= _limits(drafter, evaluation)
    return [sentence(f"verdict.{key}", language, drafter=drafter.name, **values) for key, values in said.items()]


def _limits(drafter: DrafterResult, evaluation: Evaluation) -> dict[str, dict[str, str]]:
    """Return notices where a line goes beyond what its drafter was made for, or its acceptance measured with."""
    said = dict[str, dict[str, str]]()
    physical, measured, tree = drafter.physical, drafter.measured, drafter.tree
    context = {"given": fmt.tokens(evaluation.context)}
    if physical and physical.longest_draft is not None and physical.longest_draft < evaluation.cap:
        said["chained"] = {"longest": fmt.count(physical.longest_draft), "physical": physical.name}
    own = physical and not physical.generic and (drafter.cost is None or measured)
    if physical and own and evaluation.context > physical.max_context_tokens > 0:
        said["beyond_drafter"] = {
            **context,
            "limit": fmt.tokens(physical.max_context_tokens),
            "physical": physical.name,
        }
    if measured and evaluation.context > measured.longest_context > 0:
        said["beyond_measured"] = {**context, "limit": fmt.tokens(measured.longest_context), "pair": measured.name}
    if measured and (tree.topk if tree else 1) != measured.topk:
        shape = {"topk": fmt.count(measured.topk), "verified": fmt.count(measured.verified)}
        said["measured_tree" if measured.topk > 1 else "measured_chain"] = {**shape, "pair": measured.name}
    if tree and tree.assumed_ranks:
        said["ranks"] = {}
    return said


def ranges(batches: Sequence[int]) -> str:
    """Return batches in words: neighbours among powers of two stand together."""
    runs = list[list[int]]()
    for batch in batches:
        if runs and batch == 2 * runs[-1][-1]:
            runs[-1].append(batch)
        else:
            runs.append([batch])
    words = (fmt.count(run[0]) if len(run) == 1 else f"{fmt.count(run[0])}–{fmt.count(run[-1])}" for run in runs)
    return ", ".join(words)


def own_gpus(gpus: int, language: str) -> str:
    """Return the GPUs that only draft, in words."""
    return sentence("verdict.own_gpu" if gpus == 1 else "verdict.own_gpus", language, gpus=fmt.count(gpus))


def _drafter_facts(drafter: DrafterResult, evaluation: Evaluation, language: str) -> list[str]:
    """Return further facts on one line: how far it was measured, a mix's parts, GPUs of its own."""
    said = dict[str, dict[str, str]]()
    separate, measured, mix = drafter.separate, drafter.measured_draft_tokens, drafter.mix
    if drafter.measured and measured is not None and measured < evaluation.cap:
        said["measured_to"] = {"measured": fmt.count(measured), "pair": drafter.measured.name}
    if drafter.measured and drafter.measured.contexts:
        first, last = drafter.measured.contexts
        inside = first <= evaluation.context <= last
        said["by_context" if inside else "beyond_contexts"] = {"first": fmt.count(first), "last": fmt.count(last)}
    if mix:
        said["mix"] = {"together": fmt.speedup(mix.speedup_together), "apart": fmt.speedup(mix.speedup_apart)}
    if separate:
        fits = evaluation.memory.largest_batch
        batches = ranges([batch for batch in separate.pays_at_batch.tolist() if batch <= fits])
        elsewhere = "separate_pays_elsewhere" if batches else "separate_never_pays"
        said["separate_pays" if separate.pays else elsewhere] = {
            "own": own_gpus(separate.gpus, language),
            "batches": batches or fmt.count(evaluation.batch),
            "speedup": fmt.speedup(drafter.best.speedup),
            "same": fmt.speedup(separate.speedup_same),
        }
    return [sentence(f"verdict.{key}", language, drafter=drafter.name, **values) for key, values in said.items()]


def _request_facts(evaluation: Evaluation, best: DrafterResult, language: str) -> list[str]:
    """Return the sentence on whole requests; none where no prompt and output are stated."""
    requests = evaluation.end_to_end
    if requests is None:
        return []
    line = requests.drafters[evaluation.drafters.index(best)]
    pays = line.draft_tokens > 0
    shown = line if pays else requests.without
    values = {
        "drafter": best.name,
        "prompt": fmt.tokens(requests.prompt_tokens),
        "output": fmt.tokens(requests.output_tokens),
        "reported": fmt.speedup(line.reported_speedup),
        "prefill": fmt.seconds(shown.prefill_seconds),
        "first": fmt.seconds(shown.first_token_seconds),
        "user": fmt.rate(shown.tokens_per_second_per_user),
    }
    return [sentence("verdict.requests" if pays else "verdict.requests_plain", language, **values)]


def answer(evaluation: Evaluation, language: str = "en") -> Answer:
    """Return headline, verdict and notices of an evaluation.

    Args:
        evaluation: What to put into words.
        language: One of `text.LANGUAGES`.

    Examples:
        >>> answer(evaluate(Scenario())).headline
        'Block: 3.00× at draft length 16 (max). 522 tok/s per user instead of 174 tok/s, ...'
    """
    best = evaluation.best_drafter
    facts = uncertainty_facts(evaluation, best, language) + _request_facts(evaluation, best, language)
    facts += [fact for drafter in evaluation.drafters for fact in _drafter_facts(drafter, evaluation, language)]
    return Answer(
        headline=_headline(evaluation, best, language),
        verdict=_joined([_verdict(evaluation, best, language), *facts], language),
        notices=_notices(evaluation, language),
    )
