"""Serving engines and their names for things: entries of `data/engines.toml`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from roofline_app.hardware.engine_limits import EngineLimits
from roofline_app.hardware.parallelism import DEFAULT_LAYOUT, Layout
from roofline_app.specs.checks import require, require_date, require_text

FLAGS = (
    "model",
    "batch",
    "context",
    "load_format",
    "remote_code",
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
        package: Name of the package that installs it.
        version: What the names were checked against.
        checked: When.
        vendors: Makers of the accelerators that it runs on itself.
        sources: Where the names and their meanings are stated.
        serve: Words that start a server; the model follows.
        launch: Words before these where the model spans hosts.
        bench: Words that start the engine's own benchmark client with random token ids.
        bench_save: Words that have the client write its file.
        bench_remote_code: Words that let the client run code of the model's repository; empty where it always does.
        layouts: Words that share the model over the GPUs, by layout; `{gpus}` stands for their number. A layout
            without an entry cannot be asked for.
        layout_options: Lines of the engine's file of options that a layout needs besides, by layout.
        for_experts: Layouts that only a model with routed experts can be asked for.
        batch_per_rank: Whether the batch counts the sequences of one data-parallel rank, not of all.
        hosts: Words that span hosts, as the first one gets them, by layout: `{hosts}`, `{gpus}` of a host, `{first}`,
            the first rank on this host, and `{rank}`, the host's own number.
        further_hosts: Words in which the other hosts' commands differ, by layout.
        cache: Words that store the cache in a format, by format.
        cache_options: Lines of the engine's file of options for the same.
        limits: What it does by itself up to some size only.
        flags: The engine's name of each common argument (`FLAGS`); an empty `model` means that it has no flag.
        speculation: Names that only this engine's speculative decoding has, by what they mean here; how it runs a
            kind of drafter stands with the kind.
        results: Name of the file that the benchmark writes.
        plain_results: Name of that of the server without speculation, where the client writes over what is there.
        cautions: What to know of its forced acceptance: keys of sentences on flags.
    """

    id: str
    name: str
    package: str
    version: str
    checked: str
    vendors: tuple[str, ...]
    sources: tuple[str, ...]
    serve: tuple[str, ...]
    bench: tuple[str, ...]
    layouts: Mapping[str, Sequence[str]]
    layout_options: Mapping[str, Sequence[str]]
    hosts: Mapping[str, Sequence[str]]
    further_hosts: Mapping[str, Sequence[str]]
    cache: Mapping[str, Sequence[str]]
    cache_options: Mapping[str, Sequence[str]]
    limits: EngineLimits
    flags: Mapping[str, str]
    speculation: Mapping[str, str]
    results: str
    plain_results: str = ""
    launch: tuple[str, ...] = ()
    bench_save: tuple[str, ...] = ()
    bench_remote_code: tuple[str, ...] = ()
    for_experts: tuple[str, ...] = ()
    batch_per_rank: bool = False
    cautions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no engine can be."""
        require_text(self, "name", "package", "version")
        require_date(self)
        missing = [name for name in FLAGS if name not in self.flags]
        require(not missing, "flags", f"must name {', '.join(missing)}")
        linked = bool(self.sources) and all(source.startswith("https://") for source in self.sources)
        require(linked, "sources", "must be https addresses")
        known = Layout.TENSOR in self.layouts and {*self.layouts, *self.layout_options} <= set(Layout)
        require(known, "layouts", "must be some of the layouts, tensor parallel among them")
        require(set(self.for_experts) <= set(self.layouts), "for_experts", "must be some of the layouts")
        require({*self.hosts} == {*self.layouts}, "hosts", "must name every layout")
        require({*self.further_hosts} <= {*self.layouts}, "further_hosts", "must be some of the layouts")
        require(not {*self.cache} & {*self.cache_options}, "cache", "repeats what stands in cache_options")

    def shared(self, layout: str, *, experts: bool = True) -> str:
        """Return the layout that the engine can be asked for: the one given, else tensor parallel.

        Args:
            layout: One of `Layout`.
            experts: Whether the model has routed experts.
        """
        if not experts and layout in self.for_experts:
            attention = layout.partition("+")[0]
            dense = f"{attention}+tp" if Layout(layout).splits_sequences else attention
            return dense if dense in self.layouts and dense not in self.for_experts else DEFAULT_LAYOUT.value
        return layout if layout in self.layouts else DEFAULT_LAYOUT.value

    def layout_words(self, layout: str, gpus: int) -> list[object]:
        """Return the words that share the model over so many GPUs.

        Args:
            layout: One of `layouts`.
            gpus: GPUs of the node.
        """
        return [word.format(gpus=gpus) for word in self.layouts[layout if gpus > 1 else DEFAULT_LAYOUT.value]]

    def host_words(self, layout: str, hosts: int, gpus: int, rank: int) -> list[object]:
        """Return the words that span hosts; none for one host.

        Args:
            layout: One of `layouts`.
            hosts: Hosts that share the model.
            gpus: GPUs of one host.
            rank: Number of the host, from 0; of further ones, the words in which they differ.
        """
        words = (self.further_hosts if rank else self.hosts).get(layout, ()) if hosts > 1 else ()
        return [word.format(hosts=hosts, gpus=gpus, first=rank * gpus, rank=rank) for word in words]
