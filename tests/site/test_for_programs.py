"""What programs read of a site: the guide lies at its root, each schema where the guide says, and neither is kept."""

from __future__ import annotations

import json
import re

from roofline_app.command.schemas import SCHEMAS
from roofline_app.site.headers import FRESH, headers_of
from roofline_app.site.publish import for_programs


def test_the_guide_leads_to_every_schema() -> None:
    files = for_programs()
    named = re.findall(r"\]\((schemas/.*?)\)", files["llms.txt"].decode())
    assert files.keys() == {"llms.txt", *named}
    assert [json.loads(files[name]) for name in named] == [json.loads(json.dumps(make())) for make in SCHEMAS.values()]


def test_browsers_ask_for_them_anew() -> None:
    assert {headers_of(name)["Cache-Control"] for name in for_programs()} == {FRESH}
