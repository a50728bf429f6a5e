"""Links: any text reads, every scenario writes, and what was not used is said."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from importlib import resources
from urllib.parse import quote

import pytest
from hostile_queries import HOSTILE_QUERIES, Hostile
from hypothesis import given, settings, strategies as st
from link_fuzz import Links
from strategies import scenarios

from roofline_app import registry
from roofline_app.hardware.parallelism import Layout
from roofline_app.query import Decoded, Notice, decode, encode
from roofline_app.query.decoding import KEYS
from roofline_app.query.notices import Notices
from roofline_app.query.numbers import number, written
from roofline_app.scenario import (
    DEFAULT_DRAFTERS,
    AcceptanceLength,
    ConstantAcceptance,
    Hardware,
    Scenario,
    SurvivalRates,
    Weights,
)
from roofline_app.text import LANGUAGES


def test_an_empty_query_is_the_default_scenario() -> None:
    assert decode("") == decode("?") == decode("&&") == decode("v=1")
    assert decode("").scenario == Scenario()
    assert decode("").notices == ()


def test_the_default_link_is_complete_and_its_punctuation_bare() -> None:
    assert encode(Scenario()) == (
        "v=1&model=deepseek-v4-pro&gpu=b200&gpus=8&reserve=0.1&batch=32&context=4096&cap=16&weights=published"
        "&kv=published&profile=ideal&kv-read=overlap&drafter=ideal,acceptance=0.99,cost=0"
        "&drafter=mtp,acceptance=0.75,cost=0.1&drafter=block,acceptance=0.89,cost=0.1,block=16&seed=0"
    )


def test_the_link_of_the_contract_reads_without_a_notice() -> None:
    link = (
        "v=1&model=deepseek-v4-pro&gpu=b200&gpus=8&batch=32&context=4096&cap=16&profile=ideal&drafter=ideal"
        "&drafter=mtp,acceptance=0.75,cost=0.1&drafter=block,acceptance=0.89,cost=0.1,block=16"
    )
    assert decode(link).scenario == Scenario()
    assert decode(link).notices == ()


@pytest.mark.parametrize("row", HOSTILE_QUERIES, ids=lambda row: row.query[:60])
def test_a_wrong_value_is_named_with_its_key_and_what_is_used(row: Hostile) -> None:
    decoded = decode(row.query)
    assert (row.key, row.given, row.used) in [(notice.key, notice.given, notice.used) for notice in decoded.notices]
    for notice in decoded.notices:
        assert notice.key in notice.text
        assert notice.given in notice.text
        assert notice.used in notice.text
        assert "\n" not in notice.text


@pytest.mark.parametrize("row", HOSTILE_QUERIES, ids=lambda row: row.query[:60])
def test_a_wrong_value_costs_nothing_else_of_the_link(row: Hostile) -> None:
    if row.key == "query" or "seed" in row.query:
        return
    decoded = decode(f"seed=7&{row.query}")
    assert decoded.scenario.seed == 7
    assert decode(encode(decoded.scenario)).notices == ()


def test_the_table_of_hostile_queries_is_long_enough() -> None:
    assert len({row.query for row in HOSTILE_QUERIES}) >= 60


@given(scenarios())
def test_a_scenario_comes_back_from_its_link(scenario: Scenario) -> None:
    decoded = decode(encode(scenario))
    assert decoded.scenario == scenario
    assert decoded.notices == ()


@given(st.text())
def test_any_text_reads_and_its_canonical_form_is_stable(text: str) -> None:
    link = encode(decode(text).scenario)
    assert encode(decode(link).scenario) == link
    assert decode(link).notices == ()


_PIECES = st.one_of(
    st.sampled_from(
        [*KEYS, *registry.drafter_kinds(), "=", "&", ",", ":", "@", ";", "%", "%25", "1", "0.5", "4k", "?"]
    ),
    st.text(max_size=4),
)


@settings(max_examples=300)
@given(st.lists(_PIECES, max_size=30).map("".join))
def test_any_mixture_of_the_vocabulary_reads_and_its_canonical_form_is_stable(text: str) -> None:
    decoded = decode(text)
    assert all(notice.text for notice in decoded.notices)
    link = encode(decoded.scenario)
    assert encode(decode(link).scenario) == link
    assert re.fullmatch(r"[A-Za-z0-9,:;=@.&%_~-]*", link)


def _check_links(seed: int, count: int) -> None:
    links = Links(seed)
    for _ in range(count):
        text = links.link()
        decoded = decode(text)
        assert decode(encode(decoded.scenario)) == Decoded(scenario=decoded.scenario, notices=()), ascii(text)
        assert all(notice.text.isprintable() and len(notice.text) < 1000 for notice in decoded.notices), ascii(text)


def test_a_thousand_links_read_and_come_back_the_same() -> None:
    _check_links(seed=4, count=1000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_a_hundred_thousand_links_read_and_come_back_the_same(seed: int) -> None:
    _check_links(seed, count=25_000)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_written_number_reads_as_the_same_number(value: float) -> None:
    assert number(written(value)) == value


@pytest.mark.parametrize(
    ("text", "context"),
    [("4k", 4096), ("1e2", 100), ("32.0", 32), ("1M", 2**20), ("1e+2", 100), ("0.5k", 512), ("+8", 8)],
)
def test_whole_numbers_are_understood_as_people_type_them(text: str, context: int) -> None:
    decoded = decode(f"context={text}")
    assert decoded.scenario.context == context
    assert decoded.notices == ()
    assert f"&context={context}&" in encode(decoded.scenario)


@pytest.mark.parametrize("layout", list(Layout))
def test_a_layout_is_read_with_its_plus_bare_or_encoded(layout: Layout) -> None:
    for text in (layout, layout.replace("+", "%2B")):
        decoded = decode(f"layout={text}")
        assert decoded.notices == ()
        assert decoded.scenario.layout == layout


@pytest.mark.parametrize(
    "query", ["batch=1&batch=2%0A3", "drafter=mtp,cost=1,cost=2%0A3", f"batch=1&batch={'9' * 999}"]
)
def test_what_is_used_is_said_in_one_short_line(query: str) -> None:
    for notice in decode(query).notices:
        assert notice.text.isprintable()
        assert len(notice.text) < 400


def test_figures_of_the_gpu_are_decimal() -> None:
    assert decode("gpu.bandwidth=8T&gpu.memory=180G").scenario.hardware == Hardware(bandwidth=8e12, memory=180e9)
    assert "gpu.bandwidth=8000000000000&" in encode(decode("gpu.bandwidth=8e12").scenario)


def test_the_three_typed_forms_of_acceptance_are_read() -> None:
    first, second, third = decode(
        "drafter=mtp,acceptance=0.5&drafter=eagle3,length=2.58@3&drafter=ngram,survival=0.78:0.58:0.44"
    ).scenario.drafters
    assert first.acceptance == ConstantAcceptance(acceptance=0.5)
    assert second.acceptance == AcceptanceLength(tokens_per_round=2.58, draft_tokens=3)
    assert third.acceptance == SurvivalRates(survival=(0.78, 0.58, 0.44))


@pytest.mark.parametrize(
    ("kind", "acceptance", "cost", "block"),
    [
        ("ideal", 0.99, 0.0, 1),
        ("mtp", 0.75, 0.1, 1),
        ("eagle3", 0.78, 0.1, 1),
        ("draft", 0.75, None, 1),
        ("block", 0.89, 0.1, 16),
        ("ngram", 0.3, 0.0, 1),
    ],
)
def test_a_kind_alone_has_the_defaults_of_the_contract(kind: str, acceptance: float, cost: float, block: int) -> None:
    (drafter,) = decode(f"drafter={kind}").scenario.drafters
    assert drafter.acceptance == ConstantAcceptance(acceptance=acceptance)
    assert (drafter.cost, drafter.block) == (cost, block)


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("published", Weights()),
        ("fp8", Weights(experts="fp8", linear="fp8", head="bf16")),
        ("bf16", Weights(experts="bf16", linear="bf16", head="bf16")),
        ("experts:fp4,linear:fp8,head:bf16", Weights(experts="fp4", linear="fp8", head="bf16")),
        ("experts:fp4,linear:published,head:published", Weights(experts="fp4")),
    ],
)
def test_weight_formats_are_read_and_written_alike(text: str, weights: Weights) -> None:
    assert decode(f"weights={text}").scenario.weights == weights
    assert f"&weights={text}&" in encode(Scenario(weights=weights))


def test_a_published_body_with_a_bf16_head_is_not_written_as_published() -> None:
    scenario = Scenario(weights=Weights(head="bf16"))
    assert decode(encode(scenario)).scenario == scenario


def test_a_name_with_reserved_characters_is_encoded_once_more() -> None:
    (drafter,) = decode("drafter=mtp,name=a%252Cb%253D%2525").scenario.drafters
    assert drafter.name == "a,b=%"
    assert "name=a%252Cb%253D%2525" in encode(Scenario(drafters=(drafter,)))


def test_keys_beside_a_preset_override_it() -> None:
    decoded = decode("preset=loses&batch=7&drafter=ngram")
    assert decoded.scenario.model == decode("preset=loses").scenario.model != Scenario().model
    assert decoded.scenario.batch == 7
    assert [drafter.kind for drafter in decoded.scenario.drafters] == ["ngram"]
    assert "preset" not in encode(decoded.scenario)


def test_a_pinned_setting_is_kept_complete() -> None:
    decoded = decode("compare=batch%3D8%26theme%3Ddark")
    assert decoded.notices == ()
    assert decoded.scenario.compare == encode(Scenario(batch=8))
    assert decode(decoded.scenario.compare).scenario == Scenario(batch=8)


def test_presentation_is_read_and_changes_nothing_else() -> None:
    decoded = decode("figure=speedup&figures=batch,time&controls=model&theme=dark&lang=zh-CN&poster=article")
    shown = decoded.scenario.presentation
    assert decoded.notices == ()
    assert shown.figures == ("speedup", "batch", "time")
    assert (shown.controls, shown.theme, shown.lang, shown.poster) == (("model",), "dark", "zh", "article")
    assert replace(decoded.scenario, presentation=Scenario().presentation) == Scenario()


def test_values_that_change_nothing_are_accepted_in_silence() -> None:
    assert (
        decode(
            "layout=even&experts=independent&kv-read=overlap&drafter=mtp,placement=same,relax=0&drafter=block,passes=1"
        ).notices
        == ()
    )


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ("model=nope", True),
        ("gpu=nope", True),
        ("config=AAAA", True),
        ("model=qwen3-8b&model=qwen3-8b", False),
        ("a=b", False),
    ],
)
def test_only_an_unknown_model_gpu_or_config_is_a_refusal(query: str, refused: bool) -> None:
    assert any(notice.is_refusal for notice in decode(query).notices) == refused


def test_a_refusal_does_not_say_that_something_else_is_used() -> None:
    (notice,) = decode("model=qwen3-9b").notices
    assert "qwen3-9b" in notice.refusal
    assert notice.used not in notice.refusal


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_unlisted_repository_is_refused_with_the_address_of_its_config(language: str) -> None:
    [notice] = decode("model=Some-Owner/New_Model-7.5B").notices
    assert notice.is_refusal
    address = "https://huggingface.co/Some-Owner/New_Model-7.5B/raw/main/config.json"
    assert address in notice.say(language)
    assert address in notice.refuse(language)


@pytest.mark.parametrize("given", ["a/b/c", "a/", "/b", "https://x/y", "..%2F..", "a b/c", "a/b?c", "x/" + "y" * 90])
def test_no_address_is_made_of_what_names_no_repository(given: str) -> None:
    [notice] = decode(f"model={quote(given)}").notices
    assert notice.is_refusal
    assert "https://huggingface.co" not in notice.text


def test_a_flood_of_wrong_values_is_counted_rather_than_listed() -> None:
    notices = decode("&".join(f"x{index}=1" for index in range(1000))).notices
    assert len(notices) < 50
    assert notices[-1].key == "query"
    assert notices[-1].given == "960"


def test_an_unknown_key_near_a_known_one_names_it() -> None:
    (notice,) = decode("bach=8").notices
    assert "batch?" in notice.text


def test_a_notice_names_what_was_given_in_every_language() -> None:
    notice = Notice(key="batch", given="x", used="32", reason="not_a_number")
    assert "x" in notice.say("zh")
    assert "x" in notice.say("en")
    assert Notices().all() == ()


def test_the_default_drafters_are_those_of_the_registry() -> None:
    assert decode("drafter=ideal&drafter=mtp&drafter=block").scenario.drafters == DEFAULT_DRAFTERS


@pytest.mark.parametrize("row", HOSTILE_QUERIES[::7], ids=lambda row: row.query[:60])
def test_a_notice_in_chinese_names_key_given_and_used_as_well(row: Hostile) -> None:
    for notice in decode(row.query).notices:
        said = notice.say("zh")
        assert all(part in said for part in (notice.key, notice.given, notice.used))
        assert "。" in said


def test_both_languages_have_the_same_notices_with_the_same_fields() -> None:
    fields = {
        language: {
            name: set(re.findall(r"{(\w+)}", sentence))
            for name, sentence in tomllib.loads(
                resources.files("roofline_app.data").joinpath("text", language, "notices.toml").read_text("utf-8")
            ).items()
        }
        for language in LANGUAGES
    }
    assert fields["zh"] == fields["en"]
