"""The page's markup: its policy, what it loads and in which order, and the data that it carries."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from roofline_app.calibration.benchmarks import LARGEST_BYTES
from roofline_app.page.figures.stretched import colours
from roofline_app.page.markup_words import with_languages
from roofline_app.page.protocol import CommonManifest, LanguageFacts, ServerManifest, SiteManifest
from roofline_app.page.sections import plot_heights, with_figures
from roofline_app.scenario import MOST_DRAFTERS
from roofline_app.text import LANGUAGES, language_name, language_tag

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:; base-uri 'self'; form-action 'none'"
)
METHOD = "method.html"
BOKEH_SCRIPTS = ("bokeh.min.js", "bokeh-widgets.min.js", "bokeh-tables.min.js")
_CARD = re.compile(r' *<li class="card".*?</li>\n', re.DOTALL)
_CHARSET = '<meta charset="utf-8">'


def as_json(value: object) -> bytes:
    """Return compact JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def data(name: str, value: object) -> str:
    """Return an element of data that no browser takes for markup or script."""
    content = as_json(value).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{content}</script>'


def whole_page(index: str) -> str:
    """Return index.html as browsers get it: its figures, a card for each drafter line, and words in every language."""
    return with_languages(_CARD.sub(_cards, with_figures(index), count=1))


def scriptless_page(text: str, folder: str) -> str:
    """Return a page without scripts as browsers get it: under the same policy, its styles where the site has them.

    Args:
        text: A page of `static/`, which names its styles as they lie beside it.
        folder: Where the site has them, relative to the page; ends in a slash unless it is empty.
    """
    text = text.replace("<head>", f"<head>\n{policy_element(POLICY)}", 1)
    return text.replace('rel="stylesheet" href="', f'rel="stylesheet" href="{folder}')


def policy_element(policy: str) -> str:
    """Return the element that states a content security policy."""
    return f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">'


def _cards(card: re.Match[str]) -> str:
    """Return the card of each line; index.html writes one, its line in braces."""
    return "".join(card[0].replace("{line}", str(line)) for line in range(MOST_DRAFTERS))


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """What the build puts into the page.

    Attributes:
        policy: Content security policy.
        manifest: What the loader and the worker must know; the same for every page is added here.
        first_script: Script that runs before all else, and starts the worker.
        scripts: BokehJS and its extensions, in their order.
        opening: What BokehJS draws before Python is there.
        paint: SVG that is there before BokehJS, by the name of the root that takes its place.
        base_url: Address of the published page, or empty.
    """

    policy: str
    manifest: SiteManifest | ServerManifest
    first_script: str
    scripts: tuple[str, ...]
    opening: Mapping[str, Any]
    paint: Mapping[str, str]
    base_url: str

    def page(self, text: str) -> str:
        """Return a page with all of it."""
        head = [f"<style>{colours()}{plot_heights()}</style>"]
        if self.base_url:
            head.append(f'<link rel="canonical" href="{html.escape(self.base_url)}">')
        languages = {name: LanguageFacts(tag=language_tag(name), name=language_name(name)) for name in LANGUAGES}
        common = CommonManifest(scripts=list(self.scripts), languages=languages, largestFileBytes=LARGEST_BYTES)
        manifest = {**self.manifest, **common}
        first = f'{data("build", manifest)}\n<script src="{self.first_script}"></script>'
        text = text.replace("<head>", f"<head>\n{policy_element(self.policy)}", 1)
        text = text.replace(_CHARSET, f"{_CHARSET}\n{first}", 1)
        text = text.replace("</head>", "\n".join(head) + "\n</head>", 1)
        for root, drawing in self.paint.items():
            text = text.replace(f'data-root="{root}"></div>', f'data-root="{root}">{drawing}</div>')
        return text.replace("</body>", f"{data('opening-light', self.opening)}\n</body>", 1)
