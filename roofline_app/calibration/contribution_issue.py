"""The text of an issue, or of a pull request, that hands measured rows in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roofline_app.calibration.contribution import DECODE, ROUNDS, Contribution, NewRow, as_csv

_SOURCE = """```toml
[an-id]
name = ""
url = ""
checked = ""
conditions = ""
step_weight = 1.0
ratio_weight = 4.0
```"""
_QUESTIONS = (
    "Rig: host and its accelerators, their form (SXM, PCIe, NVL) and memory",
    "Power cap and clocks, such as `nvidia-smi -q -d POWER,CLOCK` prints them under load",
    "Link between the accelerators, and how the model was laid out (tensor, expert, data parallel)",
    "Versions: engine, driver, CUDA or ROCm, PyTorch",
    "Commands of server and client, in full",
    "Workload: data set, sampling, whether prefixes repeat",
    "Drafter: checkpoint and its training data, where one was used",
    "Runs: how many, how far apart, whether a first wave was left out",
    "Licence: that the rows may stand under this project's",
)


def _title(rows: Iterable[NewRow]) -> str:
    named = [row.cells for row in rows]
    words = [", ".join(dict.fromkeys(cells[name] or f"unknown {name}" for cells in named)) for name in ("model", "gpu")]
    return f"# Measurement: {words[0]} on {words[1]}" if named else "# Measurement"


def _tables(contribution: Contribution) -> Iterator[str]:
    for file in (DECODE, ROUNDS):
        rows = [row for row in contribution.rows if row.file == file]
        if rows:
            yield f"For `roofline_app/data/measured/{file}`:\n\n```csv\n{as_csv(file, rows)}```"


def _missing(contribution: Contribution) -> Iterator[str]:
    for number, row in enumerate(contribution.rows, start=1):
        if row.missing:
            yield f"- row {number} ({row.file}, batch {row.cells['batch']}): {', '.join(row.missing)}"
    if contribution.left_out:
        yield f"- {contribution.left_out} points state no batch or no time; no row is made of them"


def _checks(contribution: Contribution) -> Iterator[str]:
    yield f"- {contribution.compared} of {len(contribution.rows)} rows are complete enough to be compared"
    yield from (f"- {found.remark.text}" for found in contribution.contradictions)
    if contribution.compared and not contribution.contradictions:
        yield "- none of them contradicts the rows beside it"


def issue_text(contribution: Contribution) -> str:
    """Return the Markdown text of an issue or a pull request with rows to hand in.

    Args:
        contribution: The rows, and what speaks against them.

    Returns:
        Rows, what is missing in them, the entry of their source, questions to answer, what was assumed, and checks.
    """
    assumed = dict.fromkeys(sentence for row in contribution.rows for sentence in row.assumptions)
    parts = {
        "Rows": "\n\n".join(_tables(contribution)) or "None.",
        "Missing": "\n".join(_missing(contribution)) or "Nothing.",
        "Source, for `roofline_app/data/measured/sources.toml`": _SOURCE,
        "Conditions, to fill in": "\n".join(f"- {question}:" for question in _QUESTIONS),
        "Assumed on reading": "\n".join(f"- {sentence}" for sentence in assumed) or "Nothing.",
        "Checks": "\n".join(_checks(contribution)),
    }
    return "\n\n".join([_title(contribution.rows), *(f"## {name}\n\n{text}" for name, text in parts.items())])
