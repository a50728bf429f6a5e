"""The schemas of measured rows, as they are handed in and kept in `data/measured/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from types import MappingProxyType
from typing import Annotated, Any, get_type_hints

from roofline_app import registry
from roofline_app.calibration.benchmarks.points import LONGEST_SECONDS, SHORTEST_SECONDS
from roofline_app.calibration.contribution import columns
from roofline_app.command.schemas.docstrings import summary
from roofline_app.command.schemas.types import DRAFT, OneOf, Schema, TypeSchemas, described, schema_id
from roofline_app.query.numbers import Limits
from roofline_app.scenario import (
    LARGEST_BATCH,
    LARGEST_CAP,
    LARGEST_CONTEXT,
    LARGEST_GPUS,
    MOST_BRANCHES,
    MOST_VERIFIED,
)

VERSION = 1
Count = Annotated[int, Limits(least=1, most=LARGEST_GPUS, whole=True)]
Batch = Annotated[int, Limits(least=1, most=LARGEST_BATCH, whole=True)]
Tokens = Annotated[int, Limits(least=1, most=LARGEST_CONTEXT, whole=True)]
Seconds = Annotated[float, Limits(least=SHORTEST_SECONDS, most=LONGEST_SECONDS)]
Rate = Annotated[float, Limits(least=1 / LONGEST_SECONDS, most=LARGEST_BATCH / SHORTEST_SECONDS)]
Model = Annotated[str, OneOf(registry.model_ids)]
Gpu = Annotated[str, OneOf(registry.gpu_ids)]
Format = Annotated[str, OneOf(registry.formats)]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodeCells:
    """Plain decoding behind a server: a row of `decode.csv`.

    Attributes:
        source: Key of who measured, in `sources.toml`.
        engine: Serving engine.
        model: Registry id.
        gpu: Registry id.
        gpus: GPUs that share the model, tensor parallel.
        expert_ranks: Groups that routed experts are spread over; 1 without expert parallelism.
        linear: Format of the linear layers.
        experts: Format of the routed experts; that of the linear layers for a dense model.
        kv: Format of the cache.
        batch: Sequences decoded together: the client's concurrency.
        input_tokens: Of each prompt.
        output_tokens: Generated per prompt.
        seconds_per_token: Of one sequence, per output token.
    """

    source: str
    engine: str
    model: Model
    gpu: Gpu
    gpus: Count
    expert_ranks: Count
    linear: Format
    experts: Format
    kv: Format
    batch: Batch
    input_tokens: Tokens
    output_tokens: Tokens
    seconds_per_token: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundCells:
    """Decoding without and with speculation: a row of `rounds.csv`; what is not known is left out.

    Attributes:
        id: Key of the row, never used again.
        source: Key of who measured, in `sources.toml`.
        engine: Serving engine.
        model: Registry id.
        gpu: Registry id.
        gpus: GPUs that share the model, tensor parallel.
        expert_ranks: Groups that routed experts are spread over; 1 without expert parallelism.
        linear: Format of the linear layers.
        experts: Format of the routed experts; that of the linear layers for a dense model.
        kv: Format of the cache.
        workload: What was decoded.
        batch: Sequences decoded together.
        context_tokens: Mean tokens in the cache of each.
        drafter: Kind of drafter; left out without speculation, or where the source does not say.
        draft_tokens: Draft length, of a tree its depth; 0 without speculation.
        topk: Branches of a tree at each depth; left out for a chain.
        verify_tokens: Tokens of one sequence in the verifying pass, the root included; left out for a chain.
        plain_tokens_per_second: Of all sequences, without speculation.
        tokens_per_second: Of all sequences, with it.
        tokens_per_round: Tokens committed per round, the bonus token included; left out where the source is silent.
    """

    id: str
    source: str
    engine: str
    model: Model
    gpu: Gpu
    gpus: Count
    expert_ranks: Count
    linear: Format
    experts: Format
    kv: Format
    workload: str = ""
    batch: Batch
    context_tokens: Tokens = 0
    drafter: Annotated[str, OneOf(registry.drafter_kinds)] = ""
    draft_tokens: Annotated[int, Limits(least=0, most=LARGEST_CAP, whole=True)] = 0
    topk: Annotated[int, Limits(least=1, most=MOST_BRANCHES, whole=True)] = 1
    verify_tokens: Annotated[int, Limits(least=1, most=MOST_VERIFIED + 1, whole=True)] = 1
    plain_tokens_per_second: Rate
    tokens_per_second: Rate
    tokens_per_round: Annotated[float, Limits(least=1, most=LARGEST_CAP + 1)] = 1.0


CELLS: Mapping[str, type] = MappingProxyType({"decode": DecodeCells, "rounds": RoundCells})


def row_schema(file: str) -> Schema:
    """Return the schema of one row of measurements, its columns as keys.

    Args:
        file: `decode` or `rounds`.
    """
    kind: Any = CELLS[file]
    types = TypeSchemas(closed=True)
    known = types.properties(kind)
    properties = {name: known[name] for name in columns(f"{file}.csv")}
    optional = [field.name for field in fields(kind) if field.default is not MISSING]
    return {
        "$schema": DRAFT,
        "$id": schema_id(f"measured-{file}", VERSION),
        "title": f"A measured row of {file}.csv",
        **described(types.an_object(properties, optional=optional), summary(kind)),
    }


def row_object(file: str, cells: Mapping[str, str]) -> dict[str, Any]:
    """Return a row as an object: numbers as numbers, empty cells left out.

    Args:
        file: `decode` or `rounds`.
        cells: Texts by column.
    """
    hints = get_type_hints(CELLS[file])
    return {name: _value(text, hints.get(name, str)) for name, text in cells.items() if text}


def _value(text: str, kind: type) -> Any:
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError:
        return text  # which the schema refuses by its column
