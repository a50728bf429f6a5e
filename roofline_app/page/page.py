"""The page: controls to scenario to views to figures. The only file with callbacks.

A control makes a new scenario; `apply` takes it, writes the controls, evaluates, and updates what is visible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from bokeh.document import Document

from roofline_app import format as fmt, query, registry
from roofline_app.evaluation import evaluate
from roofline_app.page import commands, downloads, state
from roofline_app.page.benchmarks.panel import Benchmarks
from roofline_app.page.drawing import Drawing
from roofline_app.page.figures.pinned_lines import pinned_words
from roofline_app.page.figures.race.columns import RaceColumns
from roofline_app.page.figures.race.view import RaceView, columns_table, race_rows
from roofline_app.page.first_paint import first_paint
from roofline_app.page.forms import assumptions, drafter_card, drafter_controls, edits, payoff_boxes
from roofline_app.page.forms.controls import FIELDS, Controls, with_config, with_model
from roofline_app.page.forms.drafter_controls import LINE_FIELDS
from roofline_app.page.forms.edits import refusal
from roofline_app.page.forms.typed_text import NotUnderstoodError
from roofline_app.page.forms.widgets import add_to, line_widgets, setting_widgets
from roofline_app.page.pinning import pinned_evaluation, swapped, with_pin
from roofline_app.page.posters import framed, moving_race, still_race
from roofline_app.page.protocol import GivenFile, Handlers, NumberedFile, PageState, RaceWords
from roofline_app.page.theme import PALETTES, drafter_colour
from roofline_app.results import Evaluation
from roofline_app.scenario import MOST_DRAFTERS, Scenario
from roofline_app.specs import SpecError
from roofline_app.text import sentence
from roofline_app.verdict import answer

LONGEST_LINK = 8_000


class Page:
    """A reader's page.

    Attributes:
        controls: What the reader has chosen.
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
        self.labels = {model: label for label, model in registry.model_labels().items()}
        self.widgets = dict(setting_widgets(language))
        for index in range(MOST_DRAFTERS):
            self.widgets |= {f"{name}-{index}": widget for name, widget in line_widgets(index, language).items()}
        self.drawing = Drawing(PALETTES[theme], language)
        self.evaluation: Evaluation
        self._writing = False
        self.measurements = Benchmarks(language)
        self._notices = [notice.say(language) for notice in decoded.notices]
        self._file: NumberedFile | None = None
        self._saved = 0
        self._engine = ""
        self.racing = RaceColumns(language)
        self._presets = {preset.id: query.decode(preset.query).scenario for preset in registry.presets().values()}
        self._preset_words = state.preset_words(self._presets, language)
        self._watch()
        self.drawing.map.on_choice(self._place)
        self.apply(decoded.scenario, notices=self._notices)
        with self.document.models.freeze():  # each root would search all of the models anew
            add_to(self.document, self.widgets)
            for chart in self.drawing.charts.values():
                self.document.add_root(chart.plot)

    # Controls to scenario

    def _watch(self) -> None:
        for name, widget in self.widgets.items():
            widget.param.watch(partial(self._changed, name), "value")

    def _changed(self, name: str, event: Any) -> None:
        """Take what a reader chose with one widget."""
        if self._writing:
            return
        try:
            scenario = self._chosen(name, event.new)
        except NotUnderstoodError as error:
            self.apply(self.controls.scenario, notices=[self._refusal(name, error)])
        else:
            self.apply(scenario)

    def _chosen(self, name: str, value: Any) -> Scenario:
        """Return the scenario after a widget was set to a value."""
        scenario: Scenario = self.controls.scenario
        if name == "model":
            model = registry.model_labels().get(str(value))
            return with_model(scenario, model) if model else scenario
        if name in FIELDS:
            return FIELDS[name].write(scenario, value)
        kind, _, number = name.rpartition("-")
        index = int(number)
        if index >= len(scenario.drafters):
            return scenario
        if kind == "form":
            return drafter_controls.with_form(scenario, index, value, self.evaluation.drafters[index].tokens_per_round)
        return LINE_FIELDS[kind].write(scenario, index, value)

    def _refusal(self, name: str, error: NotUnderstoodError) -> str:
        return refusal(self.widgets[name].label, error, self._value(name), self.language)

    # Scenario to everything that is shown

    def apply(self, scenario: Scenario, notices: list[str] | None = None) -> None:
        """Show another scenario: the only writer of controls.

        Args:
            scenario: What to show.
            notices: Sentences that the reader should see; those of the last change are gone.
        """
        self.evaluation = evaluate(scenario)
        if len(scenario.drafters) != len(self.controls.scenario.drafters):
            self.drawing.look_at(hidden=frozenset())
        self.controls.scenario = scenario
        self._notices = list(notices or [])
        self._file = None
        self._write_widgets()
        self.drawing.mark(self.measurements.marks(scenario, self.evaluation))
        self.drawing.show(scenario, self.evaluation, pinned_evaluation(scenario.compare))

    def _value(self, name: str) -> Any:
        """Return what a widget should show."""
        scenario = self.controls.scenario
        if name == "model":
            return ""
        if name in FIELDS:
            return FIELDS[name].read(scenario)
        kind, _, number = name.rpartition("-")
        line = scenario.drafters[int(number)]
        if kind == "form":
            return drafter_controls.form_of(line.acceptance)
        if kind == "colour":
            return drafter_colour(self.drawing.palette, int(number), line.colour)
        return LINE_FIELDS[kind].read(line)

    def _shown(self, name: str) -> bool:
        _, _, number = name.rpartition("-")
        return not number.isdigit() or int(number) < len(self.controls.scenario.drafters)

    def _write_widgets(self) -> None:
        """Set the widgets that do not show the scenario; what a reader typed is put into its plain form."""
        self._writing = True
        try:
            for name, widget in self.widgets.items():
                if not self._shown(name):
                    continue
                value = self._value(name)
                if widget.value != value:
                    widget.value = value
        finally:
            self._writing = False

    # What the page's own buttons do

    def handle(self, name: str, value: object) -> None:
        """Take what the reader did outside of the widgets; unknown names are ignored.

        Args:
            name: What happened.
            value: With what, as JSON gives it.
        """
        handlers: Handlers = {
            "warm-up": lambda _: self.apply(self.controls.scenario, notices=self._notices),
            "preset": self._preset,
            "query": self._query,
            "model": self._model,
            "config": self._config,
            "files": self._take_files,
            "clear-points": self._clear_points,
            "fit-points": lambda _: self.measurements.fit(self.controls.scenario),
            "theme": self._theme,
            "narrow": self._narrow,
            "add-drafter": lambda _: self.apply(drafter_controls.added_line(self.controls.scenario)),
            "remove-drafter": self._remove,
            "fixed-length": self._fixed,
            "hide": self._hide,
            "field": self._field,
            "show": self._show,
            "on-screen": self.drawing.leave_out,
            "table": self._table,
            "working": self._working,
            "pin": lambda pinned: self.apply(with_pin(self.controls.scenario, pinned=bool(pinned))),
            "swap": lambda _: self.apply(swapped(self.controls.scenario)),
            "save": self._save,
            "use": self._use,
            "map-lengths": lambda lengths: self.drawing.look_at(lengths=bool(lengths)),
            "advance": self.drawing.advance,
            "validation": self._validation,
            "race": self._race_choice,
            "advance-sensitivity": self.drawing.advance_sensitivity,
            "band": lambda banded: self.drawing.set_band(banded=bool(banded)),
        }
        handler = cast("Mapping[str, Callable[[object], None]]", handlers).get(name)
        if handler is not None:
            handler(value)

    def _preset(self, preset: str) -> None:
        """Show a preset; how the reader looks at the page and what is pinned stay."""
        if preset in self._presets:
            shown = self.controls.scenario
            self.apply(replace(self._presets[preset], presentation=shown.presentation, compare=shown.compare))

    def _query(self, link: str) -> None:
        decoded = query.decode(str(link))
        self.apply(decoded.scenario, notices=[notice.say(self.language) for notice in decoded.notices])

    def _model(self, model: str) -> None:
        if model in self.labels:
            self.apply(with_model(self.controls.scenario, model))

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
        config, said = self.measurements.take(given if isinstance(given, list) else [], self.controls.scenario)
        if config:
            self._config(config)
        self.apply(self.controls.scenario, notices=[*(self._notices if config else []), *said])

    def _clear_points(self, _: Any) -> None:
        self.measurements.own.files.clear()
        self.racing.reset()
        self.apply(self.controls.scenario)

    def _remove(self, index: Any) -> None:
        if isinstance(index, int) and 0 <= index < len(self.controls.scenario.drafters):
            self.apply(drafter_controls.removed_line(self.controls.scenario, index))

    def _theme(self, theme: str) -> None:
        if theme in PALETTES:
            self.controls.theme = theme
            self.drawing.restyle(PALETTES[theme])
            self._write_widgets()

    def _narrow(self, narrow: bool) -> None:
        self.drawing.look_at(narrow=bool(narrow))

    def _fixed(self, fixed: bool) -> None:
        self.drawing.look_at(fixed=bool(fixed))

    def _field(self, change: Any) -> None:
        """Take what a reader chose in one of the forms that stand as data in the state."""
        if isinstance(change, dict):
            self.apply(*edits.edited(change, self.controls.scenario, self.evaluation, self.language))

    def _hide(self, change: Any) -> None:
        """Take which line the reader wants to see or not."""
        if isinstance(change, dict) and change.get("line") in range(MOST_DRAFTERS):
            line = frozenset({int(change["line"])})
            hidden = self.drawing.look.hidden
            self.drawing.look_at(hidden=hidden | line if change.get("hidden") else hidden - line)

    def _show(self, change: Any) -> None:
        if isinstance(change, dict):
            self.racing.seen |= change.get("figure") == "race" and bool(change.get("visible"))
            self.drawing.set_visible(str(change.get("figure")), visible=bool(change.get("visible")))

    def _table(self, change: Any) -> None:
        if isinstance(change, dict):
            self.drawing.set_table(str(change.get("figure")), opened=bool(change.get("open")))

    def _working(self, change: Any) -> None:
        if isinstance(change, dict):
            self.drawing.set_working(str(change.get("figure")), opened=bool(change.get("open")))

    def _place(self, batch: int, context: int) -> None:
        """Take the setting of a cell of the map."""
        self.apply(replace(self.controls.scenario, batch=batch, context=context))

    def _validation(self, opened: Any) -> None:
        self.measurements.opened = bool(opened)

    def _save(self, wish: Any) -> None:
        """Give the reader a file; it stays in the state until the setting changes."""
        if isinstance(wish, dict):
            figure, kind = str(wish.get("figure")), str(wish.get("kind"))
            self._saved += 1
            is_race = figure == "race"
            file = self._race_file(kind) if is_race else self._figure_file(figure, kind)
            self._file = {**file, "number": self._saved} if file else None

    def _figure_file(self, figure: str, kind: str) -> GivenFile | None:
        return downloads.file_of(figure, kind, self.evaluation, self.drawing.rows(), self.language)

    def _race_file(self, kind: str) -> GivenFile | None:
        """Return a file of the race as the reader has it; the other figures know nothing of a reader's own runs."""
        view = self._race_view()
        draw = {"svg": moving_race, "png": still_race}.get(kind)
        if draw is None:
            return downloads.file_of("race", kind, self.evaluation, {"race": race_rows(view)})
        picture = draw(view, self.drawing.palette, self.language)
        drawing = framed(self.evaluation, "race", picture, self.drawing.palette, self.language)
        return downloads.picture_file("race", kind, drawing)

    def _race_choice(self, change: Any) -> None:
        """Take what a column of the race shows."""
        if isinstance(change, dict):
            self.racing.choose(change.get("column"), change.get("run"), len(self.measurements.own.streams()))

    def _race_view(self) -> RaceView:
        """Return the race as the reader has it."""
        return self.racing.view(self.evaluation, self.controls.scenario.seed, self.measurements.own.streams())

    def _race(self) -> RaceWords | None:
        seed, runs = self.controls.scenario.seed, self.measurements.own.streams()
        return self.racing.state(self.evaluation, seed, self.drawing.palette, runs)

    def _use(self, engine: Any) -> None:
        """Say how to use the setting on an engine, or no longer."""
        self._engine = str(engine)

    def first_paint(self) -> dict[str, str]:
        """Return SVG of the figures at the top, by the name of the root that takes its place."""
        return first_paint(self.evaluation, self.drawing.look)

    # What the page says

    def _link_notices(self, link: str) -> list[str]:
        if len(link) <= LONGEST_LINK:
            return []
        return [sentence("page.link_too_long", self.language, characters=fmt.count(len(link)))]

    def state(self) -> PageState:
        """Return all words that the page shows, as JSON values."""
        scenario, evaluation = self.controls.scenario, self.evaluation
        link, said = query.encode(scenario), answer(evaluation, self.language)
        pinned = pinned_evaluation(scenario.compare)
        drawn = self.drawing.state()
        raced = {"race": columns_table(self._race_view(), self.language).as_json()} if "race" in drawn["tables"] else {}
        return {
            "query": link,
            "pinned": pinned_words(pinned, self.language) if pinned else "",
            "language": self.language,
            "theme": self.controls.theme,
            "words": state.sentence_words(scenario, evaluation, self.language),
            "headline": state.headline_facts(evaluation, self.language),
            "headline_text": said.headline,
            "verdict": said.verdict,
            "notices": [*self._notices, *said.notices, *self._link_notices(link)],
            "drafters": state.drafter_cards(scenario, evaluation, self.drawing.palette, self.drawing.look),
            "lists": drafter_card.lists(scenario),
            "assumptions": [field.as_json() for field in assumptions.fields(scenario, evaluation, self.language)],
            "payoff": [field.as_json() for field in payoff_boxes.fields(scenario, self.language)],
            "footer": assumptions.assumption_summary(evaluation, self.language),
            "most_drafters": MOST_DRAFTERS,
            "fixed_length": self.drawing.look.fixed,
            "presets": self._preset_words,
            "preset": state.current_preset(self._presets, scenario),
            "models": [{"id": model, "label": label} for model, label in self.labels.items()],
            "model": scenario.model,
            "file": self._file,
            "race": self._race(),
            "use": commands.engine_commands(scenario, self._engine, self.language),
            **self.measurements.state(scenario, evaluation),
            **drawn,
            "mark_tables": {**drawn["mark_tables"], **raced},
        }
