"""Texts: every language says the same things with the same fields."""

from __future__ import annotations

import string
import tomllib
from importlib import resources

import pytest

from roofline_app import registry
from roofline_app.calibration.fit.measured_rows import sources
from roofline_app.text import LANGUAGES, TRANSLATIONS, phrases, sentence, translated

FOLDER = resources.files("roofline_app.data").joinpath("text")
SECTIONS = sorted(file.name for file in FOLDER.joinpath("en").iterdir() if file.name.endswith(".toml"))

every_translation = pytest.mark.parametrize("language", TRANSLATIONS)


def _sentences(language: str, section: str) -> dict[str, str]:
    return tomllib.loads(FOLDER.joinpath(language, section).read_text(encoding="utf-8"))


def _fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("section", SECTIONS)
@every_translation
def test_every_language_says_every_sentence_with_the_same_fields(language: str, section: str) -> None:
    english, other = _sentences("en", section), _sentences(language, section)
    assert english.keys() == other.keys()
    for key, template in english.items():
        # A translation may leave out what its grammar needs no word for, but can't say what it is not given.
        assert _fields(other[key]) <= _fields(template), key


def test_an_unknown_language_falls_back_to_english() -> None:
    assert sentence("verdict.between", "tlh") == sentence("verdict.between", "en")


def test_a_sentence_nobody_has_is_a_mistake_in_the_code() -> None:
    with pytest.raises(KeyError):
        sentence("verdict.no_such_sentence")


@every_translation
def test_every_kind_of_drafter_is_described_in_every_language(language: str) -> None:
    for kind in registry.drafter_kinds().values():
        assert translated(f"drafter_kinds.{kind.id}", "en", kind.description) == kind.description
        assert translated(f"drafter_kinds.{kind.id}", language, "") not in {"", kind.description}


def test_every_kind_of_drafter_has_a_name_of_its_own_in_every_language() -> None:
    kinds = registry.drafter_kinds().values()
    for language in LANGUAGES:
        assert len({translated(f"drafter_kinds.{kind.id}_name", language, kind.name) for kind in kinds}) == len(kinds)
    for language in TRANSLATIONS:
        assert all(translated(f"drafter_kinds.{kind.id}_name", language, "") for kind in kinds)
    assert translated("drafter_kinds.block_name", "zh", "Block") == "块式"


@every_translation
def test_the_conditions_of_every_measurement_are_said_in_every_language(language: str) -> None:
    known = _sentences(language, "conditions.toml")
    said = {part for spec in registry.acceptances().values() for part in spec.conditions.split(", ")}
    assert said <= known.keys()
    assert known.keys() - said == sources().keys()
    for spec in registry.acceptances().values():
        assert phrases("conditions", "en", spec.conditions) == spec.conditions
    assert phrases("conditions", "zh", "thinking on, unheard of") == "开启思考，unheard of"
