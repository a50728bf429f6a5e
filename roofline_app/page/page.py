"""The page: controls to scenario to views to figures. The only file with callbacks.

A control makes a new scenario; `apply` takes it, writes the controls, evaluates, and updates what is visible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from bokeh.document import Document

from roofline_app import query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page import commands, downloads, state
from roofline_app.page.benchmarks.panel import Benchmarks
from roofline_app.page.drawing import SWITCHES, Drawing
from roofline_app.page.figures.look import Shown
from roofline_app.page.figures.nodes.view import offered
from roofline_app.page.figures.pinned_lines import pinned_words
from roofline_app.page.first_paint import first_paint
from roofline_app.page.forms import (
    assumptions,
    drafter_card,
    drafter_controls,
    edits,
    load_box,
    node_boxes,
)
from roofline_app.page.forms.controls import Controls, with_config, with_model
from roofline_app.page.forms.edits import refusal
from roofline_app.page.forms.model_list import model_list
from roofline_app.page.forms.typed_text import NotUnderstoodError, typed_model
from roofline_app.page.forms.widget_panel import WidgetPanel, chosen, value_of
from roofline_app.page.forms.widgets import add_to
from roofline_app.page.pinning import pinned_evaluations, swapped, with_pin
from roofline_app.page.protocol import GivenFile, Handlers, NumberedFile, PageState
from roofline_app.page.race_panel import RACE, RacePanel
from roofline_app.page.theme import PALETTES
from roofline_app.query.loads import write_load
from roofline_app.results import Evaluation
from roofline_app.scenario import MOST_DRAFTERS, Scenario, with_pinned
from roofline_app.specs import SpecError
from roofline_app.text import sentence
from roofline_app.verdict import answer


class Page:
    """A user's page.

    Attributes:
        controls: What the user has chosen.
        document: Bokeh document; its roots are the widgets by the names of their controls, and the figures.
        widgets: Panel's widgets, by the same names.
        drawing: The figures.
        evaluation: What follows from the chosen scenario.
    """

    def __init__(self, link: str, theme: str = "light", language: str = "en", document: Document | None = None) -> None:
        """Build the page of a link.

        Args:
            link: Query string, without question mark.
            theme: `light` or `dark`.
            language: Language of the words.
            document: What to build it in; None makes a document of its own.
        """
        decoded = query.decode(link)
        self.language = language
        self.controls = Controls(theme=theme, scenario=decoded.scenario)
        self.document = Document() if document is None else document
        self.panel = WidgetPanel(language, self._changed)
        self.widgets = self.panel.widgets
        self.drawing = Drawing(PALETTES[theme], language)
        self.evaluation: Evaluation
        self.measurements = Benchmarks(language)
        self._notices = [notice.say(language) for notice in decoded.notices]
        self._file: NumberedFile | None = None
        self._saved = 0
        self._engine = ""
        self.race = RacePanel(language)
        self._presets = {preset.id: query.decode(preset.query).scenario for preset in registry.presets().values()}
        self._preset_words = state.preset_words(self._presets, language)
        self._handlers = self._events()
        self.drawing.on_choice(lambda choice: self.apply(replace(self.controls.scenario, **choice)))
        self.apply(decoded.scenario, notices=self._notices)
        with self.document.models.freeze():  # each root would search all of the models anew
            add_to(self.document, self.widgets)
            for chart in self.drawing.charts.values():
                self.document.add_root(chart.plot)

    # Controls to scenario

    def _changed(self, name: str, value: Any) -> None:
        """Apply the user's choice of one widget."""
        scenario = self.controls.scenario
        try:
            self.apply(chosen(name, value, scenario, self.evaluation))
        except NotUnderstoodError as error:
            shown = value_of(name, scenario, self.drawing.palette)
            said = refusal(self.widgets[name].label, error, shown, self.language)
            self.apply(scenario, notices=[said], refused=name)

    # Scenario to everything that is shown

    def apply(self, scenario: Scenario, notices: list[str] | None = None, refused: str = "") -> None:
        """Show another scenario: the only writer of controls.

        Args:
            scenario: What to show.
            notices: Sentences that the user should see; those of the last change are gone.
            refused: Field whose text is not used, by the root or the form's field that it is; why is the first notice.
        """
        self.evaluation = evaluate(scenario)
        if len(scenario.drafters) != len(self.controls.scenario.drafters):
            self.drawing.look_at(hidden=frozenset())
        self.controls.scenario = scenario
        self._notices = list(notices or [])
        self._refused = refused
        self._file = None
        self.panel.write(scenario, self.drawing.palette, refused)
        self.drawing.mark(self.measurements.marks(scenario, self.evaluation))
        self.drawing.show(self.evaluation, pinned_evaluations(scenario))

    # What the page's own buttons do

    def handle(self, name: str, value: object) -> None:
        """Handle an event from outside of the widgets; unknown names are ignored.

        Args:
            name: What happened.
            value: With what, as JSON gives it.
        """
        handler = cast("Mapping[str, Callable[[object], None]]", self._handlers).get(name)
        if handler is not None:
            handler(value)

    def _events(self) -> Handlers:
        """Return the handlers of events by name."""
        return {
            "warm-up": lambda _: self.apply(self.controls.scenario, notices=self._notices),
            "preset": self._preset,
            "query": self._query,
            "model": self._model,
            "config": self._config,
            "files": self._take_files,
            "clear-points": self._clear_points,
            "fit-points": lambda _: self.measurements.fit(self.controls.scenario),
            "draft-length": self._draft_length,
            "contribute": self._contribute,
            "theme": self._theme,
            "narrow": lambda narrow: self.drawing.look_at(narrow=bool(narrow)),
            "add-drafter": lambda _: self.apply(drafter_controls.added_line(self.controls.scenario)),
            "remove-drafter": self._remove,
            "hide": self._hide,
            "field": self._field,
            "switch": self._switch,
            "show": self._show,
            "on-screen": self.drawing.leave_out,
            "table": partial(self._open, self.drawing.set_table),
            "working": partial(self._open, self.drawing.set_working),
            "choose": self.drawing.choose,
            "advance": self._advance,
            "pin": lambda pinned: self.apply(with_pin(self.controls.scenario, pinned=bool(pinned))),
            "swap": lambda _: self.apply(swapped(self.controls.scenario)),
            "save": self._save,
            "use": self._use,
            "validation": self._validation,
            "race": lambda change: self.race.choose(change, self.measurements.own.streams()),
        }

    def _preset(self, preset: str) -> None:
        """Show a preset; the presentation and the pinned settings stay."""
        if preset in self._presets:
            shown = self.controls.scenario
            chosen = replace(self._presets[preset], presentation=shown.presentation)
            self.apply(with_pinned(chosen, shown.pinned))

    def _query(self, link: str) -> None:
        decoded = query.decode(str(link))
        self.apply(decoded.scenario, notices=[notice.say(self.language) for notice in decoded.notices])

    def _model(self, text: str) -> None:
        """Take the model that a user has found, or named: by its id, its label, or its Hugging Face repository."""
        scenario = self.controls.scenario
        try:
            self.apply(with_model(scenario, typed_model(str(text))))
        except NotUnderstoodError as error:
            said = refusal(sentence("page.model", self.language), error, self.evaluation.model.name, self.language)
            self.apply(scenario, [said], "model-search")

    def _config(self, text: str) -> None:
        """Read a pasted or dropped config.json; what cannot be read leaves everything as it was."""
        try:
            scenario = with_config(self.controls.scenario, str(text))
            name = evaluate(scenario).model.name
        except (SpecError, ValueError) as error:
            refusal = sentence("page.config_refused", self.language, reason=str(error).splitlines()[0][:300])
            self.apply(self.controls.scenario, notices=[refusal])
        else:
            self.apply(scenario, notices=[sentence("page.config_read", self.language, name=name)])

    def _take_files(self, given: Any) -> None:
        """Read dropped files: a config.json, or benchmarks' measurements."""
        files = given if isinstance(given, list) else []
        config, said = self.measurements.take(files, self.controls.scenario)
        if config:
            self._config(config)
        scenario, load = self.controls.scenario, self.measurements.load(files)
        if load:
            scenario = replace(scenario, load=load)
            said.append(sentence("page.load_taken", self.language, load=write_load(load_box.shown(load))))
        self.apply(scenario, notices=[*(self._notices if config else []), *said])

    def _draft_length(self, change: Any) -> None:
        """Draw runs whose file does not state their draft length, with the one that the user states."""
        said = self.measurements.set_draft_length(change)
        self.apply(self.controls.scenario, notices=said)

    def _contribute(self, _: Any) -> None:
        self._offer(self.measurements.contribution(self.controls.scenario))

    def _clear_points(self, _: Any) -> None:
        self.measurements.own.files.clear()
        self.race.columns.reset()
        self.apply(self.controls.scenario)

    def _remove(self, index: Any) -> None:
        if isinstance(index, int) and 0 <= index < len(self.controls.scenario.drafters):
            self.apply(drafter_controls.removed_line(self.controls.scenario, index))

    def _theme(self, theme: str) -> None:
        if theme in PALETTES:
            self.controls.theme = theme
            self.drawing.restyle(PALETTES[theme])
            self.panel.write(self.controls.scenario, self.drawing.palette)

    def _switch(self, change: Any) -> None:
        """Apply a figure's switch to the look."""
        if isinstance(change, dict) and change.get("name") in SWITCHES:
            self.drawing.look_at(**{SWITCHES[change["name"]]: bool(change.get("on"))})

    def _field(self, change: Any) -> None:
        """Apply the user's choice in one of the forms of the state."""
        if isinstance(change, dict) and node_boxes.is_taking(change):
            ranked = offered(self.drawing.shown_of("nodes"))
            self.apply(node_boxes.with_ranked(self.controls.scenario, ranked, str(change.get("value"))))
        elif isinstance(change, dict):
            scenario, said = edits.edited(change, self.controls.scenario, self.evaluation, self.language)
            self.apply(scenario, said, f"{change.get('form')}-{change.get('field')}" if said else "")

    def _hide(self, change: Any) -> None:
        """Show or hide a line."""
        if isinstance(change, dict) and change.get("line") in range(MOST_DRAFTERS):
            line = frozenset({int(change["line"])})
            hidden = self.drawing.look.hidden
            self.drawing.look_at(hidden=hidden | line if change.get("hidden") else hidden - line)

    def _show(self, change: Any) -> None:
        if isinstance(change, dict):
            figure, visible = str(change.get("figure")), bool(change.get("visible"))
            self.race.see(figure, visible=visible)
            self.drawing.set_visible(figure, visible=visible)

    def _open(self, opener: Callable[..., None], change: Any) -> None:
        """Note whether a figure's table or working is open."""
        if isinstance(change, dict):
            opener(str(change.get("figure")), opened=bool(change.get("open")))

    def _advance(self, change: Any) -> None:
        """Work out one more piece of a figure."""
        if isinstance(change, dict):
            self.drawing.advance(str(change.get("figure")), change.get("revision"))

    def _validation(self, opened: Any) -> None:
        self.measurements.opened = bool(opened)

    def _save(self, wish: Any) -> None:
        """Offer a file; it stays in the state until the setting changes."""
        if isinstance(wish, dict):
            figure, kind = str(wish.get("figure")), str(wish.get("kind"))
            if figure == RACE:
                file = self.race.file(kind, self.shown(), self.drawing.palette, self.measurements.own.streams())
            else:
                file = downloads.file_of(figure, kind, self.evaluation, self.drawing.rows(figure), self.language)
            self._offer(file)

    def _offer(self, file: GivenFile | None) -> None:
        self._saved += 1
        self._file = {**file, "number": self._saved} if file else None

    def shown(self) -> Shown:
        """Return the shown evaluation and look."""
        return Shown(evaluation=self.evaluation, look=self.drawing.look)

    def _use(self, engine: Any) -> None:
        """Show or hide the serving commands."""
        self._engine = str(engine)

    def first_paint(self) -> dict[str, str]:
        """Return SVG of the figures at the top, by the name of the root that takes its place."""
        return first_paint(self.shown())

    # What the page says

    def state(self) -> PageState:
        """Return all words that the page shows, as JSON values."""
        scenario, evaluation = self.controls.scenario, self.evaluation
        link, said = query.encode(scenario), answer(evaluation, self.language)
        drawn, shown, runs = self.drawing.state(), self.shown(), self.measurements.own.streams()
        raced = {RACE: self.race.table(shown, runs)} if RACE in drawn["tables"] else {}
        return {
            "query": link,
            "pinned": pinned_words(pinned_evaluations(scenario), self.language),
            "language": self.language,
            "theme": self.controls.theme,
            "words": state.sentence_words(scenario, evaluation, self.language),
            "headline": state.headline_facts(evaluation, self.language),
            "headline_text": said.headline,
            "verdict": said.verdict,
            "notices": [*self._notices, *said.notices, *state.link_notices(link, self.language)],
            "refused": {"field": self._refused, "text": self._notices[0]} if self._refused else None,
            "drafters": state.drafter_cards(scenario, evaluation, self.drawing.palette, self.drawing.look),
            "lists": drafter_card.lists(scenario),
            "assumptions": [field.as_json() for field in assumptions.fields(scenario, evaluation, self.language)],
            "footer": assumptions.assumption_summary(evaluation, self.language),
            "figures_note": state.figures_note(scenario, self.language),
            "most_drafters": MOST_DRAFTERS,
            "presets": self._preset_words,
            "preset": state.current_preset(self._presets, scenario),
            "models": list(model_list(self.language)),
            "model": scenario.model,
            "file": self._file,
            "race": self.race.state(shown, self.drawing.palette, runs),
            "use": commands.engine_commands(scenario, self._engine, self.language),
            **self.measurements.state(scenario, evaluation),
            **edits.boxes(scenario, offered(self.drawing.shown_of("nodes")), self.language),  # type: ignore[typeddict-item]
            **drawn,
            "notes": {**drawn["notes"], "profile": evaluation.profile.description},
            "mark_tables": {**drawn["mark_tables"], **raced},
        }
