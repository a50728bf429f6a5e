"""A load in a link: how long each batch is decoded, `1:0.2;16:0.5;64@32768:0.3`, the context after the batch."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from roofline_app.query.notices import NOTHING, Notices
from roofline_app.query.numbers import BINARY, Limits, number, written
from roofline_app.scenario import LARGEST_BATCH, LARGEST_CONTEXT, MOST_LOADS, LoadPart

LOAD = "load"
_BATCH = Limits(least=1, most=LARGEST_BATCH, whole=True)
_CONTEXT = Limits(least=1, most=LARGEST_CONTEXT, whole=True)
_SHARES_TOLERANCE = 1e-9
# Beyond these, sums and quotients of shares would not be what they are.
_LEAST, _MOST = 1e-9, 10**9


def read_load(text: str, notices: Notices) -> tuple[LoadPart, ...]:
    """Return the load that a text states, smallest batch first; parts of one batch and context are added up.

    Args:
        text: Batches with their shares, joined by semicolons.
        notices: Takes a notice for every part that is left out, and where shares do not add up to 1.
    """
    found: dict[tuple[int, int], float] = {}
    pieces = [piece.strip() for piece in text.split(";", MOST_LOADS + 1) if piece.strip()]
    if len(pieces) > MOST_LOADS:
        notices.add("too_many_loads", key=LOAD, given=text, used=NOTHING, detail=str(MOST_LOADS))
        return ()
    for piece in pieces:
        part = _part(piece)
        if part is None:
            notices.add("not_a_load", key=LOAD, given=piece, used=NOTHING)
            continue
        found[part.batch, part.context or 0] = found.get((part.batch, part.context or 0), 0.0) + part.share
    return _normalised(text, found, notices)


def _part(piece: str) -> LoadPart | None:
    where, _, share_text = piece.rpartition(":")
    batch_text, at, context_text = where.partition("@")
    batch, share = _whole(batch_text, _BATCH), number(share_text)
    context = _whole(context_text, _CONTEXT) if at else None
    if batch is None or (at and context is None) or share is None or not _LEAST <= share <= _MOST:
        return None
    return LoadPart(batch=batch, share=share, context=context)


def _whole(text: str, limits: Limits) -> int | None:
    value = number(text, BINARY)
    return int(value) if value is not None and limits.least <= value <= limits.most and value.is_integer() else None


def _normalised(text: str, found: Mapping[tuple[int, int], float], notices: Notices) -> tuple[LoadPart, ...]:
    if not found:
        return ()
    total = math.fsum(found.values())
    shares = dict(found)
    if abs(total - 1.0) > _SHARES_TOLERANCE:
        shares = {place: share / total for place, share in found.items()}
        shown = ";".join(f"{batch}:{share:.3g}" for (batch, _), share in sorted(shares.items()))
        notices.add("not_shares", key=LOAD, given=text, used=shown, detail=f"{total:.6g}")
    return tuple(
        LoadPart(batch=batch, share=share, context=context or None)
        for (batch, context), share in sorted(shares.items())
    )


def write_load(parts: Iterable[LoadPart]) -> str:
    """Return a load as it stands in a link."""
    return ";".join(f"{_place(part)}:{written(part.share)}" for part in parts)


def _place(part: LoadPart) -> str:
    return f"{part.batch}@{part.context}" if part.context else str(part.batch)
