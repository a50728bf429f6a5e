"""The user's own measurements: benchmark files dropped on the page, as points of the figures."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from roofline_app import format as fmt, registry
from roofline_app.calibration.benchmarks import Imported, MeasuredPoint, MeasurementError, Stream, as_id, import_file
from roofline_app.calibration.benchmarks.pairs import Baselines, lacks_draft_length, with_draft_length
from roofline_app.calibration.benchmarks.remarks import UnusableError
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS
from roofline_app.model.config_json.files import is_companion
from roofline_app.page.figures.measured_points.points import Mark
from roofline_app.results import Evaluation
from roofline_app.text import sentence

MOST_REMARKS = 4
MOST_MARKS = 400
MOST_STREAMS = 50
# What a config.json states and no benchmark does.
CONFIG_FIELDS = frozenset({"model_type", "architectures", "hidden_size", "text_config"})


def contents(text: object) -> bytes:
    """Return the bytes of a file that the page sent.

    Args:
        text: Base64; anything else stands for a file without content.
    """
    try:
        return base64.b64decode(str(text), validate=True)
    except (binascii.Error, ValueError):
        return b""


def config_text(content: bytes) -> str:
    """Return the text of a file that is a model's config.json, or the hf_quant_config.json beside it; else empty."""
    try:
        text = content.decode()
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(fields, dict):
        return ""
    return text if fields.keys() & CONFIG_FIELDS or is_companion(fields) else ""


def _is_other(stated: str, known: Sequence[str], shown: str) -> bool:
    """Return whether a file names an entry of the registry that is not the shown one."""
    return as_id(stated) in known and as_id(stated) != shown


class UserStream(NamedTuple):
    """A measured stream, and the words of its run."""

    name: str
    stream: Stream


class UserPoints:
    """The points of the dropped files.

    Attributes:
        files: What was read, in order.
        undrawn: Runs beyond the most that are drawn, at the last drawing.
    """

    def __init__(self, language: str) -> None:
        """Start without any."""
        self.language = language
        self.files = list[Imported]()
        self.undrawn = 0

    def add(self, name: str, content: bytes) -> list[str]:
        """Read a file; return remarks on it: the number of points, what was left out, or why it is refused."""
        try:
            imported = import_file(name, content)
        except MeasurementError as error:
            reason = error.reason.say(self.language)
            return [sentence("page.file_refused", self.language, file=error.file_name, reason=reason)]
        self.files.append(imported)
        count = fmt.count(len(imported.points))
        said = [sentence("page.file_read", self.language, file=imported.file_name, count=count)]
        said += [notice.say(self.language) for notice in imported.notices[:MOST_REMARKS]]
        streams = sum(point.stream is not None for point in imported.points)
        if streams:
            said.append(sentence("page.file_streams", self.language, count=fmt.count(streams)))
        left = len(imported.notices) - MOST_REMARKS
        return [*said, sentence("page.file_more", self.language, count=fmt.count(left))] if left > 0 else said

    def set_draft_length(self, place: int, typed: str) -> None:
        """Set the draft length of the runs of a file that do not state theirs.

        Args:
            place: The file's place among `files`.
            typed: Drafts per round.

        Raises:
            UnusableError: When that is no such number, or a run commits more tokens per round than so many drafts can.
        """
        whole = re.fullmatch(r"\s*(\d{1,9})\s*", typed, re.ASCII)
        if not whole:
            raise UnusableError("not_a_count", field="draft_tokens", given=typed, largest=MOST_DRAFT_TOKENS)
        imported, draft_tokens = self.files[place], int(whole[1])
        points = tuple(
            with_draft_length(point, draft_tokens) if lacks_draft_length(point) else point for point in imported.points
        )
        self.files[place] = replace(imported, points=points)

    def runs_of(self, evaluation: Evaluation) -> list[tuple[Imported, MeasuredPoint]]:
        """Return every run that can be of the shown model and GPU, with its file."""
        return [
            (imported, point) for imported in self.files for point in imported.points if self._is_of(point, evaluation)
        ]

    def marks(self, evaluation: Evaluation) -> tuple[Mark, ...]:
        """Return the runs with speculation that can be of the shown model and GPU, as points of the figures."""
        found = []
        # The run without speculation is in a file of its own where a benchmark writes one per server.
        baselines = Baselines(point for imported in self.files for point in imported.points)
        for imported in self.files:
            for point in imported.points:
                if point.draft_tokens != 0 and self._is_of(point, evaluation):
                    mark = self._mark(point, imported, evaluation, baselines)
                    found += [mark] if mark else []
        self.undrawn = max(len(found) - MOST_MARKS, 0)
        return tuple(found[:MOST_MARKS])

    def streams(self) -> list[UserStream]:
        """Return the streams of all runs that have one."""
        found = [
            UserStream(f"{point.label or imported.file_name}: {self.setting(point)}", point.stream)
            for imported in self.files
            for point in imported.points
            if point.stream is not None
        ]
        return found[:MOST_STREAMS]

    def _is_of(self, point: MeasuredPoint, evaluation: Evaluation) -> bool:
        other_model = _is_other(point.model, registry.model_ids(), evaluation.model.id)
        return not other_model and not _is_other(point.gpu, registry.gpu_ids(), evaluation.node.id)

    def setting(self, point: MeasuredPoint) -> str:
        """Return a run's engine, batch, context and draft length in words."""
        words = [point.engine]
        if point.batch and point.context_tokens:
            batch, context = fmt.decimal(round(point.batch, 1)), fmt.tokens(round(point.context_tokens))
            words.append(sentence("page.mark_run", self.language, batch=batch, context=context))
        if point.topk and point.draft_tokens:
            shape = {"depth": point.draft_tokens, "topk": point.topk, "verified": point.verified}
            words.append(sentence("page.mark_tree", self.language, **shape))
        elif point.draft_tokens:
            words.append(sentence("page.mark_draft", self.language, draft_tokens=point.draft_tokens))
        return ", ".join(words)

    def _mark(
        self, point: MeasuredPoint, imported: Imported, evaluation: Evaluation, baselines: Baselines
    ) -> Mark | None:
        if not (point.seconds_per_token and point.batch):
            return None
        plain = baselines.of(point)
        computed = plain is None or not plain.seconds_per_token
        seconds = (plain.seconds_per_token if plain else None) or computed_seconds(point.batch, evaluation)
        against = sentence("page.against_computed" if computed else "page.against_measured", self.language)
        remarks = " ".join(remark.say(self.language) for remark in point.assumptions)
        return Mark(
            name=point.label or imported.file_name,
            setting=self.setting(point),
            conditions=f"{against} {remarks}".strip(),
            source=imported.file_name,
            kind="",
            batch=point.batch,
            # A tree's times are not those of the lines' drafts of that length.
            draft_tokens=0 if point.topk else point.draft_tokens or 0,
            tokens_per_round=point.tokens_per_round or 0.0,
            speedup=seconds / point.seconds_per_token,
            error="",
            own=True,
        )


def computed_seconds(batch: float, evaluation: Evaluation) -> float:
    """Return computed seconds per token of plain decoding at a batch, between those of the evaluation."""
    if round(batch) == evaluation.batch:
        return evaluation.step.seconds
    known = evaluation.best_by_batch
    rates = np.log(known.without.tokens_per_second_per_user)
    return float(np.exp(-np.interp(np.log(batch), np.log(known.batch), rates)))
