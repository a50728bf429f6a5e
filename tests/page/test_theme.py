"""Colours: what is written on them can be read."""

import pytest

from roofline_app.page.theme import PALETTES, ramp, readable


def _luminance(colour: str) -> float:
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("step", range(11))
def test_numbers_can_be_read_on_every_colour_of_the_map(theme: str, step: int) -> None:
    colour = ramp(PALETTES[theme].ramp, step / 10)
    assert _contrast(colour, readable(colour)) >= 4.5


@pytest.mark.parametrize("theme", PALETTES)
def test_a_ramp_runs_from_one_end_to_the_other(theme: str) -> None:
    ends = PALETTES[theme].ramp
    assert (ramp(ends, 0.0), ramp(ends, 1.0)) == ends
