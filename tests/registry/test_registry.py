"""Entries are read strictly: by id, lazily, and refused with file, entry and field."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from package_copy import copied_package, printed

from roofline_app import data, registry
from roofline_app.model.dimensions import ModelSpec
from roofline_app.specs import DrafterKindSpec, FormatSpec, GpuSpec, SpecError, table as table_module
from roofline_app.specs.table import RegistryError, Table, UnknownIdError, read_entry
from roofline_app.specs.value_types import field_types
from roofline_app.text import TRANSLATIONS
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
    [(GpuSpec, GPU), (GpuSpec, GPU | PRICE), (FormatSpec, FORMAT), (DrafterKindSpec, DRAFTER), (Profile, PROFILE)],
)
def test_a_whole_entry_is_read(make: Callable[..., Any], table: dict[str, object]) -> None:
    assert read_entry("a.toml", "an-id", table, make).id == "an-id"


@pytest.mark.parametrize(
    ("make", "table"), [(GpuSpec, GPU), (FormatSpec, FORMAT), (DrafterKindSpec, DRAFTER), (Profile, PROFILE)]
)
def test_a_missing_or_misspelt_field_is_refused_with_file_entry_and_field(
    make: Callable[..., Any], table: dict[str, object]
) -> None:
    for name in set(table) - {"source"}:
        rest = {key: value for key, value in table.items() if key != name}
        with pytest.raises(RegistryError, match=rf"^a\.toml \[an-id\]: .*'{name}'"):
            read_entry("a.toml", "an-id", rest, make)
    with pytest.raises(RegistryError, match=r"^a\.toml \[an-id\]: .*'sauce'"):
        read_entry("a.toml", "an-id", table | {"sauce": 1}, make)


@pytest.mark.parametrize(
    ("make", "table", "wrong", "message"),
    [
        (GpuSpec, GPU, {"memory_bytes": 0}, "memory_bytes: must be above 0"),
        (GpuSpec, GPU, {"memory_bytes": "80 GB"}, "memory_bytes: '80 GB' is not a number"),
        (GpuSpec, GPU, {"memory_bytes": True}, "memory_bytes: True is not a number"),
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
        (GpuSpec, GPU, {"gpus_per_node": 1.5}, "gpus_per_node: 1.5 is not a whole number"),
        (GpuSpec, GPU, {"dense_flops_per_second": {"fp8": 1e15}}, "dense_flops_per_second: must list bf16"),
        (
            GpuSpec,
            GPU,
            {"dense_flops_per_second": {"bf16": 1e15, "fp6": 1e15}},
            "'fp6' is not one of",
        ),
        (GpuSpec, GPU, {"dense_flops_per_second": {"bf16": -1}}, "bf16 must be above 0, not -1"),
        (GpuSpec, GPU, {"dense_flops_per_second": 1e15}, "dense_flops_per_second: .* is not a table of numbers"),
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
        (DrafterKindSpec, DRAFTER, {"drafting": "magic"}, "drafting: 'magic' is not one of"),
        (
            DrafterKindSpec,
            DRAFTER,
            {"acceptance": 1.5},
            "acceptance: must be at least 0 and at most 1, not 1.5",
        ),
        (DrafterKindSpec, DRAFTER, {"weights": "heavy"}, "weights: 'heavy' is not one of"),
        (DrafterKindSpec, DRAFTER, {"weights": "none"}, "weights: 'none' contradicts drafting"),
        (DrafterKindSpec, DRAFTER, {"drafting": "host"}, "weights: 'undescribed' contradicts drafting"),
        (DrafterKindSpec, DRAFTER, {"block": 4}, "block: above 1 goes with drafting block"),
        (DrafterKindSpec, DRAFTER, {"weights": "trained"}, "states: goes with weights trained"),
        (DrafterKindSpec, DRAFTER, {"states": "keys"}, "states: goes with weights trained"),
        (DrafterKindSpec, DRAFTER, {"config_form": "eagle3"}, "config_form: goes with weights trained"),
        (DrafterKindSpec, DRAFTER, {"architectures": ["A"]}, "architectures: goes with config_form"),
        (DrafterKindSpec, DRAFTER, {"physical": True}, "physical: needs weights that are described"),
        (DrafterKindSpec, DRAFTER, {"cost": -0.1}, "cost: must be at least 0, not -0.1"),
        (DrafterKindSpec, DRAFTER, {"block": 0}, "block: 0 is not a positive whole number"),
        (Profile, PROFILE, {"source": ""}, "source: .* is not an https address"),
    ],
)
def test_the_impossible_is_refused_with_file_entry_and_field(
    make: Callable[..., Any], table: dict[str, object], wrong: dict[str, object], message: str
) -> None:
    with pytest.raises(RegistryError, match=rf"^a\.toml \[an-id\]: .*{message}"):
        read_entry("a.toml", "an-id", table | wrong, make)


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ({"vlm": {"method": "mtp"}}, "unknown engine 'vlm'; did you mean vllm"),
        ({"vllm": {"method": ""}}, "engines.vllm: method: '' is not a text"),
        ({"vllm": {"methud": "mtp"}}, "engines.vllm: 'methud' is not a field; did you mean method"),
        ({"vllm": {}}, "engines.vllm: .*'method'"),
        ({"vllm": {"method": "mtp", "options": ["--steps"]}}, "engines.vllm: options: .* is not a table"),
        ({"vllm": "mtp"}, "engines: .* is not a table"),
    ],
)
def test_an_engine_that_cannot_run_a_kind_is_refused_with_engine_and_field(
    monkeypatch: pytest.MonkeyPatch, engine: dict[str, object], message: str
) -> None:
    assert registry.engine_ids()
    monkeypatch.setattr(table_module, "read_toml", lambda _: {"an-id": DRAFTER | {"engines": engine}})
    kinds = registry._DRAFTER_KINDS
    with pytest.raises(RegistryError, match=rf"^drafter_kinds\.toml \[an-id\]: {message}"):
        Table(kinds.file, kinds._make, kinds.kind, kinds._more).one("an-id")


def test_an_unknown_id_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownIdError, match="unknown GPU 'h100-smx'; did you mean h100-sxm"):
        registry.gpu("h100-smx")
    with pytest.raises(UnknownIdError, match=r"^unknown model '\?'$"):
        registry.model("?")
    assert issubclass(UnknownIdError, SpecError)


def test_all_entries_are_those_read_one_by_one() -> None:
    assert tuple(registry.gpus()) == registry.gpu_ids()
    assert tuple(registry.models()) == registry.model_ids()
    assert registry.gpus()["b200"] == registry.gpu("b200")
    assert asdict(registry.gpu("b200"))["id"] == "b200"


def test_every_model_has_a_label_of_its_own_that_agrees_with_its_entry() -> None:
    labels = registry.model_labels()
    assert tuple(labels.values()) == registry.model_ids()
    assert all(label.startswith(f"{registry.model(key).family} · ") for label, key in labels.items())


@pytest.mark.parametrize(
    ("make", "table"), [(GpuSpec, GPU), (FormatSpec, FORMAT), (DrafterKindSpec, DRAFTER), (Profile, PROFILE)]
)
def test_a_misspelt_field_is_refused_with_the_nearest_one(make: Callable[..., Any], table: dict[str, object]) -> None:
    for name in set(table) - {"source"}:
        misspelt = f"{name[:-1]}{name[-1] * 2}"
        wrong = {misspelt if key == name else key: value for key, value in table.items()}
        expected = rf"^a\.toml \[an-id\]: '{misspelt}' is not a field; did you mean {name}\?$"
        with pytest.raises(RegistryError, match=expected):
            read_entry("a.toml", "an-id", wrong, make)


FILES = {table.file: table for table in vars(registry).values() if isinstance(table, Table)}


def _first(file: str) -> tuple[str, dict[str, Any]]:
    key, table = next(iter(data.read_toml(file).items()))
    return key, table


def _refusal(monkeypatch: pytest.MonkeyPatch, file: str, content: dict[str, Any]) -> str:
    """Return what is said of a data file that holds other tables."""
    known = FILES[file]
    monkeypatch.setattr(table_module, "read_toml", lambda _: content)
    with pytest.raises(RegistryError) as refused:
        Table(file, known._make, known.kind, known._more).all()
    return str(refused.value)


@pytest.mark.parametrize("file", FILES)
def test_in_every_file_a_field_that_is_none_is_refused(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key, table = _first(file)
    assert f"{file} [{key}]: 'sauce' is not a field" in _refusal(monkeypatch, file, {key: {**table, "sauce": 1}})
    assert f"{file} [{key}]: 'id' is not a field" in _refusal(monkeypatch, file, {key: {**table, "id": "x"}})
    assert f"{file} [{key}]: 3 is not a table" in _refusal(monkeypatch, file, {key: 3})


@pytest.mark.parametrize("file", FILES)
def test_in_every_file_a_misspelt_field_is_refused_with_the_nearest_one(
    file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, table = _first(file)
    for name, value in table.items():
        rest = {known: stated for known, stated in table.items() if known != name}
        said = _refusal(monkeypatch, file, {key: {**rest, f"{name}{name[-1]}": value}})
        assert said.startswith(f"{file} [{key}]: '{name}{name[-1]}' is not a field")
        assert said.endswith(f"did you mean {name}?") or name in TRANSLATIONS


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("wrong", [-1, "", "x", [], [[]], {}, {"x": 1}, True, float("nan")], ids=repr)
def test_in_every_file_a_field_of_another_type_is_taken_or_refused(
    file: str, wrong: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, (key, table) = FILES[file], _first(file)
    for name in table:
        monkeypatch.setattr(table_module, "read_toml", lambda _, name=name: {key: {**table, name: wrong}})
        with suppress(RegistryError):  # any other exception would not name the entry
            Table(file, known._make, known.kind, known._more).all()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        pytest.param("[a]\nb = 1\n[a]\nc = 2\n", r"'a'.*twice", id="a table"),
        pytest.param("[a]\nb = 1\nb = 2\n", "line 3", id="a key"),
        pytest.param("a.b = 1\n[a]\nc = 1\n", "'a'.*twice", id="a table begun by dotted keys"),
        pytest.param("[a]\nb = \n", "line 2", id="no value"),
        pytest.param("[a\n", "line 1", id="no end"),
    ],
)
def test_a_table_that_stands_twice_or_is_no_toml_is_refused_with_the_file(
    text: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data, "_text", lambda _: text)
    with pytest.raises(RegistryError, match=rf"^twice\.toml: .*{named}"):
        Table("twice.toml", GpuSpec, "GPU").ids()


def test_one_entry_is_made_without_the_others() -> None:
    made = list[str]()

    def make(*, id: str, **_: object) -> str:  # noqa: A002 - a field's name
        made.append(id)
        return id

    known = Table("models.toml", make, "model", {**field_types(ModelSpec), "config": object})
    assert (known.one("qwen3-8b"), known.one("qwen3-8b"), made) == ("qwen3-8b", "qwen3-8b", ["qwen3-8b"])


def test_a_field_that_an_entry_lacks_is_named_with_it() -> None:
    with pytest.raises(RegistryError, match=r"^gpus\.toml \[[\w-]+\]: 'price_source' is missing$"):
        Table("gpus.toml", GpuSpec, "GPU").field("price_source")


@pytest.mark.parametrize(
    "zh", [{"title": "题"}, {"title": "题", "story": "。", "moral": "。"}, {}], ids=["half", "more", "none"]
)
def test_a_preset_with_half_a_translation_is_refused(zh: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"title": "T", "story": "S.", "query": "", "zh": zh}
    assert "presets.toml [x]: zh: must say" in _refusal(monkeypatch, "presets.toml", {"x": entry})


def test_a_preset_in_a_language_without_texts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"title": "T", "story": "S.", "query": "", "tlh": {"title": "t", "story": "s"}}
    assert "presets.toml [x]: 'tlh' is not a field" in _refusal(monkeypatch, "presets.toml", {"x": entry})


def _broken_kinds(folder: Path, old: str, new: str) -> str:
    """Return what a copy of the package says when its kinds of drafters are read, one text in them replaced."""
    file = copied_package(folder) / "drafter_kinds.toml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    script = """
import json
from roofline_app import registry
from roofline_app.specs import SpecError
try:
    registry.drafter_kinds()
except SpecError as error:
    print(json.dumps(str(error)))
"""
    return str(printed(folder, script))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        # A config.json of such a drafter could be either kind's.
        (
            'architectures = ["DominoDraftModel", "domino"]',
            'architectures = ["DFlashDraftModel"]',
            "drafter_kinds.toml [domino]: architectures: DFlashDraftModel is claimed by block already",
        ),
        ("[eagle3.generic]", "[eagle3.genric]", "'genric' is not a field; did you mean generic?"),
        ("feed_forward = 3.0", "feedforward = 3.0", "generic: 'feedforward' is not a field"),
        ("ranks = [0.24, 0.12, 0.08, 0.06]", "ranks = [0.24, 0.3]", "ranks: must be falling shares"),
        ("trees = true\n", "", "ranks: goes with trees"),
        ("chained = true", 'chained = true\nsequence = "markov"', "sequence: goes with drafting block"),
    ],
)
def test_kinds_that_contradict_themselves_or_each_other_are_refused(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert said in _broken_kinds(tmp_path, old, new)
