"""A drafter's learning curve in words and rows: what each amount of training earns, and where to stop."""

from __future__ import annotations

from roofline_app import format as fmt
from roofline_app.results import Evaluation
from roofline_app.text import sentence

UNKNOWN = "–"


def learning_words(evaluation: Evaluation, language: str) -> list[str]:
    """Return where to stop training, in sentences; none where no learning curve is stated."""
    learning = evaluation.learning
    if learning is None:
        return []
    horizon = fmt.significant(learning.horizon_days)
    if learning.points[0].net_usd is None:
        return [sentence("page.learning_asks", language, name=learning.name)]
    stop = learning.stop
    if stop is None or stop.net_usd is None or stop.break_even_days is None:
        return [sentence("page.learning_never", language, name=learning.name, horizon=horizon)]
    values = {
        "name": learning.name,
        "usd": fmt.usd(stop.usd),
        "tokens": fmt.significant(stop.tokens_per_round),
        "days": fmt.significant(stop.break_even_days),
        "net": fmt.usd(stop.net_usd),
        "horizon": horizon,
    }
    last = learning.points[-1]
    ended = sentence("page.learning_at_end", language) if stop.usd >= last.usd else ""
    return [said for said in (sentence("page.learning_stop", language, **values), ended) if said]


def learning_rows(evaluation: Evaluation, language: str) -> list[tuple[str, str, str]]:
    """Return rows of the table: tokens per round now and at each point, and when each is paid back."""
    learning = evaluation.learning
    if learning is None:
        return []
    length = learning.draft_tokens
    now = fmt.significant(float(evaluation.best_drafter.tokens_per_round[length]))
    rows = []
    for point in learning.points:
        usd, days = fmt.usd(point.usd), point.break_even_days
        tokens = fmt.significant(point.tokens_per_round)
        rows.append((sentence("page.learning_tokens", language, usd=usd), now, tokens))
        paid = UNKNOWN if days is None else fmt.significant(days)
        rows.append((sentence("page.learning_days", language, usd=usd), UNKNOWN, paid))
    return rows
