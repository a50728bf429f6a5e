"""An evaluation as the tables that the page shows, and as rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from roofline_app import format as fmt
from roofline_app.command.cells import NOTHING
from roofline_app.export.tables import Table
from roofline_app.page.figures.adaptive.view import adaptive_table, adaptive_work
from roofline_app.page.figures.batch.view import batch_table
from roofline_app.page.figures.look import Look, Shown
from roofline_app.page.figures.memory.view import memory_table
from roofline_app.page.figures.need.view import need_table, need_work
from roofline_app.page.figures.nodes.view import nodes_note, nodes_table, nodes_work
from roofline_app.page.figures.schedule.view import schedule_table
from roofline_app.page.figures.schedule.work import schedule_work
from roofline_app.page.figures.speedup.view import speedup_rows, speedup_table
from roofline_app.page.figures.time.view import time_table
from roofline_app.page.pending.pending import worked_out
from roofline_app.results import DrafterResult, EndToEnd, Evaluation, Rates, RequestRates
from roofline_app.results.setting_words import setting_words
from roofline_app.text import sentence
from roofline_app.verdict import answer

_TABLES = (speedup_table, batch_table, time_table, memory_table)
_COLUMNS = ("drafter", "best_draft_length", "speedup", "tokens_per_round", "per_user", "per_gpu", "per_million")
_REQUEST_COLUMNS = (
    "draft_tokens",
    "first_token_seconds",
    "seconds_per_output_token",
    "end_to_end_seconds",
    "tokens_per_second_per_gpu",
    "reported_speedup",
    "decoding_speedup",
)
evaluation_rows = speedup_rows


def evaluation_words(evaluation: Evaluation, language: str) -> list[str]:
    """Return the answer in words: setting, headline, verdict.

    Args:
        evaluation: What to say.
        language: Of the words.
    """
    said = answer(evaluation, language)
    return [setting_words(evaluation, language), said.headline, said.verdict]


def evaluation_tables(evaluation: Evaluation, language: str, further: Iterable[str] = ()) -> list[Table]:
    """Return the drafters at their best, whole requests where their lengths are stated, then the page's tables.

    Args:
        evaluation: What to show.
        language: Of the words.
        further: Keys of `export.FURTHER` that were asked for.
    """
    tables = [_best(evaluation, language)]
    if evaluation.end_to_end is not None:
        tables.append(_requests(evaluation.end_to_end, language))
    tables += [table(evaluation, language) for table in _TABLES]
    return [*tables, *(FURTHER_TABLES[key](evaluation, language) for key in further)]


def _adaptive(evaluation: Evaluation, language: str) -> Table:
    found = worked_out(adaptive_work(evaluation))
    return adaptive_table(Shown(evaluation=evaluation, look=Look(language=language), found=found))


def _need(evaluation: Evaluation, language: str) -> Table:
    found = worked_out(need_work(evaluation))
    return need_table(Shown(evaluation=evaluation, look=Look(language=language), found=found))


def _nodes(evaluation: Evaluation, language: str) -> Table:
    found = worked_out(nodes_work(evaluation))
    shown = Shown(evaluation=evaluation, look=Look(language=language), found=found)
    table = nodes_table(shown)
    return replace(table, caption=f"{table.caption} {nodes_note(shown)}")


def _schedule(evaluation: Evaluation, language: str) -> Table:
    found = worked_out(schedule_work(evaluation))
    return schedule_table(Shown(evaluation=evaluation, look=Look(language=language), found=found))


def _requests(found: EndToEnd, language: str) -> Table:
    """Return whole requests without speculation and with every drafter."""
    lines = [(sentence("page.plain_step", language), found.without)]
    lines += [(rates.name, rates) for rates in found.drafters]
    caption = sentence(
        "tables.requests_caption",
        language,
        prompt=fmt.count(found.prompt_tokens),
        output=fmt.count(found.output_tokens),
        concurrency=fmt.count(found.concurrency),
    )
    return Table(
        caption=caption,
        header=(
            sentence("page.drafter", language),
            *(sentence(f"tables.{column}", language) for column in _REQUEST_COLUMNS),
        ),
        rows=tuple((name, *_request_cells(rates)) for name, rates in lines),
    )


def _request_cells(rates: RequestRates) -> tuple[str, ...]:
    return (
        str(rates.draft_tokens),
        fmt.seconds(rates.first_token_seconds),
        fmt.seconds(rates.seconds_per_output_token),
        fmt.seconds(rates.end_to_end_seconds),
        fmt.rate(rates.tokens_per_second_per_gpu),
        fmt.speedup(rates.reported_speedup),
        fmt.speedup(rates.speedup),
    )


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


FURTHER_TABLES: Mapping[str, Callable[[Evaluation, str], Table]] = MappingProxyType(
    {"adaptive": _adaptive, "need": _need, "nodes": _nodes, "schedule": _schedule}
)
