"""The command line: `python -m roofline_app VERB …` (contract in README)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from roofline_app import explanation, export, flags, query
from roofline_app.calibration.contribution import contribution
from roofline_app.calibration.contribution_issue import issue_text
from roofline_app.calibration.fit.fitted_profiles import fit, whole_fit
from roofline_app.calibration.fit.profiles_toml import profiles_toml
from roofline_app.calibration.import_files import ReadFiles, answer, points_of, read_files, said, with_differences
from roofline_app.calibration.scores import one_own_row, scores
from roofline_app.calibration.user_fit import fit_to_points
from roofline_app.calibration.validation import comparisons, summaries
from roofline_app.command.completion import SHELLS, verbs_of
from roofline_app.command.evaluation_tables import evaluation_rows, evaluation_tables, evaluation_words
from roofline_app.command.formats import CSV, JSON, Answer, json_text, written
from roofline_app.command.list_tables import list_tables
from roofline_app.command.lists import LISTS
from roofline_app.command.measured_tables import import_rows, import_tables, validation_rows, validation_tables
from roofline_app.command.parser import command_parser
from roofline_app.command.schemas import SCHEMAS, query_of
from roofline_app.command.sweep import SweepRun, run_sweep
from roofline_app.evaluation import evaluate
from roofline_app.export.csv_rows import flat
from roofline_app.flags.installed import installed_engine
from roofline_app.model.config_json import one_config, read_config
from roofline_app.model.config_json.files import COMPANION, CONFIG
from roofline_app.query import Decoded
from roofline_app.results import Evaluation
from roofline_app.scenario import CUSTOM, Scenario
from roofline_app.specs import SpecError

LARGEST_CONFIG_BYTES = 8_000_000
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
    decoded = query.decode(query_of(text))
    if config_paths:
        config = _config_text(config_paths)
        kept = tuple(notice for notice in decoded.notices if notice.key not in {"model", "config"})
        decoded = replace(decoded, scenario=replace(decoded.scenario, model=CUSTOM, config=config), notices=kept)
    for notice in decoded.notices:
        # Ids that a shell should not have replaced behind its back: the page shows the default, a command refuses.
        if notice.is_refusal:
            raise RefusedError(notice.refusal)
    return decoded


def _evaluation(arguments: argparse.Namespace) -> tuple[Evaluation, dict[str, Any]]:
    """Return an evaluation, and the same as JSON values; notices go to stderr as well."""
    decoded = _decoded(arguments.query, arguments.config)
    language = _language(decoded.scenario)
    notices = [notice.say(language) for notice in decoded.notices]
    evaluation = evaluate(decoded.scenario)
    found = export.as_json(evaluation, notices=notices, language=language, further=_further(arguments))
    for notice in found["notices"]:
        print(notice, file=sys.stderr)  # noqa: T201 - a shell's notices
    return evaluation, found


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


def _evaluate(arguments: argparse.Namespace) -> Answer:
    if arguments.format == CSV and (further := _further(arguments)):
        message = f"--with: csv holds one table; {', '.join(further)} stands in the other forms"
        raise RefusedError(message)
    evaluation, found = _evaluation(arguments)
    language = _language(evaluation.scenario)
    return Answer(
        value=found,
        tables=lambda: evaluation_tables(evaluation, language, [key for key in export.FURTHER if key in found]),
        rows=lambda: evaluation_rows(evaluation),
        words=lambda: evaluation_words(evaluation, language),
    )


def _flags(arguments: argparse.Namespace) -> str:
    """Return an engine's commands; with `--check`, what of it is installed, and the commands where a query is given."""
    if arguments.check and not arguments.query and not arguments.config:
        return installed_engine(arguments.engine)
    scenario = _evaluation(arguments)[0].scenario
    language = _language(scenario)
    found = flags.serving_flags(scenario, arguments.engine, language=language)
    if arguments.check:
        found = replace(found, notes=(installed_engine(arguments.engine, language), *found.notes))
    return flags.as_text(found)


def _list(arguments: argparse.Namespace) -> Answer:
    entries = LISTS[arguments.verb]()
    tables = partial(list_tables, arguments.verb, entries)
    return Answer(value=entries, tables=tables, rows=lambda: [flat(entry) for entry in entries])


def _validate(_: argparse.Namespace) -> Answer:
    compared = comparisons()
    found = {
        "scores": export.plain(scores()),
        "one_own_row": export.plain(one_own_row(error for some in whole_fit().unseen["source"] for error in some)),
        "condition": whole_fit().solution.condition,
        "summaries": export.plain(summaries(compared)),
        "rows": export.plain(compared),
    }
    return Answer(value=found, tables=partial(validation_tables, found), rows=partial(validation_rows, found))


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


def _import(arguments: argparse.Namespace) -> Answer | str:
    if arguments.contribute and arguments.format != JSON:
        message = f"--format: --contribute prints rows and an issue in a form of their own, not as {arguments.format}"
        raise RefusedError(message)
    scenario = None if arguments.query is None else _decoded(arguments.query, None).scenario
    read = _read(arguments.files, scenario)
    if arguments.contribute:
        return issue_text(contribution(points_of(read), scenario))
    found = answer(read, scenario, single=len(arguments.files) == 1 and not Path(arguments.files[0]).is_dir())
    return Answer(value=found, tables=partial(import_tables, found), rows=partial(import_rows, found))


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


def _schema(arguments: argparse.Namespace) -> dict[str, Any]:
    return SCHEMAS[arguments.schema]()


def _sweep(arguments: argparse.Namespace) -> dict[str, Any]:
    return run_sweep(
        SweepRun(
            text=arguments.query,
            out=Path(arguments.out),
            workers=arguments.workers,
            scheduler=arguments.scheduler,
            yes=arguments.yes,
        )
    )


def _completion(arguments: argparse.Namespace) -> str:
    return SHELLS[arguments.shell](verbs_of(command_parser()))


ANSWERS: Mapping[str, Callable[[argparse.Namespace], Any]] = {
    "completion": _completion,
    "evaluate": _evaluate,
    "explain": _explain,
    "fit": _fit,
    "flags": _flags,
    "import": _import,
    "schema": _schema,
    "sweep": _sweep,
    "validate": _validate,
    **dict.fromkeys(LISTS, _list),
}


def _text(answer: Any, parsed: argparse.Namespace) -> str:
    if isinstance(answer, Answer):
        return written(answer, parsed.format)
    return answer if isinstance(answer, str) else json_text(answer)


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: Words after the program's name; None means the process's own.

    Returns:
        0, or 2 when the command was refused (one line on stderr names why).
    """
    parsed = command_parser().parse_args(arguments)
    try:
        if parsed.verb == "serve":
            _serve(parsed)
            return 0
        text = _text(ANSWERS[parsed.verb](parsed), parsed)
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
