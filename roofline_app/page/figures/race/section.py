"""The race's section of the page: its note, which the page's own script writes, its buttons and its columns."""

from __future__ import annotations

SWITCH = '<button type="button" class="switch"'
BUTTONS = (
    f'<p class="race-buttons">{SWITCH} id="race-run" data-text="race_play">Play</button> '
    f'{SWITCH} id="race-again" data-text="race_again">Restart</button> '
    '<label for="race-speed" data-text="race_speed">speed</label> <select id="race-speed"></select></p>'
)


def _column(name: str, lane: int, choice: str, written: tuple[str, str]) -> str:
    """Return a column: its name, or a choice of runs, its rate, its text and its count."""
    key, words = written
    return (
        f'<div data-column="{name}"><p class="lane"></p>'
        f'<select class="lane-choice" data-lane="{lane}" aria-label="{choice}" data-label="race_choice_{lane}" hidden>'
        f'</select><p class="rate"></p><p class="written" tabindex="0" role="group" aria-label="{words}" '
        f'data-label="{key}"></p><p class="count"></p></div>'
    )


LEFT = _column("plain", 0, "What the left column shows", ("race_plain_text", "Text of plain decoding"))
RIGHT = _column("speculative", 1, "What the right column shows", ("race_fast_text", "Text with speculation"))
NOTE = '<p class="note" data-note="race"></p>'
BODY = (NOTE, BUTTONS, f'<div class="race">{LEFT}{RIGHT}</div>')
