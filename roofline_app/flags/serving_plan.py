"""A plan of what to serve and to measure: one drafter within an engine's limits, without any engine's names."""

from __future__ import annotations

from dataclasses import dataclass, replace

from roofline_app import registry
from roofline_app.flags.checkpoints import attention_heads, model_checkpoint, model_facts
from roofline_app.flags.drafts import Drafting, Drafts, best_drafts
from roofline_app.flags.lengths import Lengths, scenario_lengths
from roofline_app.hardware.engines import EngineSpec
from roofline_app.hardware.parallelism import Layout
from roofline_app.model.dimensions import ModelSpec, Moe
from roofline_app.resolved import recipe_layout
from roofline_app.resolved.models import model_spec
from roofline_app.scenario import Scenario
from roofline_app.specs import GpuSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A serving plan, in no engine's words.

    Attributes:
        model: Repository of the checkpoint, or `MODEL`.
        remote_code: Whether that repository holds code that engines run only when told to.
        heads: Query heads of the model's attention, 0 where it has none.
        experts: Routed experts of one layer, 0 for a dense model.
        next_token: Whether the model's config states layers that predict further tokens.
        gpu: The accelerator.
        gpus: How many share the model.
        hosts: Machines that these are in.
        asked_layout: How they would share it.
        layout: How they do, as far as the engine can be asked for it.
        batch: Sequences decoded together.
        kv: Format of the cache, `published` for the checkpoint's own.
        lengths: Of a measured sequence.
        drafts: What is drafted; None where nothing is.
        drafting: What the engine makes of all drafter lines.
        most_tokens: Tokens that a sequence has in a pass, the longest draft of any batch among them; also of the
            server without speculation, so that the two differ in nothing else.
    """

    model: str
    remote_code: bool
    heads: int
    experts: int
    next_token: bool
    gpu: GpuSpec
    gpus: int
    hosts: int
    asked_layout: str
    layout: str
    batch: int
    kv: str
    lengths: Lengths
    drafts: Drafts | None
    drafting: Drafting
    most_tokens: int

    @property
    def ranks(self) -> int:
        """Data-parallel ranks."""
        return data_ranks(self.layout, self.gpus)

    @property
    def rank_batch(self) -> int:
        """Sequences of one data-parallel rank."""
        return -(-self.batch // self.ranks)

    @property
    def tensor_parallel(self) -> int:
        """GPUs that share one sequence's attention."""
        return self.gpus // self.ranks

    @property
    def host_gpus(self) -> int:
        """GPUs of one host."""
        return self.gpus // self.hosts

    @property
    def plain(self) -> Plan:
        """The same without speculation."""
        return replace(self, drafts=None)

    @property
    def fixed(self) -> Plan:
        """The same with this batch's draft length at every batch."""
        drafts = self.drafts
        return replace(self, drafts=drafts and replace(drafts, ranges=((1, self.batch, drafts.draft_tokens),)))


def data_ranks(layout: str, gpus: int) -> int:
    """Return the data-parallel ranks of a layout."""
    return gpus if Layout(layout).splits_sequences else 1


def hosts_of(gpu: GpuSpec, gpus: int) -> int:
    """Return the fewest hosts that share GPUs evenly, each with no more than it has."""
    most = gpu.gpus_per_host
    return next(hosts for hosts in range(1, gpus + 1) if gpus % hosts == 0 and gpus // hosts <= most)


def experts_of(spec: ModelSpec) -> int:
    """Return the routed experts of a model's layers, 0 for a dense model."""
    blocks = (group.feed_forward for group in spec.dimensions.layers)
    return next((block.experts for block in blocks if isinstance(block, Moe)), 0)


def _in_layout(scenario: Scenario, layout: str) -> Scenario:
    """Return the scenario as it is served: where its own layout cannot be, its lengths are those of the served one."""
    chosen = scenario.layout not in {"", Layout.EVEN.value, layout}
    return replace(scenario, layout=layout) if chosen else scenario


def plan(scenario: Scenario, engine: EngineSpec, drafter: int | None = None) -> Plan:
    """Return the serving plan of a scenario on an engine.

    Args:
        scenario: The setting.
        engine: The engine; its limits bound the draft length.
        drafter: Position of a drafter line; None takes the line that gains most on this engine.

    Returns:
        The plan; without a drafter where none can be served on this engine or none gains.

    Raises:
        SpecError: When an id is unknown or a custom config cannot be read.
    """
    spec = model_spec(scenario.model, scenario.config)
    experts, told = experts_of(spec), model_facts(scenario)
    asked = scenario.layout or recipe_layout(scenario, engine.id).value
    layout = engine.shared(asked, experts=experts > 0)
    served = _in_layout(scenario, layout)
    drafting = best_drafts(served, engine, layout, data_ranks(layout, scenario.gpus), drafter)
    drafts = drafting.drafts
    gpu = registry.gpu(scenario.gpu)
    return Plan(
        model=drafts.target if drafts and drafts.target else model_checkpoint(scenario),
        remote_code=told is not None and told.remote_code,
        heads=attention_heads(spec.dimensions),
        experts=experts,
        next_token=spec.dimensions.next_token is not None,
        gpu=gpu,
        gpus=scenario.gpus,
        hosts=hosts_of(gpu, scenario.gpus),
        asked_layout=asked,
        layout=layout,
        batch=scenario.batch,
        kv=scenario.kv,
        lengths=scenario_lengths(
            scenario,
            limit=spec.max_context_tokens,
            draft_tokens=drafts.draft_tokens if drafts else 0,
            memory=drafting.memory,
        ),
        drafts=drafts,
        drafting=drafting,
        most_tokens=1 + (drafts.most_tokens if drafts else 0),
    )
