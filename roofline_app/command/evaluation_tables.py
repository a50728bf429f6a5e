"""An evaluation as the tables that the page shows, and as rows."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.command.cells import NOTHING
from roofline_app.export.tables import Table
from roofline_app.page.figures.batch.view import batch_table
from roofline_app.page.figures.memory.view import memory_table
from roofline_app.page.figures.speedup.view import speedup_rows, speedup_table
from roofline_app.page.figures.time.view import time_table
from roofline_app.results import DrafterResult, Evaluation, Rates
from roofline_app.text import sentence
from roofline_app.verdict import answer

_TABLES = (speedup_table, batch_table, time_table, memory_table)
_COLUMNS = ("drafter", "best_draft_length", "speedup", "tokens_per_round", "per_user", "per_gpu", "per_million")
evaluation_rows = speedup_rows


def evaluation_words(evaluation: Evaluation, language: str) -> list[str]:
    """Return the answer in words: setting, headline, verdict.

    Args:
        evaluation: What to say.
        language: Of the words.
    """
    said = answer(evaluation, language)
    setting = sentence(
        "page.poster_setting",
        language,
        model=evaluation.model.name,
        gpus=evaluation.node.gpus,
        gpu=evaluation.node.name,
        batch=fmt.count(evaluation.batch),
        context=fmt.tokens(evaluation.context),
    )
    return [setting, said.headline, said.verdict]


def evaluation_tables(evaluation: Evaluation, language: str) -> list[Table]:
    """Return the drafters at their best, then the page's tables.

    Args:
        evaluation: What to show.
        language: Of the words.
    """
    return [_best(evaluation, language), *(table(evaluation, language) for table in _TABLES)]


def _best(evaluation: Evaluation, language: str) -> Table:
    """Return plain decoding and every drafter at its best draft length."""
    rates = evaluation.economics
    plain = (sentence("page.plain_step", language), NOTHING, fmt.speedup(1.0), fmt.significant(1.0))
    rows = [(*plain, *_rates(rates.without))]
    rows += [
        (*_line(result, language), *_rates(own))
        for result, own in zip(evaluation.drafters, rates.drafters, strict=True)
    ]
    header = tuple(sentence(f"page.{column}", language) for column in _COLUMNS)
    return Table(caption=sentence("tables.best_caption", language), header=header, rows=tuple(rows))


def _line(result: DrafterResult, language: str) -> tuple[str, str, str, str]:
    best = result.best
    key = "page.draft_length_cap" if best.at_cap else "page.draft_length_plain"
    length = sentence(key, language, draft_tokens=best.draft_tokens)
    return result.name, length, fmt.speedup(best.speedup), fmt.significant(best.tokens_per_round)


def _rates(rates: Rates) -> tuple[str, str, str]:
    price = NOTHING if rates.usd_per_million_tokens is None else fmt.usd(rates.usd_per_million_tokens)
    return fmt.rate(rates.tokens_per_second_per_user), fmt.rate(rates.tokens_per_second_per_gpu), price
