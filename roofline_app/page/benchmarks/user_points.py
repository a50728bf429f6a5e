"""The user's own measurements: benchmark files dropped on the page, as points of the figures."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from roofline_app import format as fmt, registry
from roofline_app.calibration.benchmarks import Imported, MeasuredPoint, MeasurementError, Stream, as_id, import_file
from roofline_app.calibration.benchmarks.pairs import Baselines
from roofline_app.model.config_json.files import is_companion
from roofline_app.page.figures.measured_points.points import Mark
from roofline_app.page.figures.tables import Table, cut_caption
from roofline_app.results import Evaluation
from roofline_app.text import sentence

MOST_REMARKS = 4
MOST_MARKS = 400
MOST_ROWS = 200
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
    """

    def __init__(self, language: str) -> None:
        """Start without any."""
        self.language = language
        self.files = list[Imported]()
        self._undrawn = 0

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

    def marks(self, evaluation: Evaluation) -> tuple[Mark, ...]:
        """Return the runs with speculation that can be of the shown model and GPU, as points of the figures."""
        found = []
        for imported in self.files:
            baselines = Baselines(imported.points)
            for point in imported.points:
                if point.draft_tokens != 0 and self._is_of(point, evaluation):
                    mark = self._mark(point, imported, evaluation, baselines)
                    found += [mark] if mark else []
        self._undrawn = max(len(found) - MOST_MARKS, 0)
        return tuple(found[:MOST_MARKS])

    def streams(self) -> list[UserStream]:
        """Return the streams of all runs that have one."""
        found = [
            UserStream(f"{point.label or imported.file_name}: {self._setting(point)}", point.stream)
            for imported in self.files
            for point in imported.points
            if point.stream is not None
        ]
        return found[:MOST_STREAMS]

    def table(self, evaluation: Evaluation) -> Table:
        """Return every run that can be of the shown model and GPU; the setting's own plain step beside it."""
        columns = ("measured_by", "mark_setting", "tokens_per_round", "quantity_step", "conditions")
        rows = [
            (
                point.label or imported.file_name,
                self._setting(point),
                fmt.significant(point.tokens_per_round) if point.tokens_per_round else "–",
                fmt.seconds(point.seconds_per_token) if point.seconds_per_token else "–",
                " ".join(remark.say(self.language) for remark in point.assumptions),
            )
            for imported in self.files
            for point in imported.points
            if self._is_of(point, evaluation)
        ]
        header = tuple(sentence(f"page.{column}", self.language) for column in columns)
        caption = sentence("page.own_caption", self.language, count=fmt.count(len(rows)))
        caption = cut_caption(caption, len(rows), MOST_ROWS, self.language)
        if self._undrawn:
            undrawn, drawn = fmt.count(self._undrawn), fmt.count(MOST_MARKS)
            caption = sentence("page.own_undrawn", self.language, caption=caption, drawn=drawn, undrawn=undrawn)
        return Table(caption=caption, header=header, rows=tuple(rows[:MOST_ROWS]))

    def _is_of(self, point: MeasuredPoint, evaluation: Evaluation) -> bool:
        other_model = _is_other(point.model, registry.model_ids(), evaluation.model.id)
        return not other_model and not _is_other(point.gpu, registry.gpu_ids(), evaluation.node.id)

    def _setting(self, point: MeasuredPoint) -> str:
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
            setting=self._setting(point),
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
