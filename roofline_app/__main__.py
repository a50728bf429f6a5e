"""The command line: `python -m roofline_app VERB …` (contract in README)."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from roofline_app import explanation, export, flags, query, registry
from roofline_app.calibration.contribution import contribution
from roofline_app.calibration.contribution_issue import issue_text
from roofline_app.calibration.fit.fitted_profiles import fit
from roofline_app.calibration.fit.profiles_toml import profiles_toml
from roofline_app.calibration.import_files import ReadFiles, answer, points_of, read_files, said, with_differences
from roofline_app.calibration.user_fit import fit_to_points
from roofline_app.calibration.validation import comparisons, summaries
from roofline_app.evaluation import evaluate
from roofline_app.model.config_json import one_config, read_config
from roofline_app.model.config_json.files import COMPANION, CONFIG
from roofline_app.query import Decoded
from roofline_app.scenario import CUSTOM, Scenario
from roofline_app.specs import SpecError

LARGEST_CONFIG_BYTES = 8_000_000
PORT = 5006  # Panel's own
SERVE_EXTRA = 'pip install "speculation-roofline[serve]"'


class RefusedError(Exception):
    """The command cannot go on; the message is one line that names what is wrong."""


def _config_files(path: str) -> list[Path]:
    """Return the file of a path, or the files of a checkpoint where it is a folder."""
    if not Path(path).is_dir():
        return [Path(path)]
    companion = Path(path) / COMPANION
    return [Path(path) / CONFIG, *([companion] if companion.is_file() else [])]


def _config_text(paths: list[str]) -> str:
    texts = []
    for file in (file for path in paths for file in _config_files(path)):
        try:
            if file.stat().st_size > LARGEST_CONFIG_BYTES:
                message = f"config: {file} is larger than {LARGEST_CONFIG_BYTES} bytes"
                raise RefusedError(message)
            texts.append(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            message = f"config: {file} cannot be read: {error}"
            raise RefusedError(message) from error
    text = one_config(texts)
    read_config(text)
    return query.minified(text)


def _decoded(text: str, config_paths: list[str] | None) -> Decoded:
    decoded = query.decode(text)
    if config_paths:
        config = _config_text(config_paths)
        kept = tuple(notice for notice in decoded.notices if notice.key not in {"model", "config"})
        decoded = replace(decoded, scenario=replace(decoded.scenario, model=CUSTOM, config=config), notices=kept)
    for notice in decoded.notices:
        # Ids that a shell should not have replaced behind its back: the page shows the default, a command refuses.
        if notice.is_refusal:
            raise RefusedError(notice.refusal)
    return decoded


def _evaluation(arguments: argparse.Namespace) -> tuple[Scenario, dict[str, Any]]:
    """Return the scenario and its evaluation as JSON values; notices go to stderr as well."""
    decoded = _decoded(arguments.query, arguments.config)
    language = _language(decoded.scenario)
    notices = [notice.say(language) for notice in decoded.notices]
    found = export.as_json(evaluate(decoded.scenario), notices=notices, language=language, further=_further(arguments))
    for notice in found["notices"]:
        print(notice, file=sys.stderr)  # noqa: T201 - a shell's notices
    return decoded.scenario, found


def _further(arguments: argparse.Namespace) -> list[str]:
    """Return what is to be printed besides the evaluation."""
    words = [word for given in getattr(arguments, "further", None) or [] for word in given.split(",") if word]
    for word in words:
        if word not in export.FURTHER:
            message = f"--with: {word!r} is not one of {', '.join(export.FURTHER)}"
            raise RefusedError(message)
    return words


def _language(scenario: Scenario) -> str:
    return scenario.presentation.lang or "en"


def _evaluate(arguments: argparse.Namespace) -> dict[str, Any]:
    return _evaluation(arguments)[1]


def _flags(arguments: argparse.Namespace) -> str:
    scenario, _ = _evaluation(arguments)
    return flags.as_text(flags.serving_flags(scenario, arguments.engine, language=_language(scenario)))


def _models() -> list[dict[str, Any]]:
    return [export.model_entry(registry.model(model_id)) for model_id in registry.model_ids()]


def _gpus() -> list[dict[str, Any]]:
    return [export.plain(gpu) for gpu in registry.gpus().values()]


def _drafters() -> list[dict[str, Any]]:
    """Return the kinds with their defaults, then the drafters that have weights."""
    kinds, models = registry.drafter_kinds(), registry.drafters()
    return [*map(export.plain, kinds.values()), *map(export.drafter_entry, models.values())]


def _acceptances() -> list[dict[str, Any]]:
    return [export.plain(spec) for spec in registry.acceptances().values()]


def _profiles() -> list[dict[str, Any]]:
    return [export.plain(profile) for profile in registry.profiles().values()]


def _presets() -> list[dict[str, Any]]:
    return [export.preset_entry(preset) for preset in registry.presets().values()]


def _validate(_: argparse.Namespace) -> dict[str, Any]:
    compared = comparisons()
    return {"summaries": export.plain(summaries(compared)), "rows": export.plain(compared)}


def _read(paths: list[str], scenario: Scenario | None = None) -> ReadFiles:
    """Return what files hold, and where they are of something else than a setting; refusals and notices go to stderr.

    Raises:
        RefusedError: When no file could be used, with a line for each.
    """
    read = read_files(paths, sys.stdin.buffer)
    if not read.files:
        raise RefusedError("\n".join(read.refused))
    if scenario is not None:
        read = replace(read, files=tuple(with_differences(imported, scenario) for imported in read.files))
    for line in said(read):
        print(line, file=sys.stderr)  # noqa: T201 - a shell's notices
    return read


def _import(arguments: argparse.Namespace) -> dict[str, Any] | str:
    scenario = None if arguments.query is None else _decoded(arguments.query, None).scenario
    read = _read(arguments.files, scenario)
    if arguments.contribute:
        return issue_text(contribution(points_of(read), scenario))
    return answer(read, scenario, single=len(arguments.files) == 1 and not Path(arguments.files[0]).is_dir())


def _explain(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return where the difference between a setting and another, or a run in a file, comes from."""
    scenario = _decoded(arguments.query, None).scenario
    language = _language(scenario)
    if not Path(arguments.other).exists():
        return explanation.as_json(explanation.explain(scenario, _decoded(arguments.other, None).scenario), language)
    points = points_of(_read([arguments.other], scenario))
    run = next((point for point in points if point.draft_tokens != 0), points[0])
    return explanation.as_json(explanation.explain_run(scenario, run), language)


def _fit(arguments: argparse.Namespace) -> Any:
    if arguments.toml and not arguments.files:
        return profiles_toml(fit()).rstrip()
    if not arguments.files:
        return [export.plain(profile) for profile in fit()]
    scenario = _decoded(arguments.query, None).scenario
    found = fit_to_points(points_of(_read(arguments.files)), scenario)
    if not found:
        message = "no run of plain decoding with its batch, context and time per token"
        raise RefusedError(message)
    return export.plain(found)


def _serve(arguments: argparse.Namespace) -> None:
    """Serve the page until interrupted; only this command needs more than numpy."""
    try:
        from roofline_app.page.runtime.server import serve  # noqa: PLC0415 - Panel is an extra
    except ModuleNotFoundError as error:
        message = f"serve: {error.name} is not installed; the extra `serve` brings it: {SERVE_EXTRA}"
        raise RefusedError(message) from error
    try:
        serve(arguments.port, arguments.address)
    except OSError as error:
        message = f"serve: port {arguments.port} of {arguments.address}: {error.strerror}; --port 0 takes a free one"
        raise RefusedError(message) from error


LISTS = {
    "models": _models,
    "gpus": _gpus,
    "drafters": _drafters,
    "acceptances": _acceptances,
    "profiles": _profiles,
    "presets": _presets,
}
COMPUTED: Mapping[str, tuple[Callable[[argparse.Namespace], Any], str]] = {
    "explain": (_explain, "print where the difference between two settings, or a setting and a run, comes from"),
    "fit": (_fit, "fit the calibrated profiles anew and print constants and errors as JSON"),
    "import": (_import, "print the points of a benchmark file as JSON, with what a link's setting predicts"),
    "validate": (_validate, "print predictions beside every measured row as JSON, errors by group first"),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m roofline_app", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    evaluating = verbs.add_parser("evaluate", help="print the evaluation of a link's query as JSON")
    serving = verbs.add_parser("flags", help="print how to serve and to measure a link's setting on an engine")
    serving.add_argument("--engine", required=True, metavar="ENGINE", help="vllm, sglang or tensorrt-llm")
    for one in (evaluating, serving):
        one.add_argument("query", nargs="?", default="", help="the part of a link after the question mark")
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
        help=f"print this too: {', '.join(export.FURTHER)}; a figure of that name in the query does the same",
    )
    for verb in LISTS:
        verbs.add_parser(verb, help=f"print the registry's {verb} as JSON")
    made = {verb: verbs.add_parser(verb, help=says) for verb, (_, says) in COMPUTED.items()}
    made["explain"].add_argument("query", help="the part of a link after the question mark")
    made["explain"].add_argument("other", help="another one, or a benchmark's file: its first run with speculation")
    made["fit"].add_argument("files", nargs="*", metavar="FILE", help="your own benchmark files, fitted too")
    made["fit"].add_argument("--toml", action="store_true", help="print them as data/profiles.toml holds them")
    made["fit"].add_argument("--query", default="", help="model, gpu, formats and engine where the files do not say")
    made["import"].add_argument("files", nargs="+", metavar="FILE", help="files, folders, - for standard input")
    made["import"].add_argument("--query", help="the part of a link after the question mark")
    made["import"].add_argument("--contribute", action="store_true", help="print rows and an issue to hand them in")
    page = verbs.add_parser("serve", help="serve the page from this Python, until interrupted (needs Panel)")
    page.add_argument("--port", type=int, default=PORT, help=f"0 takes a free one (default {PORT})")
    page.add_argument("--address", default="127.0.0.1", help="of the interface to listen on (default 127.0.0.1)")
    return parser


def _answer(parsed: argparse.Namespace) -> Any:
    if parsed.verb == "evaluate":
        return _evaluate(parsed)
    return COMPUTED[parsed.verb][0](parsed) if parsed.verb in COMPUTED else LISTS[parsed.verb]()


def _text(answer: Any) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer, indent=1, ensure_ascii=False, allow_nan=False)


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: Words after the program's name; None means the process's own.

    Returns:
        0, or 2 when the command was refused (one line on stderr names why).
    """
    parsed = _parser().parse_args(arguments)
    try:
        if parsed.verb == "serve":
            _serve(parsed)
            return 0
        text = _flags(parsed) if parsed.verb == "flags" else _text(_answer(parsed))
    except (RefusedError, SpecError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - the refusal
        return 2
    try:
        print(text, flush=True)  # noqa: T201 - the answer
    except BrokenPipeError:
        # The reader of a pipe (`| head`) has seen enough; the interpreter's own last flush must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
