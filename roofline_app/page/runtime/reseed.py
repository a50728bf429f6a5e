"""Fresh randomness and the user's time zone for an interpreter that was restored from memory."""

from __future__ import annotations

import random
import sys
import time

_SECONDS_PER_MINUTE = 60
_MINUTES_PER_HOUR = 60


def reseed(winter_minutes: int, summer_minutes: int) -> None:
    """Draw new randomness and set the user's time zone.

    Args:
        winter_minutes: Minutes from local time to UTC in January.
        summer_minutes: The same in July.
    """
    random.seed()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    standard, daylight = max(winter_minutes, summer_minutes), min(winter_minutes, summer_minutes)
    time.timezone, time.altzone = standard * _SECONDS_PER_MINUTE, daylight * _SECONDS_PER_MINUTE
    time.daylight = int(standard != daylight)
    time.tzname = (zone_name(standard), zone_name(daylight))


def zone_name(minutes: int) -> str:
    """Return the name of a zone by its distance to UTC: UTC+0530 is 330 minutes before UTC."""
    sign = "-" if minutes > 0 else "+"
    hours, rest = divmod(abs(minutes), _MINUTES_PER_HOUR)
    return f"UTC{sign}{hours:02d}{rest:02d}"
