"""Settings that the page's tests look at, and what its figures hold."""

from functools import cache

from bokeh.models import ColumnDataSource

from roofline_app.evaluation import evaluate
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


def source(page: Page, name: str) -> ColumnDataSource:
    """Return the page's source of a name."""
    found = [model for model in page.document.models if model.name == name and isinstance(model, ColumnDataSource)]
    assert len(found) == 1
    return found[0]
