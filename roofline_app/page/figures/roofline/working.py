"""How figure 'roofline' is computed."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.page.figures.time.view import component_words
from roofline_app.page.figures.working import WILLIAMS, Say, Working, line
from roofline_app.results import Component, Evaluation, Pass

LARGEST_PARTS = 3


def _component_line(part: Component, work: str, say: Say, language: str) -> Working:
    if not part.bytes and not part.flops:
        values = {"pass": say(work), "component": component_words(part.name, language)}
        return line(say("roofline_fixed", **values, seconds=fmt.seconds(part.seconds)))
    return line(
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


def working(evaluation: Evaluation, say: Say, language: str) -> list[Working]:
    """Return formulas with their sources, each followed by its numbers."""
    node = evaluation.node
    peaks = ", ".join(f"{name.upper()} {fmt.scaled(peak, 'FLOP/s')}" for name, peak in node.flops_per_second.items())
    bandwidth = fmt.scaled(node.memory_bytes_per_second, "B/s")
    workings = [
        line(say("roofline_formula"), WILLIAMS),
        line(say("roofline_node", gpus=fmt.count(node.gpus), gpu=node.name, bandwidth=bandwidth, peaks=peaks)),
    ]
    for word, work in (("step_word", evaluation.step), ("verify_word", evaluation.best_drafter.verify)):
        workings += [_component_line(part, word, say, language) for part in _largest(work)]
    return workings
