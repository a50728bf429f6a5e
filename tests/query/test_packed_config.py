"""A user's config.json in the link: packed without loss, and refused by field."""

from __future__ import annotations

import base64
import json
import re

import pytest
from config_files import QWEN3_8B

from roofline_app.query import decode, encode, minified
from roofline_app.query.packed_config import LARGEST_CONFIG_BYTES, PackedConfigError, packed, unpacked
from roofline_app.scenario import (
    Scenario,
)

CONFIG = json.dumps(QWEN3_8B, indent=2)


def test_a_pasted_config_travels_in_the_link() -> None:
    scenario = Scenario(model="custom", config=minified(CONFIG))
    decoded = decode(encode(scenario))
    assert decoded.scenario == scenario
    assert decoded.notices == ()
    assert decode(f"config={packed(CONFIG)}").scenario == scenario


def test_a_config_is_packed_without_loss_and_without_padding() -> None:
    assert unpacked(packed(CONFIG)) == CONFIG
    assert unpacked(packed(CONFIG) + "==") == CONFIG
    assert re.fullmatch("[A-Za-z0-9_-]+", packed(CONFIG))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a", "not base64url"),
        ("____", "not deflated"),
        (packed(CONFIG)[:-8], "cut off"),
        (base64.urlsafe_b64encode(b"\x01\x01\x00\xfe\xff\xff").decode(), "not UTF-8"),
        (packed("0" * (LARGEST_CONFIG_BYTES + 1)), "larger than a megabyte"),
    ],
)
def test_what_is_no_packed_config_says_why(text: str, why: str) -> None:
    with pytest.raises(PackedConfigError, match=why):
        unpacked(text)


def test_a_refused_config_says_which_field() -> None:
    broken = packed(json.dumps({**json.loads(CONFIG), "num_key_value_heads": 7}))
    (notice,) = decode(f"model=custom&config={broken}").notices
    assert notice.is_refusal
    assert "num_key_value_heads" in notice.text
