"""Profiles: how far real engines fall short of the roofline. The ideal one does not.

A calibrated profile belongs to an engine and a family of accelerators. It holds fifteen constants, each with a meaning
and the same for every model, and the errors that they leave.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, fields

from roofline_app.specs.checks import require_date, require_number, require_source, require_text
from roofline_app.timing.evidence import Evidence

CALIBRATED, POOLED = "calibrated", "pooled"
# The engine of the article's measurements.
DEFAULT_ENGINE = "sglang"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The constants of a profile; the defaults are those of the roofline itself.

    Attributes:
        memory_bandwidth: Achieved share of the memory bandwidth, in (0, 1].
        emulated_bandwidth: The same for weights in a format that the accelerator does not compute in.
        state_bandwidth: The same for recurrent states.
        interconnect_bandwidth: Achieved share of the bandwidth between the GPUs of a node.
        matmul_peak: Achieved share of the peak FLOP/s while decoding and verifying.
        prefill_peak: The same in prefill passes, which stall everybody's decoding.
        grouped_matmul: Arithmetic of routed experts with few tokens each that their weight reads do not hide, in
            multiples of its own time.
        seconds_per_kernel: Start and tail of one kernel.
        seconds_per_pass: Host time of one pass of the target; a drafter's run in the round's.
        seconds_per_sequence: Sampling and bookkeeping of one sequence in one pass; in verifying, a further token of a
            sequence costs half of it.
        seconds_per_message: Latency of one collective operation between GPUs.
        seconds_per_round: Host time of one round of speculation.
        seconds_per_draft: What a draft pass takes besides its layers and head: embedding, positions, cache slots, the
            choice of tokens. The host starts all of a round's draft passes together.
        seconds_per_tree: What a round takes more where its drafts branch.
        seconds_per_latent: What one layer of latent attention takes besides its kernels.
    """

    memory_bandwidth: float = 1.0
    emulated_bandwidth: float = 1.0
    state_bandwidth: float = 1.0
    interconnect_bandwidth: float = 1.0
    matmul_peak: float = 1.0
    prefill_peak: float = 1.0
    grouped_matmul: float = 0.0
    seconds_per_kernel: float = 0.0
    seconds_per_pass: float = 0.0
    seconds_per_sequence: float = 0.0
    seconds_per_message: float = 0.0
    seconds_per_round: float = 0.0
    seconds_per_draft: float = 0.0
    seconds_per_tree: float = 0.0
    seconds_per_latent: float = 0.0

    def __post_init__(self) -> None:
        """Refuse shares outside (0, 1] and negative times."""
        require_number(self, *SHARES, above=0, most=1)
        require_number(self, *(field.name for field in fields(self) if field.name not in SHARES), least=0)


SHARES = (
    "memory_bandwidth",
    "emulated_bandwidth",
    "state_bandwidth",
    "interconnect_bandwidth",
    "matmul_peak",
    "prefill_peak",
)


IDEAL_CONSTANTS = Calibration()


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """Errors that a profile leaves on the rows of one model, relative and absolute in sign.

    Attributes:
        model: Registry id.
        quantity: `step` (seconds per token of plain decoding) or `speedup` (of speculation).
        rows: Measured rows.
        median: Median error of the fitted constants.
        ninth_decile: Error that nine tenths of the rows stay below.
        unseen_median: Median error of constants fitted without any row of this model.
        unseen_ninth_decile: Error that nine tenths stay below then.
        unseen_worst: The largest |log(predicted / measured)| then.
    """

    model: str
    quantity: str
    rows: int
    median: float
    ninth_decile: float
    unseen_median: float
    unseen_ninth_decile: float
    unseen_worst: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """How far a real system falls short of the roofline. The ideal one does not.

    Attributes:
        id: Key of the entry.
        name: Name as shown.
        description: One line that says what is assumed.
        source: Where the constants come from.
        engine: Serving engine that it was fitted on; empty for the ideal profile and for the pooled one.
        family: Family of accelerators, as `GpuSpec.family`; empty for the ideal profile and for the pooled one.
        constants: The fitted constants; those of the roofline itself for the ideal profile.
        rows: Measured rows of this very engine and family; 0 where its constants are drawn from the others.
        fitted: ISO date of the fit; empty for the ideal profile.
        errors: What is left, by model.
        evidence: Kinds of measured rows behind it, at most one entry for each quantity.
    """

    id: str
    name: str
    description: str
    source: str = ""
    engine: str = ""
    family: str = ""
    constants: Calibration = IDEAL_CONSTANTS
    rows: int = 0
    fitted: str = ""
    errors: tuple[Remaining, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    def __post_init__(self) -> None:
        """Reject an entry without a summary, and constants without a date."""
        require_text(self, "id", "name", "description")
        require_source(self)
        if self.is_calibrated:
            require_date(self, "fitted")

    @property
    def is_calibrated(self) -> bool:
        """Whether its constants were fitted on measurements."""
        return self.constants != IDEAL_CONSTANTS


def matching_profile(ids: Container[str], *, family: str, engine: str) -> str:
    """Return the id of the calibrated profile that comes closest to an accelerator and an engine.

    Args:
        ids: The profiles that there are.
        family: The accelerator's family; may be empty or one without measurements.
        engine: The engine; empty for the article's.

    Returns:
        The engine's profile on this family, else the pooled one.
    """
    wanted = profile_id(engine or DEFAULT_ENGINE, family)
    return wanted if wanted in ids else POOLED


def profile_id(engine: str, family: str) -> str:
    """Return the id of an engine's profile on a family of accelerators."""
    return f"{engine}-{family}"
