"""Figure 3 drawn: a straight line per drafter's costs, its own point ringed, the toy model as the dashed diagonal."""

from __future__ import annotations

from bokeh.models import ColumnDataSource, Line, Scatter
from bokeh.models.annotations import Slope, Span

from roofline_app.page.figures.acceptance.view import AcceptanceLine, AcceptanceView
from roofline_app.page.figures.chart import LABEL_GAP, LINES, Chart, change, replace_data
from roofline_app.page.figures.measured_points.layer import MarkLayer
from roofline_app.page.theme import Palette, drafter_colour
from roofline_app.text import sentence

HEIGHT = 280
LABEL_ROOM = 17 / 220
BORDER = 92
LEGIBLE = 0.8
COLUMNS = ("tokens_per_round", "speedup", "name")


class AcceptanceChart(Chart):
    """Speedup against tokens per round."""

    def __init__(self, palette: Palette, language: str) -> None:
        """Make the figure, without data."""
        super().__init__("acceptance", palette, height=HEIGHT, min_border_right=BORDER)
        self.plot.xaxis.axis_label = sentence("page.tokens_per_round_axis", language)
        self.one = Span(location=1, dimension="width", line_width=1, level="underlay")
        self.toy = Slope(gradient=1, y_intercept=0, line_width=1.5, line_dash=[5, 4], level="underlay")
        for annotation in (self.one, self.toy):
            self.plot.add_layout(annotation)
        self.sources = [ColumnDataSource({column: [] for column in COLUMNS}, name=f"acceptance-{i}") for i in LINES]
        self.lines = [
            self.draw(source, Line(x="tokens_per_round", y="speedup", line_width=2.5)) for source in self.sources
        ]
        self.marks = ColumnDataSource(
            {name: [] for name in ("name", "draft_tokens", "x", "y", "colour", "label", "end", "label_y")},
            name="acceptance-own",
        )
        ring = Scatter(x="x", y="y", size=13, line_width=2.6, line_color="colour")
        self.rings = self.draw(self.marks, ring, level="annotation")
        style = {"text_color": "colour", "text_font_style": "bold", "background_fill_alpha": LEGIBLE}
        self.names = self.words(self.marks, "end", "label_y", "label", x_offset=LABEL_GAP, **style)
        values = (sentence("page.tokens_per_round", language), sentence("page.speedup", language))
        self.hover(
            self.lines,
            "@name",
            [(values[0], "@tokens_per_round{0.00}"), (values[1], "@speedup{0.000}×")],
            line_policy="interp",
        )
        self.hover(
            [self.rings],
            "@name",
            [
                (sentence("page.draft_length", language), "@draft_tokens"),
                (values[0], "@x{0.00}"),
                (values[1], "@y{0.000}×"),
            ],
        )
        self.measured = MarkLayer("acceptance", self, language)
        self.restyle(palette)

    def restyle(self, palette: Palette) -> None:
        """Take another theme's colours."""
        super().restyle(palette)
        change(self.one, line_color=palette.rule)
        change(self.toy, line_color=palette.muted)
        change(self.rings.glyph, fill_color=palette.background)
        change(self.names.glyph, background_fill_color=palette.background)

    def update(self, view: AcceptanceView) -> None:
        """Show other lines."""
        self.set_axes(view.x, view.y)
        self.measured.update(view.marks, [line.colour for line in view.lines])
        for index in LINES:
            self._line(index, view.lines[index] if index < len(view.lines) else None)
        colours = [drafter_colour(self.palette, index, line.colour) for index, line in enumerate(view.lines)]
        shown = [(line, colour) for line, colour in zip(view.lines, colours, strict=True) if line.shown]
        replace_data(
            self.marks,
            {
                "name": [line.name for line, _ in shown],
                "draft_tokens": [line.draft_tokens for line, _ in shown],
                "x": [line.own_tokens_per_round for line, _ in shown],
                "y": [line.own_speedup for line, _ in shown],
                "colour": [colour for _, colour in shown],
                "label": [line.label for line, _ in shown],
                "end": [float(line.tokens_per_round[-1]) for line, _ in shown],
                "label_y": [line.label_y for line, _ in shown],
            },
        )

    def _line(self, index: int, line: AcceptanceLine | None) -> None:
        if line is None:
            replace_data(self.sources[index], {column: [] for column in COLUMNS})
            return
        change(self.lines[index], visible=line.shown)
        change(self.lines[index].glyph, line_color=drafter_colour(self.palette, index, line.colour))
        replace_data(
            self.sources[index],
            {
                "tokens_per_round": line.tokens_per_round,
                "speedup": line.speedup,
                "name": [line.name] * len(line.speedup),
            },
        )
