"""Entries are read strictly: by id, lazily, and refused with file, entry and field."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import asdict
from importlib import resources
from typing import Any

import pytest

from roofline_app import registry
from roofline_app.registry import RegistryError, UnknownIdError
from roofline_app.specs import FormatSpec, GpuSpec, SpecError
from roofline_app.specs.drafter_kinds import read_drafter_kind
from roofline_app.timing.profiles import Profile

GPU: dict[str, object] = {
    "name": "A GPU",
    "vendor": "A vendor",
    "memory_bytes": 80e9,
    "memory_bytes_per_second": 3e12,
    "dense_flops_per_second": {"bf16": 1e15},
    "interconnect_bytes_per_second": 0,
    "gpus_per_node": 8,
    "source": "https://example.org",
    "checked": "2026-11-30",
}
FORMAT: dict[str, object] = {"name": "A", "bytes_per_value": 1, "peaks": ["bf16"], "source": "https://example.org"}
DRAFTER: dict[str, object] = {
    "name": "A drafter",
    "drafting": "token",
    "weights": "undescribed",
    "acceptance": 0.5,
    "cost": 0.1,
    "description": "Drafts.",
    "source": "https://example.org",
    "checked": "2026-11-30",
}
PROFILE: dict[str, object] = {"name": "A", "description": "Assumes.", "source": "https://example.org"}
PRICE: dict[str, object] = {"price_usd_per_hour": 2.5, "price_source": "A cloud", "price_date": "2026-11-30"}


@pytest.mark.parametrize(
    ("make", "table"),
    [(GpuSpec, GPU), (GpuSpec, GPU | PRICE), (FormatSpec, FORMAT), (read_drafter_kind, DRAFTER), (Profile, PROFILE)],
)
def test_a_whole_entry_is_read(make: Callable[..., Any], table: dict[str, object]) -> None:
    assert registry.read_entry("a.toml", "an-id", table, make).id == "an-id"


@pytest.mark.parametrize(
    ("make", "table"), [(GpuSpec, GPU), (FormatSpec, FORMAT), (read_drafter_kind, DRAFTER), (Profile, PROFILE)]
)
def test_a_missing_or_misspelt_field_is_refused_with_file_entry_and_field(
    make: Callable[..., Any], table: dict[str, object]
) -> None:
    for name in set(table) - {"source"}:
        rest = {key: value for key, value in table.items() if key != name}
        with pytest.raises(RegistryError, match=rf"^a\.toml \[an-id\]: .*'{name}'"):
            registry.read_entry("a.toml", "an-id", rest, make)
    with pytest.raises(RegistryError, match=r"^a\.toml \[an-id\]: .*'sauce'"):
        registry.read_entry("a.toml", "an-id", table | {"sauce": 1}, make)


@pytest.mark.parametrize(
    ("make", "table", "wrong", "message"),
    [
        (GpuSpec, GPU, {"memory_bytes": 0}, "memory_bytes: must be above 0"),
        (GpuSpec, GPU, {"memory_bytes": "80 GB"}, "memory_bytes: must be above 0"),
        (GpuSpec, GPU, {"memory_bytes": True}, "memory_bytes: must be above 0"),
        (
            GpuSpec,
            GPU,
            {"memory_bytes_per_second": float("inf")},
            "memory_bytes_per_second: must be above 0",
        ),
        (
            GpuSpec,
            GPU,
            {"memory_bytes_per_second": float("nan")},
            "memory_bytes_per_second: must be above 0",
        ),
        (
            GpuSpec,
            GPU,
            {"interconnect_bytes_per_second": -1},
            "interconnect_bytes_per_second: must be at least 0",
        ),
        (GpuSpec, GPU, {"gpus_per_node": 1.5}, "gpus_per_node: 1.5 is not a positive whole number"),
        (GpuSpec, GPU, {"dense_flops_per_second": {"fp8": 1e15}}, "dense_flops_per_second: must list bf16"),
        (
            GpuSpec,
            GPU,
            {"dense_flops_per_second": {"bf16": 1e15, "fp6": 1e15}},
            "'fp6' is not one of",
        ),
        (GpuSpec, GPU, {"dense_flops_per_second": {"bf16": -1}}, "bf16 must be above 0, not -1"),
        (GpuSpec, GPU, {"dense_flops_per_second": 1e15}, "dense_flops_per_second: must list bf16"),
        (GpuSpec, GPU, {"source": "http://example.org"}, "source: .* is not an https address"),
        (GpuSpec, GPU, {"checked": "yesterday"}, "checked: 'yesterday' is not a date"),
        (GpuSpec, GPU, {"name": " "}, "name: ' ' is not a text"),
        (GpuSpec, GPU, {"vendor": 3}, "vendor: 3 is not a text"),
        (GpuSpec, GPU | PRICE, {"price_usd_per_hour": -1}, "price_usd_per_hour: must be at least 0, not -1"),
        (GpuSpec, GPU | PRICE, {"price_source": ""}, "price_source: '' is not a text"),
        (GpuSpec, GPU | PRICE, {"price_date": "2026"}, "price_date: '2026' is not a date"),
        (FormatSpec, FORMAT, {"bytes_per_value": 0}, "bytes_per_value: must be above 0, not 0"),
        (FormatSpec, FORMAT, {"peaks": []}, "peaks: .* is not some of"),
        (FormatSpec, FORMAT, {"peaks": ["fp3"]}, "peaks: .* is not some of"),
        (read_drafter_kind, DRAFTER, {"drafting": "magic"}, "drafting: 'magic' is not one of"),
        (
            read_drafter_kind,
            DRAFTER,
            {"acceptance": 1.5},
            "acceptance: must be at least 0 and at most 1, not 1.5",
        ),
        (read_drafter_kind, DRAFTER, {"weights": "heavy"}, "weights: 'heavy' is not one of"),
        (read_drafter_kind, DRAFTER, {"weights": "none"}, "weights: 'none' contradicts drafting"),
        (read_drafter_kind, DRAFTER, {"drafting": "host"}, "weights: 'undescribed' contradicts drafting"),
        (read_drafter_kind, DRAFTER, {"block": 4}, "block: above 1 goes with drafting block"),
        (read_drafter_kind, DRAFTER, {"weights": "trained"}, "states: goes with weights trained"),
        (read_drafter_kind, DRAFTER, {"states": "keys"}, "states: goes with weights trained"),
        (read_drafter_kind, DRAFTER, {"config_form": "eagle3"}, "config_form: goes with weights trained"),
        (read_drafter_kind, DRAFTER, {"architectures": ["A"]}, "architectures: goes with config_form"),
        (read_drafter_kind, DRAFTER, {"physical": True}, "physical: needs weights that are described"),
        (read_drafter_kind, DRAFTER, {"engines": {"vllm": "mtp"}}, "engines.vllm: 'mtp' is not a table"),
        (read_drafter_kind, DRAFTER, {"engines": {"vllm": {"method": ""}}}, "method: '' is not a text"),
        (read_drafter_kind, DRAFTER, {"engines": {"vllm": {"methud": "a"}}}, "'methud'"),
        (read_drafter_kind, DRAFTER, {"engines": {"vllm": {"method": "a", "options": 1}}}, "options: 1 is not a table"),
        (read_drafter_kind, DRAFTER, {"cost": -0.1}, "cost: must be at least 0, not -0.1"),
        (read_drafter_kind, DRAFTER, {"block": 0}, "block: 0 is not a positive whole number"),
        (Profile, PROFILE, {"source": ""}, "source: .* is not an https address"),
    ],
)
def test_the_impossible_is_refused_with_file_entry_and_field(
    make: Callable[..., Any], table: dict[str, object], wrong: dict[str, object], message: str
) -> None:
    with pytest.raises(RegistryError, match=rf"^a\.toml \[an-id\]: .*{message}"):
        registry.read_entry("a.toml", "an-id", table | wrong, make)


def test_an_unknown_id_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownIdError, match="unknown GPU 'h100-smx'; did you mean h100-sxm"):
        registry.gpu("h100-smx")
    with pytest.raises(UnknownIdError, match=r"^unknown model '\?'$"):
        registry.model("?")
    assert issubclass(UnknownIdError, SpecError)


@pytest.mark.parametrize(
    "file", ["models.toml", "gpus.toml", "drafter_kinds.toml", "formats.toml", "profiles.toml", "presets.toml"]
)
def test_reading_entry_by_entry_gives_what_the_whole_file_holds(file: str) -> None:
    text = resources.files("roofline_app.data").joinpath(file).read_text(encoding="utf-8")
    whole = tomllib.loads(text)
    entries = registry._entries(file)
    assert list(entries) == list(whole)
    assert {key: tomllib.loads(entry)[key] for key, entry in entries.items()} == whole


def test_an_entry_that_stands_twice_or_is_no_toml_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Files:
        def __init__(self, text: str) -> None:
            self.text = text

        def joinpath(self, _: str) -> Files:
            return self

        def read_text(self, *, encoding: str) -> str:
            assert encoding == "utf-8"
            return self.text

    monkeypatch.setattr(resources, "files", lambda _: Files("[a]\nb = 1\n[a]\nb = 2\n"))
    with pytest.raises(RegistryError, match=r"^twice\.toml \[a\]: the entry stands twice"):
        registry._entries("twice.toml")
    monkeypatch.setattr(resources, "files", lambda _: Files("[a]\nb = \n"))
    with pytest.raises(RegistryError, match=r"^broken\.toml \[a\]: "):
        registry._one("broken.toml", "a", "entry", GpuSpec)


def test_one_model_is_read_without_the_others() -> None:
    registry._one.cache_clear()
    registry.model("qwen3-8b")
    assert registry._one.cache_info().currsize == 1


def test_all_entries_are_those_read_one_by_one() -> None:
    assert tuple(registry.gpus()) == registry.gpu_ids()
    assert tuple(registry.models()) == registry.model_ids()
    assert registry.gpus()["b200"] == registry.gpu("b200")
    assert asdict(registry.gpu("b200"))["id"] == "b200"


def test_every_model_has_a_label_of_its_own_that_agrees_with_its_entry() -> None:
    labels = registry.model_labels()
    assert tuple(labels.values()) == registry.model_ids()
    assert all(label.startswith(f"{registry.model(key).family} · ") for label, key in labels.items())
