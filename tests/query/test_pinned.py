"""Links with several pinned settings, and with a layout that is not modelled."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from roofline_app.query import decode, encode


def test_up_to_three_settings_are_pinned_in_order_and_a_fourth_is_named() -> None:
    pins = ["batch=1", "batch=2", "gpus=4", "gpus=2"]
    decoded = decode("&".join(f"compare={quote(pin)}" for pin in pins))
    assert decoded.scenario.pinned == tuple(encode(decode(pin).scenario) for pin in pins[:3])
    assert [(notice.key, notice.given) for notice in decoded.notices] == [("compare", "gpus=2")]
    again = decode(encode(decoded.scenario))
    assert again.scenario == decoded.scenario
    assert not again.notices


@pytest.mark.parametrize("layout", ["pp", "tp%2Bpp", "PP2"])
def test_pipeline_parallelism_is_named_as_not_modelled(layout: str) -> None:
    decoded = decode(f"layout={layout}&gpus=16")
    assert decoded.scenario.layout == ""
    (notice,) = decoded.notices
    assert "pipeline parallelism" in notice.text
