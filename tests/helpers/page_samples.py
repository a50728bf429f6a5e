"""Settings that the page's tests look at, and what its figures hold."""

from functools import cache
from typing import Any

from bokeh.models import ColumnDataSource

from roofline_app.evaluation import evaluate
from roofline_app.page.figures.look import Look, Shown
from roofline_app.page.page import Page
from roofline_app.query import decode
from roofline_app.results import Evaluation

HOSTILE = "<img src=x onerror=alert(1)>"
HOSTILE_LINK = "drafter=mtp,name=%253Cimg%2520src%253Dx%2520onerror%253Dalert(1)%253E&batch=%3Cscript%3E"
TOO_LARGE = "model=llama-3.1-8b&gpu=l4&gpus=1&batch=4096&context=8192"
CONFIG = {
    "model_type": "qwen3",
    "hidden_size": 1024,
    "num_hidden_layers": 28,
    "num_attention_heads": 16,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 3072,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}


@cache
def evaluation_of(link: str) -> Evaluation:
    """Return the evaluation of a link without notices."""
    decoded = decode(link)
    assert not decoded.notices
    return evaluate(decoded.scenario)


def shown_of(link: str, language: str = "en") -> Shown:
    """Return what figures show of a link without notices."""
    return Shown(evaluation=evaluation_of(link), look=Look(language=language))


def chart(page: Page, name: str) -> Any:
    """Return what BokehJS draws of a figure."""
    return page.drawing.charts[name]


def work_out(page: Page, figure: str) -> int:
    """Show a figure and let the page work out all its pieces, as the browser does; return how many they were."""
    page.handle("show", {"figure": figure, "visible": True})
    pieces = 0
    while page.state()["pending"][figure]["waits"]:
        page.handle("advance", {"figure": figure, "revision": page.state()["pending"][figure]["revision"]})
        pieces += 1
    return pieces


def source(page: Page, name: str) -> ColumnDataSource:
    """Return the page's source of a name."""
    found = [model for model in page.document.models if model.name == name and isinstance(model, ColumnDataSource)]
    assert len(found) == 1
    return found[0]
