"""The files of schemas, as the wheel and the site have them."""

from __future__ import annotations

import json

import pytest

from roofline_app.command.schemas import SCHEMAS, schema_files


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_a_file_that_names_its_draft_and_itself(name: str) -> None:
    schema = json.loads(schema_files()[f"{name}.schema.json"])
    assert schema == json.loads(json.dumps(SCHEMAS[name]()))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:speculation-roofline:{name}:1"


def test_the_files_are_the_same_at_every_time() -> None:
    assert schema_files() == schema_files()
