"""The profile that a scenario names, and the routing that goes with it."""

from __future__ import annotations

from dataclasses import replace

from roofline_app import registry
from roofline_app.scenario import Scenario
from roofline_app.timing.profiles import CALIBRATED, DEFAULT_ENGINE, Calibration, Profile, matching_profile
from roofline_app.timing.workload import INDEPENDENT, Routing


def resolved_profile(scenario: Scenario) -> Profile:
    """Return the profile that a scenario names: by its id, or the calibrated one closest to GPU and engine.

    Raises:
        SpecError: When the id is unknown.
    """
    name = scenario.profile
    if name == CALIBRATED:
        family = registry.gpu(scenario.gpu).family
        name = matching_profile(registry.profile_ids(), family=family, engine=scenario.engine)
    profile = registry.profile(name)
    if scenario.kernels == "launched" or not profile.is_calibrated:
        return profile
    return replace(profile, constants=_unlaunched(profile.constants))


def _unlaunched(constants: Calibration) -> Calibration:
    """Return constants of an engine that starts a whole pass at once."""
    return replace(
        constants, seconds_per_kernel=0.0, seconds_per_pass=0.0, seconds_per_draft=0.0, seconds_per_latent=0.0
    )


def engine_of(scenario: Scenario, profile: Profile) -> str:
    """Return the engine that a calibrated profile stands for: its own, else the user's, else the article's."""
    return profile.engine or scenario.engine or DEFAULT_ENGINE


def resolved_routing(scenario: Scenario, profile: Profile) -> Routing:
    """Return the routing of tokens to experts; calibrated constants were fitted with experts as counted."""
    if scenario.experts == "independent" and not profile.is_calibrated:
        return replace(INDEPENDENT, imbalance=scenario.imbalance)
    spec = registry.routings()["correlated"]
    return Routing(
        sequence_exponent=spec.sequence_exponent, batch_exponent=spec.batch_exponent, imbalance=scenario.imbalance
    )
