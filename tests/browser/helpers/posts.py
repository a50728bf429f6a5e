"""Pages of others with embeds in them, and what the embeds show: the same in every browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from roofline_app import query
from roofline_app.evaluation import evaluate
from roofline_app.format import speedup
from roofline_app.site.file_server import in_background, server

WIDTHS = (320, 600, 1000)
THREE = (
    "preset=article&lang=en",
    "model=qwen3.5-27b&gpu=b200&gpus=1&batch=4&figure=batch&lang=en",
    "preset=loses&figure=time&controls=batch&lang=en",
)
RACE = "preset=122b-race&figure=race&lang=en"
RACE_POSTER = "posters/122b-race-race-light.svg"  # moves without any script
LEAKING = (
    "* { color: red !important; font-size: 40px !important } iframe { display: none !important } "
    "speculation-roofline { display: inline; height: 0 }"
)
HOST = """<!doctype html><link rel="icon" href="data:,"><style>{style}</style>
<body style="margin:0">{body}<script src="{base}embed.js" async></script>"""
LIVE = """() => {
  const all = [...document.querySelectorAll("speculation-roofline")];
  for (const one of all) one.scrollIntoView();
  return all.length > 0 && all.every((one) => one.shadowRoot?.querySelector(".live"));
}"""
PICTURES = "[...document.images].map(({ naturalWidth, naturalHeight }) => [naturalWidth, naturalHeight])"
# The host hears of a height after the embed has it.
SHOWN = """async () => {
  const root = document.documentElement;
  for (let tries = 0; tries < 100 && root.scrollHeight !== innerHeight; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { scrollHeight, scrollWidth, dataset } = root;
  const figures = [...document.querySelectorAll("[data-figure]:not([hidden])")];
  return {
    query: location.search.slice(1),
    origin: self.origin,
    python: dataset.python,
    headline: document.querySelector("[data-head=big]").textContent,
    notices: document.querySelector(".notices").textContent,
    figures: figures.map((one) => one.dataset.figure),
    plot: Math.min(...figures.map((one) => one.querySelector(".plot, .race").getBoundingClientRect().height)),
    rates: [...document.querySelectorAll(".race .rate")].map((one) => one.textContent),
    counts: [...document.querySelectorAll(".race .count")].map((one) => one.textContent),
    size: [scrollWidth, scrollHeight],
    frame: [innerWidth, innerHeight],
    font: getComputedStyle(document.querySelector("h2")).fontSize,
  };
}"""
LOWEST_PLOT_PIXELS = 100
LOWEST_PIXELS = 200


def post(
    base: str,
    links: Sequence[str] = THREE,
    widths: Sequence[int] = WIDTHS,
    attributes: str = "",
    pictures: Sequence[str] = (),
) -> str:
    """Return a page with an embed of each link, as wide as said; its styles try to leak into them.

    Args:
        base: Address of the site.
        links: Queries of the embeds.
        widths: Of the embeds, in pixels.
        attributes: Markup of each embed's own attributes.
        pictures: Addresses of the site's pictures below the embeds.
    """
    boxes = (
        f'<div style="width:{width}px"><speculation-roofline query="{link}" {attributes}></speculation-roofline></div>'
        for link, width in zip(links, widths, strict=False)
    )
    images = (f'<img src="{base}{picture}">' for picture in pictures)
    return HOST.format(style=LEAKING, body="".join([*boxes, *images]), base=base)


@contextmanager
def published(site: Path, folder: Path, **arguments: Any) -> Iterator[str]:
    """Serve a site, and on another site a post with embeds of it; yield the post's address."""
    running = [server(site), server(folder)]
    try:
        base, host = (in_background(one) for one in running)
        (folder / "post.html").write_text(post(base, **arguments), encoding="utf-8")
        yield host.replace("127.0.0.1", "localhost") + "post.html"
    finally:
        for one in running:
            one.shutdown()
            one.server_close()


def headline(link: str) -> str:
    """Return the number that a link's page says first."""
    return speedup(evaluate(query.decode(link).scenario).best_drafter.best.speedup)


def check(shown: dict[str, Any]) -> None:
    """Check what one embed of `post` shows: its own setting, as large as its frame, without the host's styles."""
    link = shown["query"]
    width = dict(zip((*THREE, RACE), (*WIDTHS, WIDTHS[0]), strict=True))[link]
    asked = parse_qs(link)
    assert shown["python"] == "ready"
    assert shown["notices"] == ""
    assert shown["headline"] == headline(link)
    assert shown["figures"] == asked.get("figure", ["speedup"])
    assert shown["plot"] > LOWEST_PLOT_PIXELS
    assert shown["size"] == shown["frame"]
    assert shown["frame"][0] == width
    assert shown["frame"][1] > LOWEST_PIXELS
    assert shown["font"] != "40px"
