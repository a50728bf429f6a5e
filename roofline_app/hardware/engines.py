"""Serving engines and their names for things: entries of `data/engines.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from roofline_app.hardware.parallelism import DEFAULT_LAYOUT, Layout
from roofline_app.specs.checks import require, require_date, require_text

FLAGS = (
    "model",
    "batch",
    "context",
    "load_format",
    "bench_model",
    "bench_input",
    "bench_output",
    "bench_prompts",
    "bench_concurrency",
    "bench_file",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSpec:
    """A serving engine's command line.

    Attributes:
        id: Key of the entry.
        name: Name as people write it.
        version: What the names were checked against.
        checked: When.
        sources: Where the names and their meanings are stated.
        serve: Words that start a server; the model follows.
        bench: Words that start the engine's own benchmark client with random token ids.
        layouts: Words that share the model over the GPUs, by layout; `{gpus}` stands for their number. A layout
            without an entry cannot be asked for.
        layout_options: Lines of the engine's file of options that a layout needs besides, by layout.
        flags: The engine's name of each common argument (`FLAGS`); an empty `model` means that it has no flag.
        speculation: Names that only this engine's speculative decoding has, by what they mean here; how it runs a
            kind of drafter stands with the kind.
        results: Name of the file that the benchmark writes.
        cautions: What to know of its forced acceptance: keys of sentences on flags.
    """

    id: str
    name: str
    version: str
    checked: str
    sources: tuple[str, ...]
    serve: tuple[str, ...]
    bench: tuple[str, ...]
    layouts: Mapping[str, Sequence[str]]
    layout_options: Mapping[str, Sequence[str]]
    flags: Mapping[str, str]
    speculation: Mapping[str, str]
    results: str
    cautions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no engine can be."""
        require_text(self, "name", "version")
        require_date(self)
        missing = [name for name in FLAGS if name not in self.flags]
        require(not missing, "flags", f"must name {', '.join(missing)}")
        linked = bool(self.sources) and all(source.startswith("https://") for source in self.sources)
        require(linked, "sources", "must be https addresses")
        known = Layout.TENSOR in self.layouts and {*self.layouts, *self.layout_options} <= set(Layout)
        require(known, "layouts", "must be some of the layouts, tensor parallel among them")

    def shared(self, layout: str) -> str:
        """Return the layout that the engine can be asked for: the one given, else tensor parallel."""
        return layout if layout in self.layouts else DEFAULT_LAYOUT.value

    def layout_words(self, layout: str, gpus: int) -> list[object]:
        """Return the words that share the model over so many GPUs.

        Args:
            layout: One of `layouts`.
            gpus: GPUs of the node.
        """
        return [word.format(gpus=gpus) for word in self.layouts[layout if gpus > 1 else DEFAULT_LAYOUT.value]]
