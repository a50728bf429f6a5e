"""What is known of an engine: every one can be written, an impossible one is refused."""

from __future__ import annotations

import pytest

from roofline_app import registry
from roofline_app.flags import ENGINES
from roofline_app.hardware.engines import EngineSpec
from roofline_app.specs import SpecError
from roofline_app.specs.table import RegistryError, read_entry


def test_every_engine_of_the_data_can_be_written() -> None:
    assert set(registry.engine_ids()) == set(ENGINES)
    for kind in registry.drafter_kinds().values():
        # Nobody can build a bound, so no engine runs it.
        assert not (kind.hypothetical and kind.engines)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        pytest.param({"flags": {}}, "flags: must name model", id="no flags"),
        pytest.param({"sources": []}, "sources", id="no source"),
        pytest.param({"sources": ["http://example.org"]}, "sources", id="an unsafe source"),
        pytest.param({"checked": "lately"}, "checked", id="no date"),
        pytest.param({"colour": "red"}, "colour", id="an unknown field"),
    ],
)
def test_an_impossible_engine_is_refused_by_entry_and_field(changed: dict[str, object], said: str) -> None:
    known = registry.engine("vllm")
    table = {name: getattr(known, name) for name in EngineSpec.__slots__ if name != "id"}
    with pytest.raises(RegistryError, match=r"engines\.toml \[vllm\]: .*" + said):
        read_entry("engines.toml", "vllm", {**table, **changed}, EngineSpec)
    assert issubclass(RegistryError, SpecError)
