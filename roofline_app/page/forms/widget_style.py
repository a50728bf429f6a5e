"""The look of Panel's widgets: one sheet for all of them, in the page's own colours.

Widgets live in shadow roots, which only custom properties cross; `static/style.css` sets these by theme.
"""

WIDGET_CSS = """
:host { margin: 0 !important; width: 100%; font: inherit; color: var(--text); }
.bk-input-group { display: block; width: 100%; }
label { display: block; margin: 0 0 3px; padding: 0; font: inherit; font-size: 13px; color: var(--muted);
  white-space: normal; }
:host(.bare) .bk-input-group > label, :host(.bare) .bk-slider-title { display: block; position: absolute; width: 1px;
  height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bk-input, input.bk-input, select.bk-input { width: 100%; height: 32px; min-height: 32px; margin: 0; padding: 4px 8px;
  font: inherit; font-size: 14px; font-variant-numeric: tabular-nums; color: var(--text);
  background-color: var(--field);
  border: 1px solid var(--field-line); border-radius: 5px; box-shadow: none; }
select.bk-input { padding-right: 20px; text-overflow: ellipsis; background-repeat: no-repeat !important;
  background-image: linear-gradient(45deg, transparent 50%, var(--muted) 50%),
    linear-gradient(135deg, var(--muted) 50%, transparent 50%) !important;
  background-position: right 11px center, right 6px center !important; background-size: 5px 5px !important; }
select.bk-input option, select.bk-input optgroup { background: var(--field); color: var(--text); }
.bk-input::placeholder { color: var(--muted); opacity: 1; }
.bk-input:focus { outline: 2px solid var(--accent); outline-offset: 1px; border-color: var(--accent);
  box-shadow: none; }
.bk-input[aria-invalid="true"] { border-color: var(--warn); box-shadow: inset 0 0 0 1px var(--warn); }
.bk-input:disabled { opacity: .55; }
:host(.small) .bk-input { height: 26px; min-height: 26px; padding: 2px 6px; font-size: 13px; text-align: right; }
:host(.small) select.bk-input { text-align: left; }
:host(.small) label { font-size: 12px; }
.bk-slider-title { font: inherit; font-size: 13px; color: var(--muted); padding: 0; margin-bottom: 2px; }
.bk-slider-value { display: none; }
.noUi-target { margin: 8px 8px; background: var(--track); border: 0; border-radius: 3px; box-shadow: none; }
.noUi-horizontal { height: 4px; }
.noUi-connects { border-radius: 3px; }
.noUi-connect { background: var(--line-colour, var(--accent)) !important; border: 0; box-shadow: none; }
.noUi-horizontal .noUi-handle { width: 16px; height: 16px; top: -6px; right: -8px; border-radius: 50%;
  border: 2px solid var(--line-colour, var(--accent)); background: var(--page); box-shadow: none; cursor: grab; }
.noUi-target, .noUi-target * { touch-action: pan-y !important; }
.noUi-handle::before, .noUi-handle::after { display: none; }
.noUi-touch-area { position: absolute; inset: -10px; width: auto; height: auto; }
.noUi-handle:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.bk-menu { max-height: 260px; margin-top: 4px; overflow: auto; background: var(--page); color: var(--text);
  border: 1px solid var(--field-line); border-radius: 6px; box-shadow: 0 6px 24px rgb(0 0 0 / .18); font-size: 14px; }
.bk-menu > * { padding: 5px 10px; color: var(--text); background: var(--page); }
.bk-menu > .bk-active, .bk-menu > :hover { background: var(--soft) !important; color: var(--text) !important; }
"""
