"""The words of the command line: its verbs, their options and what each does."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from roofline_app.command.completion import SHELLS
from roofline_app.command.formats import FORMATS, JSON
from roofline_app.command.lists import LISTS
from roofline_app.command.schemas import SCHEMAS
from roofline_app.export import FURTHER

DESCRIPTION = (
    "How much faster speculative decoding makes a language model on a node, how long the draft should be, and why. "
    "A setting is a query: what stands behind the question mark of a link to the page."
)
PORT = 5006  # Panel's own
_QUERY_HELP = "the part of a link after the question mark, or its keys as a JSON object (`schema query`)"
_FORMATS_HELP = (
    "json has everything and is the default; csv has one row per entry, measured figure, or drafter and draft length, "
    "numbers unscaled; table and markdown are for reading"
)
_SWEEP_HELP = (
    "Several values of a key stand between commas or bars: model=qwen3-8b,gpt-oss-20b. In drafter lines and weights by "
    "part, where commas join parts, between bars alone: drafter=mtp|eagle3,cost=physical. Each further drafter= is a "
    "further line of every setting. 1..512 doubles from 1 up to at most 512; 1..512*4 multiplies by four, 1..16+1 adds "
    "one; a number within a drafter line can be a range as well: drafter=mtp,acceptance=0.5..0.9+0.1. * is every "
    "registered id: gpu=*. All combinations are settings; the batch varies fastest. A setting that cannot be computed, "
    "or whose query is not used as given, becomes a row with its error. A stopped run goes on with the same command."
)
_COMPUTED: Mapping[str, str] = MappingProxyType(
    {
        "explain": "print where the difference between two settings, or a setting and a run, comes from",
        "fit": "fit the calibrated profiles anew and print constants and errors as JSON",
        "import": "print the points of benchmark files, with what a link's setting predicts",
        "validate": "print predictions beside every measured row, and errors by group",
    }
)


if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="python -m roofline_app", description=DESCRIPTION)
    verbs = parser.add_subparsers(dest="verb", required=True)
    evaluating = verbs.add_parser("evaluate", help="print the evaluation of a link's query")
    serving = verbs.add_parser("flags", help="print how to serve and to measure a link's setting on an engine")
    serving.add_argument("--engine", required=True, metavar="ENGINE", help="vllm, sglang or tensorrt-llm")
    serving.add_argument(
        "--check", action="store_true", help="say whether the engine of this Python is the version checked against"
    )
    for one in (evaluating, serving):
        one.add_argument("query", nargs="?", default="", help=_QUERY_HELP)
        one.add_argument(
            "--config",
            action="append",
            metavar="FILE",
            help="a Hugging Face config.json instead of model=, or the folder that holds it; an hf_quant_config.json "
            "in that folder counts, as does one that is given with a second --config",
        )
    evaluating.add_argument(
        "--with",
        dest="further",
        action="append",
        metavar="WHAT",
        help=f"print this too: {', '.join(FURTHER)}; a figure of that name in the query does the same",
    )
    made = {verb: verbs.add_parser(verb, help=f"print the registry's {verb}") for verb in LISTS}
    made |= {verb: verbs.add_parser(verb, help=says) for verb, says in _COMPUTED.items()}
    for one in (evaluating, *(made[verb] for verb in (*LISTS, "import", "validate"))):
        one.add_argument("--format", choices=FORMATS, default=JSON, help=_FORMATS_HELP)
    made["explain"].add_argument("query", help=_QUERY_HELP)
    made["explain"].add_argument("other", help="another one, or a benchmark's file: its first run with speculation")
    made["fit"].add_argument("files", nargs="*", metavar="FILE", help="your own benchmark files, fitted too")
    made["fit"].add_argument("--toml", action="store_true", help="print them as data/profiles.toml holds them")
    made["fit"].add_argument("--query", default="", help="model, gpu, formats and engine where the files do not say")
    made["import"].add_argument("files", nargs="+", metavar="FILE", help="files, folders, - for standard input")
    made["import"].add_argument("--query", help=_QUERY_HELP)
    made["import"].add_argument("--contribute", action="store_true", help="print rows and an issue to hand them in")
    _add_sweep(verbs)
    _add_further(verbs)
    return parser


def _add_sweep(verbs: Verbs) -> None:
    sweeping = verbs.add_parser("sweep", help="work out many settings, one row each, into one file", epilog=_SWEEP_HELP)
    sweeping.add_argument("query", help="a query whose keys may have several values, such as batch=1..512")
    sweeping.add_argument("--out", required=True, metavar="FILE", help="a file that ends in .csv, .jsonl or .parquet")
    where = sweeping.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, metavar="N", help="processes (default: one per core)")
    where.add_argument("--scheduler", default="", metavar="ADDRESS", help="a Dask scheduler, tcp://HOST:PORT, instead")
    sweeping.add_argument("--yes", action="store_true", help="more than ten million settings are meant")


def _add_further(verbs: Verbs) -> None:
    """Add the verbs that are about the command itself, and the page's."""
    describing = verbs.add_parser("schema", help="print the JSON Schema of queries, evaluations or measured rows")
    describing.add_argument("schema", choices=tuple(SCHEMAS), help="what is described")
    completing = verbs.add_parser("completion", help="print a script that completes this command's words in a shell")
    completing.add_argument("shell", choices=tuple(SHELLS), help="the shell that reads it")
    page = verbs.add_parser("serve", help="serve the page from this Python, until interrupted (needs Panel)")
    page.add_argument("--port", type=int, default=PORT, help=f"0 takes a free one (default {PORT})")
    page.add_argument("--address", default="127.0.0.1", help="of the interface to listen on (default 127.0.0.1)")
