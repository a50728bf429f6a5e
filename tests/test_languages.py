"""A language is a folder of texts: with one more, and nothing else, the library speaks it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from package_copy import copied_with_esperanto, printed

from roofline_app.text import TRANSLATIONS

LIBRARY = """
import json
from roofline_app import decode, evaluate, registry, text
from roofline_app.verdict import answer

decoded = decode("preset=dense&lang=eo-XX")
evaluation = evaluate(decoded.scenario)
print(json.dumps({
    "languages": text.LANGUAGES,
    "notices": [notice.say() for notice in decoded.notices],
    "lang": decoded.scenario.presentation.lang,
    "headline": answer(evaluation, "eo").headline,
    "presets": [preset.words("eo")[0] for preset in registry.presets().values()][:2],
}))
"""


def test_a_folder_of_texts_is_a_language_of_the_library(tmp_path: Path) -> None:
    copied_with_esperanto(tmp_path)
    found: dict[str, Any] = printed(tmp_path, LIBRARY)
    assert found["languages"] == ["en", *sorted([*TRANSLATIONS, "eo"])]
    assert (found["lang"], found["notices"]) == ("eo", [])
    assert found["headline"].startswith("eo ")
    assert found["presets"] == ["Titolo", "A dense model"]
