"""What is published beside the page: a page for each preset, the embed, the method, posters, and previews of links."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from roofline_app import query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page.figures.catalogue import FIGURES
from roofline_app.page.figures.look import Look, Shown
from roofline_app.page.figures.race.poster import STILL
from roofline_app.page.figures.tables import Table
from roofline_app.page.markup import data
from roofline_app.page.method import method_pages
from roofline_app.page.page import Page
from roofline_app.page.posters import poster
from roofline_app.page.sections import plot_start
from roofline_app.page.theme import PALETTES
from roofline_app.results import Evaluation
from roofline_app.results.setting_words import setting_words
from roofline_app.site.preview import preview
from roofline_app.specs import Preset
from roofline_app.text import FALLBACK, LANGUAGES, language_tag, sentence
from roofline_app.verdict import answer

EXAMPLES = "examples/"
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_EARLY_SCRIPT = re.compile(r'<script src="([^"]*)early\.js">')
_STYLE = re.compile(r'<link rel="stylesheet" href="([^"]*)style\.css">')
_FIRST_PAINT = re.compile(r'<div class="first-paint".*?</svg></div>', re.DOTALL)
_ALONE = "<style>main, nav, .bar { display: none; }</style>"  # what needs a script is not shown without
_NO_MOTION = "(prefers-reduced-motion: reduce)"
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
        embed = _embed(self.index)
        article = registry.presets()[ARTICLE]
        files = {
            "index.html": _readable(self._page(), article).encode(),
            "embed.html": _readable(embed, article, _only_default).encode(),
            **{name: page.encode() for name, page in self._methods().items()},
        }
        for path in sorted((self.static / EXAMPLES).glob("*")):
            files[f"{EXAMPLES}{path.name}"] = path.read_bytes()
        for preset in registry.presets().values():
            scenario = query.decode(preset.query).scenario
            evaluation = evaluate(scenario)
            files |= _posters(preset)
            files[f"p/{preset.id}/index.html"] = self._preset_page(preset, evaluation).encode()
            if self.base_url:
                files[f"posters/{preset.id}.png"] = preview(poster(evaluation, "speedup"))
        return files

    def _page(self) -> str:
        """Return the page; it knows of which presets there are posters."""
        return self.index.replace("</body>", f"{data('drawn-presets', list(registry.presets()))}\n</body>", 1)

    def _methods(self) -> dict[str, str]:
        """Return the pages of the method by name."""
        (folder,) = _STYLE.findall(self.index)
        return method_pages(self.static, folder)

    def _preset_page(self, preset: Preset, evaluation: Evaluation) -> str:
        """Return the page of a preset: the same page, with this setting in it before any script runs."""
        title = f"{preset.title} · {sentence('page.title')}"
        description = f"{preset.story} {answer(evaluation).headline}"
        page = self._page().replace("<html ", f'<html data-preset="{preset.id}" ', 1)
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
            place = plot_start(figure)
            page = page.replace(place, f"{_picture(preset.id, figure)}{place}", 1)
        page = _readable(page, preset)
        state = Page(preset.query).state()
        return page.replace("</body>", f"{data('preset-state', state)}\n</body>", 1)

    def _address(self, relative: str) -> str:
        return f"{self.base_url.rstrip('/')}/{relative}"

    def _open_graph(self, preset: Preset, title: str, description: str) -> str:
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


def _embed(index: str) -> str:
    """Return the embed: the page, marked as one, with a policy that holds in frames without an origin too."""
    page = index.replace("<html ", "<html data-embed ", 1)

    def by_script(policy: re.Match[str]) -> str:
        own = _EARLY_SCRIPT.findall(index)[0]
        return f'<script src="{own}embed-policy.js" data-policy="{policy[1]}"></script>'

    return _POLICY.sub(by_script, page, count=1)


def _between(page: str, start: str, end: str, content: str) -> str:
    """Return a page with what stands between two marks replaced."""
    before, _, rest = page.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}{content}{end}{after}"


def _nothing(_evaluation: Evaluation, _language: str) -> str:
    return ""


def _readable(page: str, preset: Preset, before: Callable[[Evaluation, str], str] = _nothing) -> str:
    """Return a page with its answer in every language for browsers without scripts, where nothing can choose one.

    Args:
        page: The page.
        preset: Whose answer it says.
        before: Makes the markup above an answer, from the evaluation and its language.
    """
    scenario, sections = query.decode(preset.query).scenario, list[str]()
    for language in LANGUAGES:
        evaluation = evaluate(scenario)
        shown = Shown(evaluation=evaluation, look=Look(language=language))
        sections.append(scriptless(preset.id, shown, before(evaluation, language)))
    return page.replace("<main>", f"<noscript>{_ALONE}{''.join(sections)}</noscript>\n<main>", 1)


def _only_default(evaluation: Evaluation, language: str) -> str:
    """Return why an embed without scripts shows another setting than it was asked for, and where others are."""
    said = sentence("page.embed_scriptless", language, setting=setting_words(evaluation, language))
    links = "".join(
        f'<li><a href="p/{preset.id}/" target="_blank">{html.escape(preset.words(language)[0])}</a></li>'
        for preset in registry.presets().values()
    )
    return f"<p>{html.escape(said)}</p><ul>{links}</ul>"


def _picture(preset: str, figure: str) -> str:
    """Return a poster in light and dark; its words stand on the page already."""
    light, dark = (_poster_address(preset, figure, theme, FALLBACK) for theme in ("light", "dark"))
    dark_query = "(prefers-color-scheme: dark)"
    still = (
        [_stilled(dark, f"{dark_query} and {_NO_MOTION}"), _stilled(light, _NO_MOTION)] if FIGURES[figure].moves else []
    )
    sources = [*still, f'<source srcset="{dark}" media="{dark_query}">']
    image = f'<img class="poster" src="{light}" alt="" loading="lazy">'
    return f'<picture aria-hidden="true">{"".join(sources)}{image}</picture>'


def _posters(preset: Preset) -> Mapping[str, bytes]:
    return dict(_drawn(preset))


def _drawn(preset: Preset) -> Iterator[tuple[str, bytes]]:
    scenario = query.decode(preset.query).scenario
    for language in LANGUAGES:
        evaluation = evaluate(scenario)
        for figure in FIGURES:
            for theme in PALETTES:
                drawn = poster(evaluation, figure, theme, language)
                yield _poster_address(preset.id, figure, theme, language), drawn.encode()


def _poster_address(preset: str, figure: str, theme: str, language: str) -> str:
    suffix = "" if language == FALLBACK else f"-{language}"
    return f"posters/{preset}-{figure}-{theme}{suffix}.svg"


def scriptless(preset: str, shown: Shown, before: str = "") -> str:
    """Return the page's content without scripts: the answer, the posters, and numbers as tables.

    Args:
        preset: Whose posters.
        shown: The preset, in the language of the words.
        before: Markup above all of it.
    """
    language = shown.language
    said = answer(shown.evaluation, language)
    pictures = "".join(_figure(preset, figure, language) for figure in FIGURES)
    tables = "".join(_table(FIGURES[name].table(shown)) for name in ("speedup", "race"))
    return (
        f'<section class="scriptless" lang="{language_tag(language)}">{before}'
        f"<p>{html.escape(said.headline)}</p><p>{html.escape(said.verdict)}</p>"
        f"{pictures}{tables}</section>"
    )


def _figure(preset: str, figure: str, language: str) -> str:
    """Return a poster for a page without scripts."""
    address = _poster_address(preset, figure, "light", language)
    image = f'<img src="{address}" alt="{html.escape(sentence(f"figures.{figure}_caption", language))}" loading="lazy">'
    return f"<picture>{_stilled(address, _NO_MOTION)}{image}</picture>" if FIGURES[figure].moves else image


def _stilled(address: str, media: str) -> str:
    """Return the source of a picture that stands still, for those who prefer that."""
    return f'<source srcset="{address}#{STILL}" media="{media}">'


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in table.header)
    rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    caption = html.escape(table.caption)
    grid = f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="scroll" tabindex="0" role="group" aria-label="{caption}">{grid}</div>'
