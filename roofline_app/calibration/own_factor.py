"""One factor from a user's few own rows: how much slower their engine is than its profile says, and how sure that is.

Assumed: log(measured / predicted) of one engine, node, model and format is normal around 0 between such groups, with
the spread of groups that the fit never saw, and scatters within one. A mean of few rows is drawn towards 0 accordingly.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from roofline_app.calibration.fit.settings import own_scatter
from roofline_app.timing.profiles import SHARES, Calibration

# Nine tenths of a normal distribution lie within so many standard deviations.
NINTH_DECILE = 1.6449


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnFactor:
    """A factor on a profile's seconds.

    Attributes:
        factor: The likeliest.
        low: Nine tenths lie between this and `high`.
        high: See `low`.
        rows: Own rows that it rests on.
    """

    factor: float
    low: float
    high: float
    rows: int


def own_factor(ratios: Sequence[float], ninth_decile: float) -> OwnFactor:
    """Return the factor that a user's rows tell.

    Args:
        ratios: Measured over predicted seconds of each row.
        ninth_decile: |log| of such ratios that nine tenths of groups stay below whose rows the fit never saw.

    Returns:
        The mean of the posterior, and its nine tenths.

    Examples:
        Without a row, everything that was known before; with many, what they tell:

        >>> own_factor([], 0.2).factor
        1.0
        >>> round(own_factor([1.3] * 50, 0.2).factor, 2)
        1.3
    """
    spread, scatter, count = ninth_decile / NINTH_DECILE, own_scatter(), len(ratios)
    precision = 1.0 / spread**2 + count / scatter**2
    mean = sum(map(math.log, ratios)) / scatter**2 / precision
    width = NINTH_DECILE / math.sqrt(precision)
    return OwnFactor(factor=math.exp(mean), low=math.exp(mean - width), high=math.exp(mean + width), rows=count)


def scaled(constants: Calibration, factor: float) -> Calibration:
    """Return constants under which every pass takes so many times as long; shares reach no more than 1.

    Args:
        constants: A profile's.
        factor: On its seconds, above 0.
    """
    shares = {name: min(getattr(constants, name) / factor, 1.0) for name in SHARES}
    names = ("kernel", "pass", "sequence", "message", "round", "draft", "tree", "latent")
    seconds = {f"seconds_per_{name}": factor * getattr(constants, f"seconds_per_{name}") for name in names}
    return replace(constants, **shares, **seconds)
