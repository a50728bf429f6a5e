"""A language is a folder of texts: with one more, and nothing else, there is a page in it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from package_copy import copied_package, printed

from roofline_app.text import TRANSLATIONS

STATIC = Path(__file__).resolve().parents[1] / "static"
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
PAGE = """
import json
import sys
from pathlib import Path
from roofline_app.page.markup import POLICY, Front, whole_page
from roofline_app.page.page import Page
from roofline_app.page.runtime.server import _language

index = whole_page(Path(sys.argv[1]).read_text(encoding="utf-8"))
front = Front(policy=POLICY, manifest={}, first_script="", scripts=(), opening={}, paint={}, base_url="")
state = Page("preset=article", "light", "eo").state()
print(json.dumps({
    "page": front.page(index),
    "state": json.dumps(state, ensure_ascii=False),
    "asked": [_language("eo", ""), _language("", "eo-XX,en;q=0.5"), _language("", "eo"), _language("tlh", "tlh")],
}))
"""


def _quoted(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the package with a further language, every sentence of which begins with its name."""
    folder = tmp_path_factory.mktemp("eo")
    data = copied_package(folder)
    (data / "text" / "eo").mkdir()
    for file in (data / "text" / "en").glob("*.toml"):
        sentences = tomllib.loads(file.read_text(encoding="utf-8"))
        lines = [f"{key} = {_quoted(f'eo {sentence}')}" for key, sentence in sentences.items()]
        (data / "text" / "eo" / file.name).write_text("\n".join(lines), encoding="utf-8")
    (data / "text" / "eo" / "language.toml").write_text('tag = "eo-Latn"\nname = "Esperanto"\n', encoding="utf-8")
    presets = (data / "presets.toml").read_text(encoding="utf-8")
    words = 'eo = { title = "Titolo", story = "Rakonto." }'
    (data / "presets.toml").write_text(presets.replace("[article]", f"[article]\n{words}"), encoding="utf-8")
    return folder


def test_a_folder_of_texts_is_a_language_of_the_library(folder: Path) -> None:
    found: dict[str, Any] = printed(folder, LIBRARY)
    assert found["languages"] == ["en", *sorted([*TRANSLATIONS, "eo"])]
    assert (found["lang"], found["notices"]) == ("eo", [])
    assert found["headline"].startswith("eo ")
    assert found["presets"] == ["Titolo", "A dense model"]


def test_a_folder_of_texts_is_a_language_of_the_page(folder: Path) -> None:
    found: dict[str, Any] = printed(folder, PAGE, str(STATIC / "index.html"))
    manifest = found["page"].partition('id="build">')[2].partition("</script>")[0]
    languages = json.loads(manifest)["languages"]
    assert languages["eo"] == {"tag": "eo-Latn", "name": "Esperanto"}
    assert languages["zh"] == {"tag": "zh-Hans", "name": "中文"}
    assert next(iter(languages)) == "en"
    assert '<script type="application/json" id="words-eo">{"say":"eo ' in found["page"]
    assert '<p class="noscript" lang="eo-Latn">eo ' in found["page"]
    assert "Titolo" in found["state"]
    assert found["asked"] == ["eo", "eo", "eo", "en"]
