"""`static/types/protocol.d.ts`: the types of `roofline_app.page.protocol` as the scripts' type checker reads them.

`python -m roofline_app.site.script_types` writes the file; a test says when it is out of date.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from roofline_app.page import protocol

TARGET = Path(__file__).resolve().parents[2] / "static" / "types" / "protocol.d.ts"
_HEAD = "// Written by roofline_app/site/script_types.py from roofline_app/page/protocol.py: change that.\n"
_PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", object: "unknown"}
_EVENTS = "Events"


def declarations() -> str:
    """Return the text of the file."""
    named = [value for value in vars(protocol).values() if is_typeddict(value)]
    return _HEAD + "".join(f"\n{_events(one) if one is protocol.Handlers else _interface(one)}" for one in named)


def _interface(made: Any) -> str:
    """Return a TypedDict as an interface."""
    hints = get_type_hints(made, include_extras=True)
    lines = [f"  {_key(name)}{_optional(hint)}: {_type(hint)};" for name, hint in hints.items()]
    return _documented(made.__doc__, made.__name__, lines)


def _events(handlers: Any) -> str:
    """Return what is sent with each event: what its handler takes."""
    taken = {name: get_args(hint)[0][0] for name, hint in get_type_hints(handlers).items()}
    lines = [f"  {_key(name)}: {_type(value)};" for name, value in taken.items()]
    return _documented("What the page sends with each event, by its name.", _EVENTS, lines)


def _documented(doc: str, name: str, lines: Sequence[str]) -> str:
    return "\n".join([f"/** {doc} */", f"export interface {name} {{", *lines, "}", ""])


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def _optional(hint: Any) -> str:
    return "?" if get_origin(hint) is typing.NotRequired else ""


def _type(hint: Any) -> str:
    """Return a type in TypeScript's words.

    Raises:
        TypeError: For a type that JSON has no values of.
    """
    arguments = get_args(hint)
    match get_origin(hint):
        case None if hint is None:
            name = "null"
        case None if hint in _PLAIN:
            name = _PLAIN[hint]
        case None if is_typeddict(hint):
            name = str(hint.__name__)
        case typing.NotRequired:
            name = _type(arguments[0])
        case origin if origin is Literal:
            name = " | ".join(f'"{value}"' for value in arguments)
        case origin if origin in {Union, types.UnionType}:
            name = " | ".join(map(_type, arguments))
        case origin if origin in {list, Sequence}:
            item = _type(arguments[0])
            name = f"({item})[]" if " " in item else f"{item}[]"
        case origin if origin in {dict, Mapping}:
            name = f"Record<{', '.join(map(_type, arguments))}>"
        case _:
            message = f"{hint} has no values in JSON"
            raise TypeError(message)
    return name


if __name__ == "__main__":
    TARGET.write_text(declarations(), encoding="utf-8")
