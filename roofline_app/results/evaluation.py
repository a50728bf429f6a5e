"""Everything that follows from one scenario, as numbers and names; words about it are `verdict`'s."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from roofline_app.hardware.parallelism import LayoutFacts
from roofline_app.results.drafters import DrafterResult
from roofline_app.results.learning import Learning
from roofline_app.results.rates import BestByBatch, Economics, Payoff
from roofline_app.results.requests import EndToEnd
from roofline_app.results.target import Memory, ModelFacts, NodeFacts, Pass, ProfileFacts, Uncertainty
from roofline_app.scenario import Scenario


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Everything that follows from one scenario.

    Attributes:
        scenario: The choices that it follows from.
        model: The model at the chosen precision.
        node: The node.
        profile: The profile that times were computed under.
        uncertainty: How far measurements lie from such predictions; None under the ideal profile.
        layout: How the GPUs share the model, and why.
        memory: What fits.
        step: The target's pass with one query token.
        verify_one: The target's pass over a single draft token.
        drafters: One result per drafter line, in the scenario's order.
        best_by_batch: The same lines over batches.
        economics: Rates and prices.
        payoff: Of a trained drafter; None where no tokens per round after training are stated.
        learning: What training the best drafter further would earn; None where no learning curve is stated.
        end_to_end: Of whole requests; None where no prompt and output are stated.
    """

    scenario: Scenario
    model: ModelFacts
    node: NodeFacts
    profile: ProfileFacts
    uncertainty: Uncertainty | None
    layout: LayoutFacts
    memory: Memory
    step: Pass
    verify_one: Pass
    drafters: tuple[DrafterResult, ...]
    best_by_batch: BestByBatch
    economics: Economics
    payoff: Payoff | None
    learning: Learning | None = None
    end_to_end: EndToEnd | None = None

    @property
    def batch(self) -> int:
        """Sequences decoded together."""
        return self.scenario.batch

    @property
    def context(self) -> int:
        """Tokens in each sequence's cache."""
        return self.scenario.context

    @property
    def cap(self) -> int:
        """Longest draft considered."""
        return self.scenario.cap

    @property
    def best_drafter(self) -> DrafterResult:
        """The drafter that reaches the largest speedup; a hypothetical one only where there is no other."""
        return best_drafter(self.drafters)


def best_drafter(drafters: Sequence[DrafterResult]) -> DrafterResult:
    """Return the drafter that reaches the largest speedup; a hypothetical one only where there is no other."""
    real = [drafter for drafter in drafters if not drafter.hypothetical]
    return max(real or drafters, key=lambda drafter: drafter.best.speedup)
