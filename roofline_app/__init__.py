"""When does speculative decoding pay, and how long should the draft be?

The public library: numpy only, no page. `evaluate(Scenario(...))` gives what the page shows; the functions below it
(`work`, `pass_time`, `tokens_per_round`, `speedup`) broadcast over arrays and take numbers, not ids.
"""

from roofline_app.acceptance import (
    acceptance_of_length as acceptance_of_length,
)
from roofline_app.acceptance import (
    constant_survival as constant_survival,
)
from roofline_app.acceptance import (
    listed_survival as listed_survival,
)
from roofline_app.acceptance import (
    tokens_per_round as tokens_per_round,
)
from roofline_app.blocks import (
    Cache as Cache,
)
from roofline_app.blocks import (
    Experts as Experts,
)
from roofline_app.blocks import (
    Layer as Layer,
)
from roofline_app.blocks import (
    Projection as Projection,
)
from roofline_app.blocks import (
    Reach as Reach,
)
from roofline_app.blocks import (
    Recurrence as Recurrence,
)
from roofline_app.blocks import (
    Transformer as Transformer,
)
from roofline_app.config_json import ConfigError as ConfigError
from roofline_app.config_json import read_config as read_config
from roofline_app.drafting import relative_drafting_seconds as relative_drafting_seconds
from roofline_app.evaluation import evaluate as evaluate
from roofline_app.query import decode as decode
from roofline_app.query import encode as encode
from roofline_app.report import as_json as as_json
from roofline_app.results import Evaluation as Evaluation
from roofline_app.roofline import Roof as Roof
from roofline_app.roofline import node_roof as node_roof
from roofline_app.roofline import pass_time as pass_time
from roofline_app.scenario import (
    AcceptanceLength as AcceptanceLength,
)
from roofline_app.scenario import (
    ConstantAcceptance as ConstantAcceptance,
)
from roofline_app.scenario import (
    Drafter as Drafter,
)
from roofline_app.scenario import (
    Hardware as Hardware,
)
from roofline_app.scenario import (
    Presentation as Presentation,
)
from roofline_app.scenario import (
    Scenario as Scenario,
)
from roofline_app.scenario import (
    SurvivalRates as SurvivalRates,
)
from roofline_app.scenario import (
    Weights as Weights,
)
from roofline_app.specs import (
    FormatSpec as FormatSpec,
)
from roofline_app.specs import (
    GpuSpec as GpuSpec,
)
from roofline_app.specs import (
    Node as Node,
)
from roofline_app.specs import (
    Precision as Precision,
)
from roofline_app.specs import (
    SpecError as SpecError,
)
from roofline_app.speculation import best_draft_tokens as best_draft_tokens
from roofline_app.speculation import speedup as speedup
from roofline_app.workload import (
    distinct_experts as distinct_experts,
)
from roofline_app.workload import (
    experts_touched as experts_touched,
)
from roofline_app.workload import (
    pass_tokens as pass_tokens,
)
from roofline_app.workload import (
    work as work,
)
