"""`static/types/protocol.d.ts`: the types of `roofline_app/page/protocol/` as the scripts' type checker reads them.

`python -m roofline_app.site.script_types` writes the file; a test says when it is out of date.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from roofline_app.page.protocol import events, manifest, state

TARGET = Path(__file__).resolve().parents[2] / "static" / "types" / "protocol.d.ts"
_HEAD = "// Written by roofline_app/site/script_types.py from roofline_app/page/protocol/: change that.\n"
_PLAIN: Mapping[Any, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    None: "null",  # of a function that takes nothing
    object: "unknown",
}
_EVENTS = "Events"


def declarations() -> str:
    """Return the text of the file."""
    members = {**vars(state), **vars(events), **vars(manifest)}
    named = [value for value in members.values() if is_typeddict(value)]
    choices = {name: value for name, value in members.items() if get_origin(value) is Literal}
    head = _HEAD + "".join(f"\nexport type {name} = {_type(value)};\n" for name, value in choices.items())
    return head + "".join(f"\n{_events(one) if one is events.Handlers else _interface(one)}" for one in named)


def _interface(made: Any) -> str:
    """Return a TypedDict as an interface."""
    hints = get_type_hints(made, include_extras=True)
    lines = [f"  {_key(name)}{_optional(hint)}: {_type(hint)};" for name, hint in hints.items()]
    return _documented(made.__doc__, made.__name__, lines)


def _events(handlers: Any) -> str:
    """Return the type of each event's value: its handler's parameter."""
    taken = {name: get_args(hint)[0][0] for name, hint in get_type_hints(handlers).items()}
    lines = [f"  {_key(name)}: {_type(value)};" for name, value in taken.items()]
    return _documented("What the page sends with each event, by its name.", _EVENTS, lines)


def _documented(doc: str, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"/** {doc} */", f"export interface {name} {{", *lines, "}", ""])


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def _optional(hint: Any) -> str:
    return "?" if get_origin(hint) is NotRequired else ""


def _type(hint: Any) -> str:
    """Return a type in TypeScript's words.

    Raises:
        TypeError: For a type that JSON has no values of.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in _COMPOUND:
        return _COMPOUND[origin](*arguments)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if is_typeddict(hint):
        return str(hint.__name__)
    message = f"{hint} has no values in JSON"
    raise TypeError(message)


def _listed(item: Any) -> str:
    text = _type(item)
    return f"({text})[]" if " " in text else f"{text}[]"


def _either(*members: Any) -> str:
    return " | ".join(map(_type, members))


def _mapped(*members: Any) -> str:
    return f"Record<{', '.join(map(_type, members))}>"


def _exactly(*values: str) -> str:
    return " | ".join(f'"{value}"' for value in values)


_COMPOUND: Mapping[Any, Callable[..., str]] = {
    NotRequired: _type,
    Literal: _exactly,
    Union: _either,
    types.UnionType: _either,
    list: _listed,
    Sequence: _listed,
    dict: _mapped,
    Mapping: _mapped,
}


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
