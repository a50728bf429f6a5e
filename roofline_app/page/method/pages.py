"""The pages of the method: one template, a lesson in Markdown and reference in each language."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from roofline_app.page.markup import METHOD, scriptless_page
from roofline_app.page.method import numbers
from roofline_app.page.method.drawings import DRAWINGS, colours
from roofline_app.text import FALLBACK, LANGUAGES, language_name, language_tag, sentence

GLOSSARY = (
    "token", "pass", "step", "draft_length", "verify", "round", "acceptance", "tokens_per_round", "best", "toy_model",
    "mtp", "block", "expert", "published", "roofline",
)  # fmt: skip
POST = "examples/post.html"
_FIELD = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_PLACE = re.compile(r"<p>\{\{(\w+)(?::(\w+))?\}\}</p>|\{\{(\w+)\}\}")
_FOLD = re.compile(r"<p>::: (.+?)</p>")


def method_name(language: str) -> str:
    """Return the name of the page in a language."""
    return METHOD if language == FALLBACK else METHOD.replace(".", f"-{language}.")


METHOD_PAGES = tuple(method_name(language) for language in LANGUAGES)


def method_pages(static: Path, folder: str) -> dict[str, str]:
    """Return the pages by name, in each language that has a lesson.

    Args:
        static: Folder of what the browser gets besides Python.
        folder: Where the site has its styles, relative to the page.
    """
    written = [language for language in LANGUAGES if (static / "method" / f"{language}.md").is_file()]
    return {method_name(one): scriptless_page(_page(static, one, written), folder) for one in written}


def _page(static: Path, language: str, written: Sequence[str]) -> str:
    source = static / "method"
    words = {
        **tomllib.loads((source / f"{FALLBACK}.toml").read_text(encoding="utf-8")),
        **tomllib.loads((source / f"{language}.toml").read_text(encoding="utf-8")),
    }
    told = numbers.values()
    lesson = _FIELD.sub(lambda name: told[name[1]], (source / f"{language}.md").read_text(encoding="utf-8"))
    details = (source / f"details-{language}.html").read_text(encoding="utf-8")
    parts = {
        "tag": language_tag(language),
        "title": escape(words["title"]),
        "description": escape(words["description"]),
        "colours": colours(),
        "other": " ".join(_link_to(one) for one in written if one != language),
        "lesson": _PLACE.sub(lambda place: _placed(static, words, language, place), _rendered(lesson)),
        "details": details,
        "footer": _footer(words),
    }
    template = (static / METHOD).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], template)


def _link_to(language: str) -> str:
    tag, name = language_tag(language), escape(language_name(language))
    return f'<a class="quiet" href="{method_name(language)}" hreflang="{tag}" lang="{tag}">{name}</a>'


def _footer(words: Mapping[str, str]) -> str:
    links = [
        f'<a href="{address}">{escape(words[name])}</a>'
        for address, name in (("./", "footer_calculator"), (POST, "footer_post"))
    ]
    return f"<p>{' · '.join(links)}</p>"


def _rendered(lesson: str) -> str:
    """Return a lesson's Markdown as HTML, in sections; its answers are folded."""
    text = MarkdownIt("commonmark", {"html": False}).render(lesson)
    text = re.sub(r"<blockquote>\n<p>(.*?)</p>\n</blockquote>", r'<p class="formula">\1</p>', text, flags=re.DOTALL)
    text = _FOLD.sub(r"<details><summary>\1</summary>", text).replace("<p>:::</p>", "</details>")
    first, *others = text.split("<h2>")
    return "\n".join([first, *(f"<section><h2>{part}</section>" for part in others)])


def _placed(static: Path, words: Mapping[str, str], language: str, place: re.Match[str]) -> str:
    """Return what takes the place of a line in double braces."""
    kind, name = place[1] or place[3], place[2] or ""
    if kind == "drawing":
        return DRAWINGS[name](words)
    if kind == "words":
        return _glossary(language)
    if kind == "errors":
        return _errors(static, words)
    rows = {"lengths": numbers.length_rows, "batches": numbers.batch_rows}[name]()
    caption = words[f"{name}_caption"].format(**numbers.values())
    return _table(caption, words[f"{name}_head"].split("|"), rows)


def _glossary(language: str) -> str:
    entries = "".join(
        f'<dt id="word-{one}">{escape(sentence(f"glossary.{one}_word", language))}</dt>'
        f"<dd>{escape(sentence(f'glossary.{one}', language))}</dd>"
        for one in GLOSSARY
    )
    return f'<dl class="words">{entries}</dl>'


def _errors(static: Path, words: Mapping[str, str]) -> str:
    with (static / "method" / "errors.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = list(csv.reader(file))
    named = [[words[f"errors_{quantity}"], *cells] for quantity, *cells in rows]
    return _table(words["errors_caption"], words["errors_head"].split("|"), named)


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' if cell else "<td></td>" for cell in head)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for first, *cells in rows
    )
    said = escape(caption)
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{said}"><table class="figures">'
        f"<caption>{said}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )
