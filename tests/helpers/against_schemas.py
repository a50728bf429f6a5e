"""Values held against the project's schemas; needs the package jsonschema."""

from __future__ import annotations

from functools import cache

from jsonschema import Draft202012Validator

from roofline_app.command.schemas import SCHEMAS
from roofline_app.command.schemas.evaluation import evaluation_schema


@cache
def _validator(name: str) -> Draft202012Validator:
    schema = evaluation_schema(closed=True) if name == "evaluation" else SCHEMAS[name]()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def wrong(name: str, value: object) -> list[str]:
    """Return what a schema refuses of a value, each with its place.

    Args:
        name: Of the schema. That of evaluations refuses keys that it does not describe.
        value: As JSON has it.
    """
    return [f"{error.json_path}: {error.message[:200]}" for error in _validator(name).iter_errors(value)]
