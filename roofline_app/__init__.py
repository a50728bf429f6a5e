"""When does speculative decoding pay, and how long should the draft be?

The public library: numpy only, no page. `evaluate(Scenario(...))` gives what the page shows; the functions below it
(`work`, `pass_time`, `tokens_per_round`, `speedup`) broadcast over arrays and take numbers, not ids.

Examples in their docstrings assume `from roofline_app import *` and `import numpy as np`.
"""

from roofline_app.evaluation import adaptive as adaptive, evaluate as evaluate, need as need, schedule as schedule
from roofline_app.evaluation.planning import nodes as nodes
from roofline_app.evaluation.sweeps import sweep as sweep
from roofline_app.export import as_json as as_json
from roofline_app.flags import serving_flags as serving_flags
from roofline_app.model.config_json import ConfigError as ConfigError, read_config as read_config
from roofline_app.model.terms import (
    Cache as Cache,
    Experts as Experts,
    Layer as Layer,
    Projection as Projection,
    Reach as Reach,
    Recurrence as Recurrence,
    Transformer as Transformer,
)
from roofline_app.query import decode as decode, encode as encode
from roofline_app.results import Adaptive as Adaptive, Evaluation as Evaluation, Need as Need, Schedule as Schedule
from roofline_app.results.nodes import Nodes as Nodes
from roofline_app.scenario import (
    AcceptanceLength as AcceptanceLength,
    ConstantAcceptance as ConstantAcceptance,
    Drafter as Drafter,
    DrafterSizes as DrafterSizes,
    Hardware as Hardware,
    LoadPart as LoadPart,
    MeasuredAcceptance as MeasuredAcceptance,
    MixedAcceptance as MixedAcceptance,
    MixPart as MixPart,
    NodeRange as NodeRange,
    NodeSearch as NodeSearch,
    Presentation as Presentation,
    Scenario as Scenario,
    SurvivalRates as SurvivalRates,
    Target as Target,
    Weights as Weights,
)
from roofline_app.specs import (
    FormatSpec as FormatSpec,
    GpuSpec as GpuSpec,
    Node as Node,
    Precision as Precision,
    SpecError as SpecError,
)
from roofline_app.speculation.acceptance import (
    acceptance_of_length as acceptance_of_length,
    constant_survival as constant_survival,
    falling_survival as falling_survival,
    listed_survival as listed_survival,
    raised_survival as raised_survival,
    tokens_per_round as tokens_per_round,
)
from roofline_app.speculation.drafting import (
    Round as Round,
    physical_drafting_seconds as physical_drafting_seconds,
    relative_drafting_seconds as relative_drafting_seconds,
)
from roofline_app.speculation.speedup import best_draft_tokens as best_draft_tokens, speedup as speedup
from roofline_app.speculation.timeline import race as race, replay as replay
from roofline_app.timing.experts import distinct_experts as distinct_experts
from roofline_app.timing.pass_time import pass_time as pass_time
from roofline_app.timing.roofline import Roof as Roof, node_roof as node_roof
from roofline_app.timing.workload import (
    Routing as Routing,
    experts_touched as experts_touched,
    pass_tokens as pass_tokens,
    work as work,
)
from roofline_app.verdict import Answer as Answer, answer as answer
