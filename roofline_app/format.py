"""Numbers to text: the only place with scale factors and unit prefixes.

All prefixes are decimal, except that a power of two of context tokens is written the usual way: 4096 is `4k`.
"""

from __future__ import annotations

import math

SCALES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
SMALL_SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
BINARY_SCALES = ((1_048_576, "M"), (1024, "k"))
MICRO = 1e-6
GIGA = 1e9
TERA = 1e12
PERCENT = 100.0
LONGEST_PLAIN = 1e4


def significant(value: float, digits: int = 3) -> str:
    """Return a number with about this many significant digits, thousands separated, never in exponent form."""
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, decimals):,.{max(decimals, 0)}f}"


def speedup(value: float) -> str:
    """Return a ratio such as `2.98×`, or `123×` where two decimals would say nothing."""
    return f"{value:.2f}×" if abs(value) < PERCENT else f"{value:,.0f}×"


def count(value: float) -> str:
    """Return a whole number with thousands separated."""
    return f"{value:,.0f}"


def decimal(value: float) -> str:
    """Return a number as a user would type it, with at most six significant digits and no exponent."""
    if value == int(value) and abs(value) < TERA:
        return str(int(value))
    return f"{value:.6g}" if abs(value) >= 1 / LONGEST_PLAIN else f"{value:f}".rstrip("0")


def tokens(value: int) -> str:
    """Return a count of context tokens: `4k` for 4096, `1M` for 1048576, else the plain number."""
    for scale, suffix in BINARY_SCALES:
        if value >= scale and value % scale == 0:
            return f"{value // scale}{suffix}"
    return str(value) if value < LONGEST_PLAIN else count(value)


def percent(share: float) -> str:
    """Return a share in [0, 1] as percent, with a decimal where it matters."""
    scaled = share * PERCENT
    near_whole = abs(scaled - round(scaled)) < 1 / PERCENT
    return f"{scaled:.0f}%" if near_whole else f"{scaled:.1f}%"


def signed_percent(share: float) -> str:
    """Return a difference as whole percent with its sign: `+7%`, `−12%`."""
    return f"{round(share * PERCENT) + 0:+d}%".replace("-", "−")


def rate(tokens_per_second: float) -> str:
    """Return tokens per second."""
    return (
        f"{significant(tokens_per_second)} tok/s"
        if tokens_per_second < 1 / SMALL_SCALES[1][0]
        else (f"{count(tokens_per_second)} tok/s")
    )


def usd(value: float) -> str:
    """Return dollars, cents at least."""
    return f"${value:,.2f}" if value >= 1 / PERCENT else f"${significant(value, 2)}"


def seconds(value: float) -> str:
    """Return a duration with its own unit: `5.50 ms`."""
    for scale, unit in SMALL_SCALES:
        if value >= scale:
            return f"{significant(value / scale)} {unit}"
    return f"{significant(value / SMALL_SCALES[-1][0])} ns" if value > 0 else "0 s"


def scaled(value: float, unit: str, digits: int = 3) -> str:
    """Return a quantity with a decimal prefix: `1.44 TB`, `36 PFLOP/s`."""
    for scale, prefix in SCALES:
        if abs(value) >= scale:
            return f"{significant(value / scale, digits)} {prefix}{unit}"
    return f"{significant(value, digits)} {unit}"


def parameters(value: float) -> str:
    """Return a count of parameters in the usual form: `4.02B`."""
    return scaled(value, "").replace(" ", "").replace("G", "B")


def tick(value: float, unit: str) -> str:
    """Return a quantity as an axis names it: with a decimal prefix, without needless zeros."""
    scale, prefix = next((scale, prefix) for scale, prefix in (*SCALES, (0.0, "")) if abs(value) >= scale)
    return f"{value / (scale or 1.0):g} {prefix}{unit}" if value else "0"


def bytes_(value: float) -> str:
    """Return a size in decimal bytes."""
    return scaled(value, "B")
