"""The results: one frozen value per block of the published JSON, field for field, units in the names."""

from roofline_app.results.adaptive import (
    Adaptive as Adaptive,
    DrafterAdaptive as DrafterAdaptive,
    VerifiedRounds as VerifiedRounds,
)
from roofline_app.results.drafters import (
    Best as Best,
    DrafterResult as DrafterResult,
    DraftTree as DraftTree,
    Floats as Floats,
    Integers as Integers,
    MeasuredFrom as MeasuredFrom,
    MixPartResult as MixPartResult,
    MixResult as MixResult,
    PhysicalDrafter as PhysicalDrafter,
    RelaxedAcceptance as RelaxedAcceptance,
    SeparatePlacement as SeparatePlacement,
)
from roofline_app.results.evaluation import (
    Evaluation as Evaluation,
    best_drafter as best_drafter,
)
from roofline_app.results.learning import (
    Learning as Learning,
    LearningPoint as LearningPoint,
)
from roofline_app.results.need import (
    DrafterNeed as DrafterNeed,
    Need as Need,
    NeededAcceptance as NeededAcceptance,
)
from roofline_app.results.rates import (
    BestByBatch as BestByBatch,
    DrafterByBatch as DrafterByBatch,
    Economics as Economics,
    Payoff as Payoff,
    Rates as Rates,
    RatesByBatch as RatesByBatch,
    VerifyByBatch as VerifyByBatch,
)
from roofline_app.results.requests import (
    EndToEnd as EndToEnd,
    RequestRates as RequestRates,
)
from roofline_app.results.schedule import (
    DrafterSchedule as DrafterSchedule,
    Schedule as Schedule,
    ScheduleLosses as ScheduleLosses,
    ScheduleRange as ScheduleRange,
    ScheduleRow as ScheduleRow,
    ScheduleSpeedups as ScheduleSpeedups,
)
from roofline_app.results.target import (
    Bound as Bound,
    Component as Component,
    Memory as Memory,
    MemoryParts as MemoryParts,
    ModelFacts as ModelFacts,
    NodeFacts as NodeFacts,
    Pass as Pass,
    ProfileFacts as ProfileFacts,
    Uncertainty as Uncertainty,
)
