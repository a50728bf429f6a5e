"""How figures are computed: formulas, the formulas with a setting's numbers, and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from roofline_app import format as fmt
from roofline_app.page.figures.acceptance.view import line_length, round_steps
from roofline_app.results import DrafterResult, Evaluation
from roofline_app.text import sentence

ARTICLE = ("Modal: Spec is all u need", "https://modal.com/blog/spec-is-all-u-need")
LEVIATHAN = ("Leviathan et al., ICML 2023", "https://arxiv.org/abs/2211.17192")
WILLIAMS = ("Williams et al., CACM 2009", "https://doi.org/10.1145/1498765.1498785")
NO_SOURCE = ("", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """One line of a calculation, as plain text, and the name and address of its source; empty for numbers."""

    text: str
    source: str
    address: str


Say = Callable[..., str]


def sayer(language: str) -> Say:
    """Return a function that gives a text of `figures.toml` in a language, with its values put in."""
    return partial(_say, language=language)


def _say(name: str, /, *, language: str, **values: str) -> str:
    return sentence(f"figures.{name}", language, **values)


def line(text: str, source: tuple[str, str] = NO_SOURCE) -> Working:
    """Return one line of a calculation."""
    return Working(text=text, source=source[0], address=source[1])


def round_numbers(result: DrafterResult, evaluation: Evaluation) -> Mapping[str, str]:
    """Return the numbers of a drafter's round at the length at which it is shown, as words."""
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
