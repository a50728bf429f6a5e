"""A language is a folder of texts: with one more, and nothing else, there is a page in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from package_copy import copied_with_esperanto, printed

STATIC = Path(__file__).resolve().parents[2] / "static"
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


def test_a_folder_of_texts_is_a_language_of_the_page(tmp_path: Path) -> None:
    copied_with_esperanto(tmp_path)
    found: dict[str, Any] = printed(tmp_path, PAGE, str(STATIC / "index.html"))
    manifest = found["page"].partition('id="build">')[2].partition("</script>")[0]
    languages = json.loads(manifest)["languages"]
    assert languages["eo"] == {"tag": "eo-Latn", "name": "Esperanto"}
    assert languages["zh"] == {"tag": "zh-Hans", "name": "中文"}
    assert next(iter(languages)) == "en"
    assert '<script type="application/json" id="words-eo">{"say":"eo ' in found["page"]
    assert '<p class="noscript" lang="eo-Latn">eo ' in found["page"]
    assert "Titolo" in found["state"]
    assert found["asked"] == ["eo", "eo", "eo", "en"]
