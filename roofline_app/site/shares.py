"""What is shared besides the page: a page for each preset, the embed, posters, and pictures for previews of links."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from roofline_app import query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page.drawing import TABLES
from roofline_app.page.page import Page
from roofline_app.page.poster import FIGURES, poster
from roofline_app.page.theme import PALETTES
from roofline_app.results import Evaluation
from roofline_app.site.markup import data
from roofline_app.site.preview import preview
from roofline_app.text import FALLBACK, LANGUAGES, sentence

EXAMPLES = "examples/"
EMBED_SCRIPT = "embed.js"
_FIRST_PAINT = re.compile(r'<div class="first-paint".*?</svg></div>', re.DOTALL)
_ALONE = "<style>main, nav, .bar { display: none; }</style>"  # what needs a script is not shown without
ARTICLE = "article"  # the preset that is the default setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What these files are made from.

    Attributes:
        index: The finished page.
        static: Folder of what the browser gets besides Python.
        base_url: Where the site will be published; empty leaves out what must be absolute.
    """

    index: str
    static: Path
    base_url: str = ""

    def files(self) -> dict[str, bytes]:
        """Return the files by their address relative to the page."""
        embed = self.index.replace("<html ", "<html data-embed ", 1)
        files = {
            "index.html": _readable(self.index, ARTICLE, evaluate(query.decode("").scenario)).encode(),
            "embed.html": embed.encode(),
            EMBED_SCRIPT: (self.static / EMBED_SCRIPT).read_bytes(),
        }
        for path in sorted((self.static / EXAMPLES).glob("*")):
            files[f"{EXAMPLES}{path.name}"] = path.read_bytes()
        for preset in registry.presets().values():
            evaluation = evaluate(query.decode(preset.query).scenario)
            files |= _posters(preset)
            files[f"p/{preset.id}/index.html"] = self._preset_page(preset, evaluation).encode()
            if self.base_url:
                files[f"posters/{preset.id}.png"] = preview(poster(evaluation, "speedup"))
        return files

    def _preset_page(self, preset: registry.Preset, evaluation: Evaluation) -> str:
        """Return the page of a preset: the same page, with this setting in it before any script runs."""
        title = f"{preset.title} · {sentence('page.title')}"
        description = f"{preset.story} {evaluation.headline}"
        page = self.index.replace("<html ", f'<html data-preset="{preset.id}" ', 1)
        page = _FIRST_PAINT.sub("", page)
        # Everything is relative to the site's root; the policy before it stays the first element.
        page = page.replace("<meta charset", '<base href="../../">\n<meta charset', 1)
        page = page.replace('href="#answer"', f'href="p/{preset.id}/#answer"', 1)
        page = _between(page, "<title>", "</title>", html.escape(title))
        page = _between(page, '<meta name="description" content="', '">', html.escape(description))
        if self.base_url:
            page = _between(page, '<link rel="canonical" href="', '">', html.escape(self._address(f"p/{preset.id}/")))
            page = page.replace("</head>", f"{self._open_graph(preset, title, description)}\n</head>", 1)
        for figure in FIGURES:
            picture = f"posters/{preset.id}-{figure}"
            page = page.replace(
                f'<div class="plot plot-{figure}"', f'{_picture(picture)}<div class="plot plot-{figure}"', 1
            )
        page = _readable(page, preset.id, evaluation)
        state = Page(preset.query).state()
        return page.replace("</body>", f"{data('preset-state', state)}\n</body>", 1)

    def _address(self, relative: str) -> str:
        return f"{self.base_url.rstrip('/')}/{relative}"

    def _open_graph(self, preset: registry.Preset, title: str, description: str) -> str:
        tags = {
            "og:type": "website",
            "og:title": title,
            "og:description": description,
            "og:url": self._address(f"p/{preset.id}/"),
            "og:image": self._address(f"posters/{preset.id}.png"),
            "og:image:width": "1200",
            "og:image:height": "630",
        }
        lines = [f'<meta property="{name}" content="{html.escape(content)}">' for name, content in tags.items()]
        return "\n".join([*lines, '<meta name="twitter:card" content="summary_large_image">'])


def _between(page: str, start: str, end: str, content: str) -> str:
    """Return a page with what stands between two marks replaced."""
    before, _, rest = page.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}{content}{end}{after}"


def _readable(page: str, preset: str, evaluation: Evaluation) -> str:
    """Return a page that says its answer where scripts are off."""
    return page.replace("<main>", f"<noscript>{scriptless(preset, evaluation)}</noscript>\n<main>", 1)


def _picture(address: str) -> str:
    """Return a poster in the reader's colours; its words stand on the page already."""
    return (
        f'<picture aria-hidden="true"><source srcset="{address}-dark.svg" media="(prefers-color-scheme: dark)">'
        f'<img class="poster" src="{address}-light.svg" alt="" loading="lazy"></picture>'
    )


def _posters(preset: registry.Preset) -> Mapping[str, bytes]:
    return dict(_drawn(preset))


def _drawn(preset: registry.Preset) -> Iterator[tuple[str, bytes]]:
    scenario = query.decode(preset.query).scenario
    for language in LANGUAGES:
        evaluation = evaluate(scenario, language=language)
        suffix = "" if language == FALLBACK else f"-{language}"
        for figure in FIGURES:
            for theme in PALETTES:
                name = f"posters/{preset.id}-{figure}-{theme}{suffix}.svg"
                yield name, poster(evaluation, figure, theme, language).encode()


def scriptless(preset: str, evaluation: Evaluation) -> str:
    """Return what readers without scripts see: the answer, the poster, and its numbers as a table."""
    table = TABLES["speedup"](evaluation, FALLBACK)
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in table.header)
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return (
        f'{_ALONE}<section class="scriptless">'
        f"<p>{html.escape(evaluation.headline)}</p><p>{html.escape(evaluation.verdict)}</p>"
        f'<img src="posters/{preset}-speedup-light.svg" alt="{html.escape(evaluation.headline)}">'
        f"<table><caption>{html.escape(table.caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></section>"
    )
