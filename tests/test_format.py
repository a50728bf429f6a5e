"""Numbers to text."""

import pytest

from roofline_app import format as fmt


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.984, "2.98×"), (1.0, "1.00×"), (0.5, "0.50×"), (123.4, "123×")],
)
def test_a_speedup_has_two_decimals_until_they_say_nothing(value: float, text: str) -> None:
    assert fmt.speedup(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.01234, "0.0123"), (5.5, "5.50"), (541.2, "541"), (12345.6, "12,300"), (float("inf"), "–")],
)
def test_significant_digits_are_kept_and_exponents_never_shown(value: float, text: str) -> None:
    assert fmt.significant(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(128, "128"), (4096, "4k"), (6144, "6k"), (1_048_576, "1M"), (5000, "5000"), (100_000, "100,000")],
)
def test_context_tokens_are_written_as_readers_say_them(value: int, text: str) -> None:
    assert fmt.tokens(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0055, "5.50 ms"), (8.12e-4, "812 µs"), (3.0, "3.00 s"), (2e-9, "2.00 ns"), (5e-10, "0.500 ns"), (0.0, "0 s")],
)
def test_a_duration_names_its_own_unit(value: float, text: str) -> None:
    assert fmt.seconds(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.1, "10%"), (0.755, "75.5%"), (0.0, "0%")])
def test_a_share_is_written_in_percent(value: float, text: str) -> None:
    assert fmt.percent(value) == text


def test_sizes_have_decimal_prefixes() -> None:
    assert fmt.bytes_(1.44e12) == "1.44 TB"
    assert fmt.bytes_(0.5) == "0.500 B"
    assert fmt.tick(5e11, "B") == "500 GB"
    assert fmt.tick(0, "B") == "0"
    assert fmt.tick(0.5, "B") == "0.5 B"


def test_small_prices_keep_two_digits() -> None:
    assert fmt.usd(2.391) == "$2.39"
    assert fmt.usd(0.00123) == "$0.0012"


def test_rates_are_whole_from_a_thousand_on() -> None:
    assert fmt.rate(541.26) == "541 tok/s"
    assert fmt.rate(12345.6) == "12,346 tok/s"


@pytest.mark.parametrize(("value", "text"), [(8.0, "8"), (0.75, "0.75"), (0.00001, "0.00001"), (2.5845, "2.5845")])
def test_a_box_shows_a_number_as_one_types_it(value: float, text: str) -> None:
    assert fmt.decimal(value) == text


def test_parameters_are_counted_in_billions() -> None:
    assert [fmt.parameters(count) for count in (474e6, 4.02e9, 1.6e12)] == ["474M", "4.02B", "1.60T"]
