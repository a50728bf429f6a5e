"""The page's state besides its figures: the sentence, the headline, the cards, as plain text in plain lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from roofline_app import format as fmt, query, registry
from roofline_app.page.figures.look import Look
from roofline_app.page.forms.drafter_card import Card
from roofline_app.page.forms.drafter_controls import form_of
from roofline_app.page.protocol import CardFacts, DrafterCard, Headline, PresetWords, SentenceWords
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.resolved import drafter_names
from roofline_app.results import Evaluation
from roofline_app.scenario import Drafter, Hardware, Presentation, Scenario, with_pinned
from roofline_app.text import sentence, translated

LONGEST_LINK = 8_000


def _precision(scenario: Scenario, language: str) -> str:
    weights = scenario.weights
    chosen = {weights.experts, weights.linear, weights.head}
    if chosen == {"published"} and scenario.kv == "published":
        return sentence("page.precision_published", language)
    published = sentence("page.as_published", language)
    formats = {weights.experts, weights.linear}
    named = next(iter(formats)) if len(formats) == 1 else ""
    shown = named or sentence("page.mixed", language)
    return sentence(
        "page.precision_chosen",
        language,
        weights=published if shown == "published" else shown.upper() if named else shown,
        kv=published if scenario.kv == "published" else scenario.kv.upper(),
    )


def sentence_words(scenario: Scenario, evaluation: Evaluation, language: str) -> SentenceWords:
    """Return the words on the sentence's buttons, by control."""
    gpu = registry.gpu(scenario.gpu)
    nodes = "page.node_words" if scenario.gpus > 1 else "page.one_gpu_words"
    node = sentence(nodes, language, gpus=scenario.gpus, gpu=gpu.name)
    if scenario.hardware != Hardware():
        node = sentence("page.edited", language, node=node)
    ideal = "page.profile_words_add" if scenario.kv_read == "add" else "page.profile_words"
    fitted = "page.profile_fused_words" if scenario.kernels == "fused" else "page.profile_calibrated_words"
    key = ideal if evaluation.profile.id == Scenario().profile else fitted
    return {
        "model": evaluation.model.name,
        "node": node,
        "batch": fmt.count(scenario.batch),
        "context": fmt.tokens(scenario.context),
        "precision": _precision(scenario, language),
        "profile": sentence(key, language, profile=evaluation.profile.name),
    }


def preset_words(presets: Mapping[str, Scenario], language: str) -> list[PresetWords]:
    """Return title, story and link of each preset."""
    entries = list[PresetWords]()
    for preset, setting in presets.items():
        title, story = registry.presets()[preset].words(language)
        entries.append({"id": preset, "title": title, "story": story, "query": query.encode(setting)})
    return entries


def current_preset(presets: Mapping[str, Scenario], scenario: Scenario) -> str:
    """Return the id of the preset that the page shows, however it is looked at or compared; empty where it is none."""
    shown = replace(with_pinned(scenario), presentation=Presentation())
    return next((preset for preset, setting in presets.items() if setting == shown), "")


def headline_facts(evaluation: Evaluation, language: str) -> Headline:
    """Return the one big answer and the facts beside it: label, value, and the value without speculation."""
    best = evaluation.best_drafter
    position = evaluation.drafters.index(best)
    pays = best.best.draft_tokens > 0
    plain = evaluation.economics.without
    with_drafts = evaluation.economics.drafters[position] if pays else plain
    key = "page.draft_length_cap" if best.best.at_cap else "page.draft_length_plain"
    facts = [
        (
            sentence("page.draft_length_of", language, name=best.name),
            sentence(key, language, draft_tokens=best.best.draft_tokens),
            "",
        ),
        (
            sentence("page.per_user", language),
            fmt.rate(with_drafts.tokens_per_second_per_user),
            fmt.rate(plain.tokens_per_second_per_user).removesuffix(" tok/s"),
        ),
        (
            sentence("page.per_gpu", language),
            fmt.rate(with_drafts.tokens_per_second_per_gpu),
            fmt.rate(plain.tokens_per_second_per_gpu).removesuffix(" tok/s"),
        ),
    ]
    if with_drafts.usd_per_million_tokens is not None and plain.usd_per_million_tokens is not None:
        label = sentence("page.per_million", language)
        facts.append((label, fmt.usd(with_drafts.usd_per_million_tokens), fmt.usd(plain.usd_per_million_tokens)))
    return {
        "big": fmt.speedup(best.best.speedup),
        "words": sentence("page.faster" if pays else "page.slower", language),
        "facts": [
            {"label": label, "value": value, "was": sentence("page.was", language, value=was) if was and pays else ""}
            for label, value, was in facts
        ],
    }


def _card(line: Drafter, name: str, colour: str, language: str) -> CardFacts:
    kind, form = registry.drafter_kind(line.kind), form_of(line.acceptance)
    return {
        "name": name,
        "colour": colour,
        "kind": sentence(f"page.drafting_{kind.drafting}", language),
        "description": translated(f"drafter_kinds.{kind.id}", language, kind.description),
        "typed": form != "constant",
        "searched": form in {"measured", "mix"},
        "mixed": form == "mix",
        "hint": "" if form in {"measured", "mix"} else sentence(f"page.hint_{form}", language),
        "relative": line.cost is not None,
        "block": kind.in_blocks,
    }


def drafter_cards(scenario: Scenario, evaluation: Evaluation, palette: Palette, look: Look) -> list[DrafterCard]:
    """Return the cards of all drafters: facts, forms, and whether the line is drawn."""
    names = drafter_names(scenario.drafters)
    return [
        {
            **_card(line, name, drafter_colour(palette, index, line.colour), look.language),
            "hidden": index in look.hidden,
            "form": [
                field.as_json() for field in Card(scenario, index, evaluation.drafters[index], look.language).fields()
            ],
        }
        for index, (line, name) in enumerate(zip(scenario.drafters, names, strict=True))
    ]


def figures_note(scenario: Scenario, language: str) -> str:
    """Return which figures of the GPU neither its maker nor the device states; empty where there are none."""
    gpu = registry.gpu(scenario.gpu)
    figures = sentence("page.second_hand_between", language).join(
        sentence(f"page.second_hand_{name}", language) for name in gpu.second_hand
    )
    return sentence("page.second_hand", language, figures=figures, source=gpu.source) if figures else ""


def link_notices(link: str, language: str) -> list[str]:
    """Return notices on the link itself: that it is too long for some places."""
    if len(link) <= LONGEST_LINK:
        return []
    return [sentence("page.link_too_long", language, characters=fmt.count(len(link)))]
