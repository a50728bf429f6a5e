"""JSON Schemas (draft 2020-12) of what programs hand over and get: queries, evaluations, measured rows.

They are made of the library's own types and limits whenever they are asked for, so that they cannot differ from them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from roofline_app.command.schemas.evaluation import evaluation_schema
from roofline_app.command.schemas.measured_rows import CELLS, row_object, row_schema
from roofline_app.command.schemas.query import query_schema
from roofline_app.command.schemas.query_object import query_object, query_of, query_text
from roofline_app.command.schemas.types import Schema

__all__ = ["FOLDER", "SCHEMAS", "query_object", "query_of", "query_text", "row_object", "schema_files", "schema_text"]

# Where the site and the wheel have them.
FOLDER = "schemas"
SCHEMAS: Mapping[str, Callable[[], Schema]] = MappingProxyType(
    {
        "query": query_schema,
        "evaluation": evaluation_schema,
        **{f"measured-{file}": partial(row_schema, file) for file in CELLS},
    }
)


def schema_files() -> dict[str, bytes]:
    """Return the files of all schemas by their names."""
    return {f"{name}.schema.json": schema_text(make()).encode() for name, make in SCHEMAS.items()}


def schema_text(schema: Schema) -> str:
    """Return a schema as the text of its file."""
    return json.dumps(schema, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
