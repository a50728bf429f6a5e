"""Every entry of the data files: sourced, dated, dense, and what is pinned."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from roofline_app import registry
from roofline_app.evaluation import evaluate
from roofline_app.query import decode
from roofline_app.specs import DrafterKindSpec, FormatSpec, GpuSpec, Preset, SpecError
from roofline_app.text import TRANSLATIONS

EXPECTED_GPUS = {
    "a100-40gb",
    "a100-80gb",
    "h100-sxm",
    "h100-pcie",
    "h100-nvl",
    "h200-sxm",
    "h20",
    "b200",
    "b300",
    "gb200-nvl72",
    "gb300-nvl72",
    "rtx-pro-6000",
    "rtx-5090",
    "l4",
    "l40s",
    "mi300x",
    "mi325x",
    "mi355x",
    "tpu-v5e",
    "tpu-v5p",
    "tpu-v6e",
    "tpu7x",
    "gaudi3",
    "trainium2",
    "dgx-spark",
    "rubin-nvl72",
    "mi455x",
    "trainium3",
    "gh200-96gb",
    "rtx-pro-4500",
    "rtx-4090",
    "rtx-3090",
    "strix-halo",
    "m3-ultra",
    "m4-max",
    "ascend-910c",
}
EXPECTED_PRESETS = {
    "article",
    "dense",
    "flash",
    "122b-single",
    "long-context",
    "loses",
    "cheap-or-good",
    "large-batch",
    "small-gpu",
    "gpt-oss",
    "deepseek-r1-mtp",
    "train-a-drafter",
}
# Chips whose vendors state that FP8 runs no faster than BF16, or not at twice its rate.
OTHER_FP8_RATIO = {"tpu-v5p": 1.0, "tpu-v6e": 1.0, "gaudi3": 1.0, "trainium3": 3.75, "rubin-nvl72": 4.375}
# Figures that vendors print for the same chips with sparsity.
SPARSE = {
    "h100-sxm": ("bf16", 1979e12),
    "h200-sxm": ("fp8", 3958e12),
    "b200": ("fp4", 18000e12),
    "rtx-pro-6000": ("fp4", 4000e12),
    "rtx-5090": ("fp4", 3352e12),
    "l4": ("bf16", 242e12),
    "l40s": ("fp8", 1466e12),
    "dgx-spark": ("fp4", 1000e12),
    "mi300x": ("fp8", 5230e12),
    "mi355x": ("fp4", 20100e12),
}

every_gpu = pytest.mark.parametrize("gpu", registry.gpus().values(), ids=lambda gpu: gpu.id)
every_format = pytest.mark.parametrize("spec", registry.formats().values(), ids=lambda spec: spec.id)
every_drafter = pytest.mark.parametrize("spec", registry.drafter_kinds().values(), ids=lambda spec: spec.id)
every_preset = pytest.mark.parametrize("preset", registry.presets().values(), ids=lambda preset: preset.id)


def test_no_expected_id_is_missing() -> None:
    assert set(registry.gpus()) >= EXPECTED_GPUS
    assert set(registry.presets()) >= EXPECTED_PRESETS
    assert set(registry.drafter_kinds()) >= {"ideal", "mtp", "eagle3", "draft", "block", "ngram"}
    assert list(registry.formats())[:8] == ["fp32", "bf16", "fp8", "fp8-block", "mxfp4", "nvfp4", "int8", "int4"]
    assert "ideal" in registry.profiles()


@every_gpu
def test_an_accelerator_is_sourced_and_lately_checked(gpu: GpuSpec) -> None:
    assert gpu.source.startswith("https://")
    assert date(2026, 1, 1) <= date.fromisoformat(gpu.checked)


@every_gpu
def test_what_is_announced_only_is_second_hand_in_every_figure(gpu: GpuSpec) -> None:
    if "announced" in gpu.name:
        assert {*gpu.dense_flops_per_second, "memory_bytes", "memory_bytes_per_second"} <= {*gpu.second_hand}
        assert gpu.price_usd_per_hour is None


@every_gpu
def test_a_price_has_a_date_and_someone_who_states_it(gpu: GpuSpec) -> None:
    if gpu.price_usd_per_hour is None:
        assert gpu.price_source == gpu.price_date == ""
    else:
        assert 0.1 < gpu.price_usd_per_hour < 100
        assert "https://" in gpu.price_source
        assert date(2026, 1, 1) <= date.fromisoformat(gpu.price_date)


@every_gpu
def test_a_disputed_figure_has_a_reason(gpu: GpuSpec) -> None:
    assert all(variant.endswith(".") for variant in gpu.variants)
    disputed = [variant for variant in gpu.variants if not variant.startswith("Price")]
    assert not disputed or gpu.reason


@every_gpu
def test_narrower_formats_are_never_slower(gpu: GpuSpec) -> None:
    peaks = gpu.dense_flops_per_second
    assert peaks["bf16"] <= peaks.get("fp8", peaks["bf16"]) <= peaks.get("fp4", float("inf"))


@pytest.mark.parametrize("gpu_id", sorted(EXPECTED_GPUS))
def test_dense_fp8_is_twice_dense_bf16_where_the_chip_has_it(gpu_id: str) -> None:
    peaks = registry.gpu(gpu_id).dense_flops_per_second
    if "fp8" in peaks:
        assert peaks["fp8"] / peaks["bf16"] == pytest.approx(OTHER_FP8_RATIO.get(gpu_id, 2.0), rel=0.03)


@pytest.mark.parametrize(("gpu_id", "peak", "flops_per_second"), [(key, *value) for key, value in SPARSE.items()])
def test_no_sparse_figure_passes_for_a_dense_one(gpu_id: str, peak: str, flops_per_second: float) -> None:
    assert registry.gpu(gpu_id).dense_flops_per_second[peak] == pytest.approx(flops_per_second / 2, rel=0.01)


@every_gpu
def test_sizes_are_in_bytes_and_one_way(gpu: GpuSpec) -> None:
    assert gpu.memory_bytes > 8e9
    assert gpu.memory_bytes_per_second > 0.1e12
    assert gpu.interconnect_bytes_per_second < gpu.memory_bytes_per_second
    assert 1 <= gpu.gpus_per_host <= 16
    # A host is part of a scale-up domain, or holds several pairs that bridges join.
    assert max(gpu.gpus_per_node, gpu.gpus_per_host) % min(gpu.gpus_per_node, gpu.gpus_per_host) == 0
    links = gpu.interconnect_bytes_per_second
    assert not (links and gpu.network) or gpu.network.bytes_per_second < links


@pytest.mark.parametrize(
    ("gpu_id", "memory", "bandwidth", "interconnect", "peaks"),
    [
        pytest.param("b200", 192.3e9, 7.67e12, 900e9, {"bf16": 2250e12, "fp8": 4500e12, "fp4": 9000e12}, id="B200"),
        pytest.param("b300", 288.4e9, 7.75e12, 900e9, {"bf16": 2250e12, "fp4": 13500e12}, id="62 TB/s of eight"),
        pytest.param("gb300-nvl72", 298e9, 8e12, 900e9, {"bf16": 2500e12, "fp4": 15000e12}, id="GB300 datasheet"),
        pytest.param("h100-sxm", 85.5e9, 3.35e12, 450e9, {"bf16": 989e12, "fp8": 1979e12}, id="H100 datasheet"),
        pytest.param("h200-sxm", 150.8e9, 4.8e12, 450e9, {"bf16": 989e12, "fp8": 1979e12}, id="H200 datasheet"),
        pytest.param("a100-80gb", 85.9e9, 2.039e12, 300e9, {"bf16": 312e12, "int8": 624e12}, id="A100 datasheet"),
        pytest.param("rtx-5090", 34.2e9, 1.792e12, 64e9, {"bf16": 209.5e12}, id="32-bit accumulation"),
        pytest.param("mi300x", 206.1e9, 5.3e12, 448e9, {"bf16": 1307e12, "fp8": 2615e12}, id="MI300X datasheet"),
        pytest.param("mi355x", 309.2e9, 8e12, 537.6e9, {"bf16": 2516e12}, id="seven links of 76.8 GB/s one way"),
        pytest.param("l4", 24.15e9, 0.3e12, 32e9, {"bf16": 121e12, "fp8": 242e12}, id="L4, not the sparse figures"),
        pytest.param("l40s", 48.3e9, 0.864e12, 32e9, {"bf16": 362e12, "fp8": 733e12}, id="L40S datasheet"),
        pytest.param("dgx-spark", 128e9, 0.273e12, 0, {"fp4": 500e12}, id="half of a sparse petaFLOP"),
    ],
)
def test_figures_are_the_published_ones(
    gpu_id: str, memory: float, bandwidth: float, interconnect: float, peaks: dict[str, float]
) -> None:
    gpu = registry.gpu(gpu_id)
    assert gpu.memory_bytes == pytest.approx(memory, rel=1.5e-3)
    assert gpu.memory_bytes_per_second == bandwidth
    assert gpu.interconnect_bytes_per_second == interconnect
    assert {name: gpu.dense_flops_per_second[name] for name in peaks} == peaks


def test_chips_without_fp8_or_fp4_arithmetic_list_none() -> None:
    assert "fp8" not in registry.gpu("a100-80gb").dense_flops_per_second
    assert "fp4" not in registry.gpu("h100-sxm").dense_flops_per_second


def test_an_a800_is_an_a100_with_its_own_interconnect() -> None:
    a800, a100 = registry.gpu("a800-80gb"), registry.gpu("a100-80gb")
    assert a800.dense_flops_per_second == a100.dense_flops_per_second
    assert a800.memory_bytes_per_second == a100.memory_bytes_per_second
    assert a800.interconnect_bytes_per_second == 200e9 < a100.interconnect_bytes_per_second


@pytest.mark.parametrize(
    ("gpu_id", "usd"), [("b200", 6.25), ("h200-sxm", 4.54), ("h100-sxm", 3.95), ("a100-80gb", 2.50), ("l4", 0.80)]
)
def test_prices_are_those_of_modal_where_it_lists_one(gpu_id: str, usd: float) -> None:
    gpu = registry.gpu(gpu_id)
    assert gpu.price_usd_per_hour == usd
    assert gpu.price_source.startswith("Modal")


@pytest.mark.parametrize(
    ("format_id", "bytes_per_value"),
    [
        pytest.param("fp8-block", 1 + 4 / 128**2, id="one fp32 scale per 128×128"),
        pytest.param("mxfp4", 4 / 8 + 1 / 32, id="one byte per 32"),
        pytest.param("nvfp4", 4 / 8 + 1 / 16, id="one byte per 16"),
        pytest.param("int4", 4 / 8 + 2 / 32, id="two bytes per 32"),
    ],
)
def test_block_scales_are_counted(format_id: str, bytes_per_value: float) -> None:
    assert registry.formats()[format_id].bytes_per_value == bytes_per_value


@every_format
def test_every_format_runs_somewhere_on_every_accelerator(spec: FormatSpec) -> None:
    assert spec.peaks[-1] == "bf16"
    assert spec.source.startswith("https://")


def test_weight_only_int4_runs_at_the_bf16_peak() -> None:
    assert registry.formats()["int4"].peaks == ("bf16",)


@every_drafter
def test_a_kind_of_drafter_says_what_it_is(spec: DrafterKindSpec) -> None:
    assert spec.description.endswith(".")
    assert (spec.block > 1) == (spec.drafting == "block")


@every_preset
def test_a_preset_reads_without_a_notice(preset: Preset) -> None:
    decoded = decode(f"preset={preset.id}")
    assert decoded.notices == ()
    assert decoded == decode(preset.query)


@every_preset
def test_a_preset_tells_a_story_of_one_sentence_without_figures(preset: Preset) -> None:
    assert preset.title
    assert preset.story.endswith((".", "?"))
    assert "%" not in preset.story
    assert "×" not in preset.story


@every_preset
def test_a_preset_tells_its_story_in_every_language(preset: Preset) -> None:
    assert set(preset.translations) == set(TRANSLATIONS)
    for language in TRANSLATIONS:
        title, story = preset.words(language)
        assert title != preset.title
        assert story.endswith((".", "?", "。", "？"))
    assert preset.words("tlh") == (preset.title, preset.story)


def test_presets_are_all_different() -> None:
    assert len({decode(preset.query).scenario for preset in registry.presets().values()}) == len(registry.presets())


@every_preset
def test_a_preset_fits_its_node(preset: Preset) -> None:
    assert evaluate(decode(preset.query).scenario).memory.fits


def _best(preset_id: str) -> dict[str, tuple[int, float]]:
    result = evaluate(decode(f"preset={preset_id}").scenario)
    return {drafter.name: (drafter.best.draft_tokens, drafter.best.speedup) for drafter in result.drafters}


def test_where_speculation_loses_no_drafter_wins() -> None:
    assert {draft_tokens for draft_tokens, _ in _best("loses").values()} == {0}


def test_a_single_reader_gains_in_spite_of_the_experts() -> None:
    assert _best("122b-single")["Block"][1] > 1.2


def test_a_trained_drafter_is_better_than_before_and_pays_back() -> None:
    payoff = evaluate(decode("preset=train-a-drafter").scenario).payoff
    assert payoff
    assert 1 < payoff.speedup[0] < payoff.speedup[1]
    assert payoff.break_even_days


def test_a_large_batch_pays_again_where_a_moderate_one_hardly_does() -> None:
    assert _best("large-batch")["MTP"][1] > 1.5 * evaluate(decode("batch=8").scenario).drafters[1].best.speedup


def test_the_cache_is_most_of_what_a_long_context_reads() -> None:
    parts = evaluate(decode("preset=long-context").scenario).memory.parts
    assert parts.kv > 2 * parts.weights


def test_a_draft_length_for_each_group_beats_one_for_both() -> None:
    drafter = evaluate(decode("preset=two-groups").scenario).drafters[0]
    assert drafter.mix is not None
    assert drafter.mix.speedup_apart > 1.01 * drafter.mix.speedup_together


def test_a_draft_model_elsewhere_pays_at_small_batches_and_short_contexts_only() -> None:
    best = _best("own-gpus")
    assert best["Beside"][1] < best["Elsewhere"][1] < 1.05 * best["Beside"][1]
    setting = registry.presets()["own-gpus"].query
    for other in (setting.replace("batch=2", "batch=64"), setting.replace("context=1024", "context=8192")):
        drafters = {drafter.name: drafter.best.speedup for drafter in evaluate(decode(other).scenario).drafters}
        assert drafters["Elsewhere"] < drafters["Beside"]


def test_a_figure_of_second_hand_is_one_that_the_entry_has() -> None:
    with pytest.raises(SpecError, match=r"second_hand: 'fp4' is not one of .*bf16"):
        replace(registry.gpu("h100-sxm"), second_hand=("fp4",))
