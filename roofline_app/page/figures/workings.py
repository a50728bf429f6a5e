"""How each figure is computed: its formula, the formula with this setting's numbers, and where it comes from."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from roofline_app import format as fmt
from roofline_app.economics import gpus_in_use
from roofline_app.hardware.layout_words import layout_reason
from roofline_app.page.figures.acceptance.view import line_length, round_steps
from roofline_app.page.figures.time.view import component_words
from roofline_app.results import Component, DrafterResult, Evaluation, Pass
from roofline_app.speculation.timeline import STRATA
from roofline_app.text import sentence
from roofline_app.verdict import best_drafter

ARTICLE = ("Modal: Spec is all u need", "https://modal.com/blog/spec-is-all-u-need")
LEVIATHAN = ("Leviathan et al., ICML 2023", "https://arxiv.org/abs/2211.17192")
WILLIAMS = ("Williams et al., CACM 2009", "https://doi.org/10.1145/1498765.1498785")
NO_SOURCE = ("", "")
LARGEST_PARTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """One line of a calculation, as plain text, and the name and address of its source; empty for numbers."""

    text: str
    source: str
    address: str


Say = Callable[..., str]


def _line(text: str, source: tuple[str, str] = NO_SOURCE) -> Working:
    return Working(text=text, source=source[0], address=source[1])


def _round_numbers(result: DrafterResult, evaluation: Evaluation) -> Mapping[str, str]:
    length = line_length(result)
    return {
        "name": result.name,
        "draft": fmt.count(length),
        "tokens": fmt.significant(float(result.tokens_per_round[length])),
        "step": fmt.seconds(evaluation.step.seconds),
        "verify": fmt.seconds(float(result.verifying_seconds[length])),
        "drafting": fmt.seconds(float(result.drafting_seconds[length])),
        "round": fmt.significant(round_steps(result, evaluation.step.seconds)),
        "speedup": fmt.speedup(float(result.speedup[length])),
    }


def _is_constant(result: DrafterResult) -> bool:
    """Return whether every draft token has the first one's chance, given that those before it were accepted."""
    chance = float(result.survival[0]) if result.survival.size else 0.0
    expected = (chance ** (position + 1) for position in range(result.survival.size))
    return all(math.isclose(share, power, rel_tol=1e-9) for share, power in zip(result.survival, expected, strict=True))


def _tokens(result: DrafterResult, numbers: Mapping[str, str], say: Say) -> Working:
    if _is_constant(result):
        return _line(say("tokens_constant", acceptance=fmt.decimal(float(result.survival[0])), **numbers))
    return _line(say("tokens_stated", **numbers))


def _drafting(result: DrafterResult, numbers: Mapping[str, str], say: Say) -> list[Working]:
    if not result.cost:
        return []
    passes = round(float(result.drafting_seconds[line_length(result)]) / result.cost / _step_seconds(result))
    return [_line(say("draft_relative", cost=fmt.decimal(result.cost), passes=fmt.count(passes), **numbers))]


def _step_seconds(result: DrafterResult) -> float:
    return float(result.verifying_seconds[0])


def _speedup(evaluation: Evaluation, say: Say) -> list[Working]:
    workings = [_line(say("speedup_formula"), ARTICLE)]
    numbers = [_round_numbers(result, evaluation) for result in evaluation.drafters]
    workings += [_line(say("speedup_numbers", **values)) for values in numbers]
    workings.append(_line(say("tokens_formula"), LEVIATHAN))
    for result, values in zip(evaluation.drafters, numbers, strict=True):
        workings += [_tokens(result, values, say), *_drafting(result, values, say)]
    return workings


def _batch(evaluation: Evaluation, say: Say) -> list[Working]:
    by_batch = evaluation.best_by_batch
    workings = [_line(say("batch_formula"), ARTICLE)]
    for line in by_batch.drafters:
        row = int(line.speedup.argmax())
        batch, draft = fmt.count(int(by_batch.batch[row])), fmt.count(int(line.draft_tokens[row]))
        speedup = fmt.speedup(float(line.speedup[row]))
        workings.append(_line(say("batch_numbers", name=line.name, batch=batch, draft=draft, speedup=speedup)))
    return workings


def _acceptance(evaluation: Evaluation, say: Say) -> list[Working]:
    numbers = [_round_numbers(result, evaluation) for result in evaluation.drafters]
    lines = [_line(say("acceptance_numbers", **values)) for values in numbers]
    return [_line(say("acceptance_formula"), ARTICLE), *lines]


def _component(part: Component, work: str, say: Say, language: str) -> Working:
    if not part.bytes and not part.flops:
        values = {"pass": say(work), "component": component_words(part.name, language)}
        return _line(say("roofline_fixed", **values, seconds=fmt.seconds(part.seconds)))
    return _line(
        say(
            "roofline_numbers",
            **{"pass": say(work)},
            component=component_words(part.name, language),
            bytes=fmt.bytes_(part.bytes),
            memory=fmt.seconds(part.memory_seconds),
            flops=fmt.scaled(part.flops, "FLOP"),
            compute=fmt.seconds(part.compute_seconds),
        )
    )


def _largest(work: Pass) -> list[Component]:
    return sorted(work.components, key=lambda part: part.seconds, reverse=True)[:LARGEST_PARTS]


def _roofline(evaluation: Evaluation, say: Say, language: str) -> list[Working]:
    node = evaluation.node
    peaks = ", ".join(f"{name.upper()} {fmt.scaled(peak, 'FLOP/s')}" for name, peak in node.flops_per_second.items())
    bandwidth = fmt.scaled(node.memory_bytes_per_second, "B/s")
    workings = [
        _line(say("roofline_formula"), WILLIAMS),
        _line(say("roofline_node", gpus=fmt.count(node.gpus), gpu=node.name, bandwidth=bandwidth, peaks=peaks)),
    ]
    for word, work in (("step_word", evaluation.step), ("verify_word", best_drafter(evaluation).verify)):
        workings += [_component(part, word, say, language) for part in _largest(work)]
    return workings


def _time(evaluation: Evaluation, say: Say, language: str) -> list[Working]:
    layout = evaluation.layout
    recipe = (say("recipe"), layout.source) if layout.source else NO_SOURCE
    workings = [_line(say("time_formula"), ARTICLE), _line(layout_reason(layout, language), recipe)]
    for result in evaluation.drafters:
        length, tokens = result.best.draft_tokens, result.best.tokens_per_round
        workings.append(
            _line(
                say(
                    "time_numbers",
                    name=result.name,
                    verify=fmt.seconds(float(result.verifying_seconds[length])),
                    drafting=fmt.seconds(float(result.drafting_seconds[length])),
                    tokens=fmt.significant(tokens),
                    token=fmt.seconds(result.best.seconds_per_round / tokens),
                )
            )
        )
    return workings


def _rates(evaluation: Evaluation, say: Say) -> list[Working]:
    best, economics = best_drafter(evaluation), evaluation.economics
    rates = economics.drafters[evaluation.drafters.index(best)]
    user, gpu = fmt.rate(rates.tokens_per_second_per_user), fmt.rate(rates.tokens_per_second_per_gpu)
    step, speedup = fmt.seconds(evaluation.step.seconds), fmt.speedup(best.best.speedup)
    in_use = gpus_in_use(best, evaluation.node.gpus, best.best.draft_tokens)
    batch, gpus = fmt.count(evaluation.batch), fmt.count(in_use)
    workings = [
        _line(say("rates_user", name=best.name, speedup=speedup, step=step, user=user)),
        _line(say("rates_gpu", user=user, batch=batch, gpus=gpus, gpu=gpu)),
    ]
    if economics.usd_per_gpu_hour is not None and rates.usd_per_million_tokens is not None:
        price, usd = fmt.usd(economics.usd_per_gpu_hour), fmt.usd(rates.usd_per_million_tokens)
        workings.append(_line(say("rates_price", price=price, gpu=gpu, usd=usd)))
    return workings


def _memory(evaluation: Evaluation, say: Say) -> list[Working]:
    memory, batch = evaluation.memory, evaluation.batch
    parts = memory.parts
    numbers = say(
        "memory_numbers",
        weights=fmt.bytes_(parts.weights),
        batch=fmt.count(batch),
        sequence=fmt.bytes_((parts.kv + parts.state) / batch),
        drafter=fmt.bytes_(parts.drafter) if parts.drafter else "0",
        reserve=fmt.bytes_(parts.reserve),
        needed=fmt.bytes_(memory.needed_bytes),
        capacity=fmt.bytes_(memory.capacity_bytes),
    )
    counted = [_line(say("memory_drafter", drafter=memory.drafter))] if memory.drafter else []
    return [_line(say("memory_formula")), _line(numbers), *counted]


def _payoff(evaluation: Evaluation, say: Say) -> list[Working]:
    payoff, economics = evaluation.payoff, evaluation.economics
    workings = [_line(say("payoff_formula"), ARTICLE), _line(say("payoff_gpus"))]
    if payoff is None:
        return workings
    steps = round_steps(best_drafter(evaluation), evaluation.step.seconds)
    for word, index in (("now_word", 0), ("after_word", 1)):
        values = {
            "when": say(word),
            "tokens": fmt.significant(payoff.tokens_per_round[index]),
            "round": fmt.significant(steps),
            "speedup": fmt.speedup(payoff.speedup[index]),
            "plain": fmt.rate(economics.without.tokens_per_second_per_gpu),
            "gpu": fmt.rate(payoff.tokens_per_second_per_gpu[index]),
        }
        workings.append(_line(say("payoff_numbers", **values)))
    return workings


def _sensitivity(evaluation: Evaluation, say: Say) -> list[Working]:
    numbers = dict(_round_numbers(best_drafter(evaluation), evaluation))
    return [
        _line(say("sensitivity_formula"), ARTICLE),
        _line(say("sensitivity_improvements"), ARTICLE),
        _line(say("sensitivity_numbers", **numbers)),
    ]


def _map(evaluation: Evaluation, say: Say) -> list[Working]:
    best = best_drafter(evaluation)
    values = {"batch": fmt.count(evaluation.batch), "context": fmt.tokens(evaluation.context), "name": best.name}
    numbers = say(
        "map_numbers", draft=fmt.count(best.best.draft_tokens), speedup=fmt.speedup(best.best.speedup), **values
    )
    return [_line(say("map_formula"), ARTICLE), _line(numbers)]


def _race(evaluation: Evaluation, say: Say) -> list[Working]:
    result, step = best_drafter(evaluation), evaluation.step.seconds
    best = result.best
    return [
        _line(say("race_formula"), ARTICLE),
        _line(say("race_plain", step=fmt.seconds(step), rate=fmt.rate(1 / step))),
        _line(
            say(
                "race_numbers",
                name=result.name,
                draft=fmt.count(best.draft_tokens),
                tokens=fmt.significant(best.tokens_per_round),
                verify=fmt.seconds(float(result.verifying_seconds[best.draft_tokens])),
                drafting=fmt.seconds(float(result.drafting_seconds[best.draft_tokens])),
                rate=fmt.rate(best.tokens_per_round / best.seconds_per_round),
            )
        ),
        _line(say("race_bursts", rounds=fmt.count(STRATA)), LEVIATHAN),
    ]


def _say(name: str, /, *, language: str, **values: str) -> str:
    return sentence(f"workings.{name}", language, **values)


def workings(figure: str, evaluation: Evaluation, language: str) -> list[Working]:
    """Return how a figure is computed, in a language.

    Args:
        figure: Name of the figure.
        evaluation: Whose numbers are put in.
        language: Of the words.

    Returns:
        Formulas with their sources, each followed by its numbers.

    Raises:
        KeyError: When there is no such figure.
    """
    return _WORKINGS[figure](evaluation, partial(_say, language=language), language)


def _plain(make: Callable[[Evaluation, Say], list[Working]]) -> Callable[[Evaluation, Say, str], list[Working]]:
    return lambda evaluation, say, _: make(evaluation, say)


_WORKINGS: Mapping[str, Callable[[Evaluation, Say, str], list[Working]]] = {
    "speedup": _plain(_speedup),
    "batch": _plain(_batch),
    "acceptance": _plain(_acceptance),
    "roofline": _roofline,
    "time": _time,
    "rates": _plain(_rates),
    "map": _plain(_map),
    "race": _plain(_race),
    "payoff": _plain(_payoff),
    "sensitivity": _plain(_sensitivity),
    "memory": _plain(_memory),
}
FIGURES = tuple(_WORKINGS)
