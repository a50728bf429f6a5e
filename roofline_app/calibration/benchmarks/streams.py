"""Inter-token latencies: the stream of one request, as the client of a serving benchmark took its time.

Both clients start after the first token. vLLM's, and SGLang's for other protocols than its own, write a pause per chunk
of the stream; SGLang's own shares a chunk's time out among its tokens, so that a chunk is a row of equal pauses.

Source:
    vllm-project/vllm: vllm/benchmarks/serve.py (`--save-detailed`); sgl-project/sglang: python/sglang/bench_serving.py
    (`--output-details`), `async_request_sglang_generate`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from roofline_app.calibration.benchmarks.points import LONGEST_SECONDS, Run, Stream
from roofline_app.calibration.benchmarks.remarks import UnusableError
from roofline_app.calibration.benchmarks.rounds import MOST_DRAFT_TOKENS
from roofline_app.calibration.benchmarks.run_fields import Row, shown
from roofline_app.speculation.timeline import SHORTEST_SECONDS

MOST_PAUSES = 1 << 20
# Of the request that is kept: enough for a race.
KEPT_PAUSES = 1024
_PAUSES, _TOKENS = "itls", "output_lens"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    """A request's place in the file, from 0, its pauses, and the tokens that came after them."""

    place: int
    pauses: tuple[float, ...]
    tokens: int

    @property
    def seconds_per_token(self) -> float:
        return sum(self.pauses) / self.tokens


def with_stream(run: Run, row: Row, *, shared: bool = False) -> Run:
    """Return a run with the stream of its request of median speed, where the file has the details of requests.

    Args:
        run: The run so far.
        row: Its fields.
        shared: Whether the client shares a chunk's time out among its tokens, and chunks can hold several.

    Raises:
        UnusableError: When a pause is no time, or there are too many.
    """
    requests = _requests(row)
    if not requests:
        return run
    requests.sort(key=lambda request: request.seconds_per_token)
    chosen = requests[(len(requests) - 1) // 2]
    kept = chosen.pauses[:KEPT_PAUSES]
    stream = Stream(
        pauses=kept,
        tokens=max(round(chosen.tokens * len(kept) / len(chosen.pauses)), 1),
        shared=shared and len(chosen.pauses) == chosen.tokens,
        request=chosen.place + 1,
        requests=len(requests),
    )
    return replace(run, stream=stream)


def _requests(row: Row) -> list[_Request]:
    """Return the requests that took time."""
    lists, counts = row.entries(_PAUSES), row.entries(_TOKENS)
    if lists and not isinstance(lists[0], list):
        lists = [lists]  # a single request
    found, read = list[_Request](), 0
    for place, values in enumerate(lists):
        field = f"{row.named(_PAUSES)}.{place}"
        if not isinstance(values, list):
            raise UnusableError("not_a_list", field=field, given=shown(values))
        read += len(values)
        if read > MOST_PAUSES:
            raise UnusableError("too_many_numbers", field=row.named(_PAUSES), most=MOST_PAUSES)
        pauses = tuple(_pause(value, f"{field}.{index}") for index, value in enumerate(values))
        if sum(pauses) >= SHORTEST_SECONDS:
            stated = counts[place] if len(counts) == len(lists) else None
            tokens = _tokens(stated, len(pauses), f"{row.named(_TOKENS)}.{place}")
            found.append(_Request(place=place, pauses=pauses, tokens=tokens))
    return found


def _pause(value: object, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnusableError("not_a_number", field=field, given=shown(value))
    if not (math.isfinite(value) and 0 <= value <= LONGEST_SECONDS):
        raise UnusableError("impossible_size", field=field, given=float(value))
    return float(value)


def _tokens(stated: object, pauses: int, field: str) -> int:
    """Return the tokens after the first one; one per pause where the file does not count them."""
    if stated is None:
        return pauses
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        raise UnusableError("not_a_number", field=field, given=shown(stated))
    largest = pauses * (MOST_DRAFT_TOKENS + 1) + 1
    if not (math.isfinite(stated) and stated == int(stated) and 0 <= stated <= largest):
        raise UnusableError("not_a_count", field=field, given=float(stated), largest=largest)
    return max(int(stated) - 1, 1)
