"""Bytes of a file as text, and text as JSON documents with their lines; hostile content is refused early."""

from __future__ import annotations

import codecs
import io
import json
import re
from collections.abc import Iterator

from roofline_app.calibration.benchmarks.remarks import UnusableError

LARGEST_BYTES = 1 << 24
DEEPEST = 64
MOST_BRACKETS = 1 << 20
# Strings are taken whole, closed or not, so that brackets within them do not count; many in a row at once, so that no
# text takes long.
_STRUCTURE = re.compile(r'(?:"(?:[^"\\]++|\\.)*+"?[^"\[\]{}]*+)++|[\[{]|[\]}]', re.DOTALL)
# Whole numbers become floats: a thousand digits are infinity then, not an error of the interpreter.
_DECODER = json.JSONDecoder(parse_int=float)
_BLANK = re.compile(r"[\s,]*")
# Colours and titles that terminals keep in what is copied or recorded; possessive, so that none is tried twice.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;:?<=>]{0,64}+[ -/]{0,4}+[@-~]|\][^\x07\x1b\n]{0,512}+(?:\x07|\x1b\\)|[ -/]?[0-~])?"
)
MOST_ESCAPES = 1 << 20
# What stands before a pasted file: the prompt, and the command that printed it.
_PROMPT = re.compile(r"(?:[^\n]{0,256}?[\w~/\])] ?)?[$%❯] [^\n]{0,4096}(?=\n)")
_MOST_PROMPTS = 8
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def text_of(content: bytes) -> str:
    """Return a file's text.

    Args:
        content: UTF-8, or UTF-16 with a byte order mark, as some shells write it; at most `LARGEST_BYTES`.

    Returns:
        The text, without a terminal's escape sequences.

    Raises:
        UnusableError: When it is too large, empty, binary or in another encoding.
    """
    if len(content) > LARGEST_BYTES:
        raise UnusableError("too_large", given=len(content), most=LARGEST_BYTES)
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise UnusableError("not_text", position=error.start) from None
    if "\0" in text:
        raise UnusableError("binary", position=text.index("\0"))
    if not text.strip():
        raise UnusableError("empty")
    if text.count("\x1b") > MOST_ESCAPES:
        raise UnusableError("too_many_escapes", most=MOST_ESCAPES)
    return _ESCAPES.sub("", text) if "\x1b" in text else text


def without_prompts(text: str) -> str:
    """Return a text whose first lines are blank where they are prompts of a shell; lines keep their numbers.

    Args:
        text: What was pasted: often the command that printed a file, and the file.
    """
    end = 0
    for _ in range(_MOST_PROMPTS):
        found = _PROMPT.match(text, end)
        if found is None:
            break
        end = found.end() + 1
    return text if end == 0 else "\n" * text.count("\n", 0, end) + text[end:]


def _refuse_structure(text: str) -> None:
    if text.count("{") + text.count("[") <= DEEPEST:
        return
    depth = brackets = 0
    for found in _STRUCTURE.finditer(text):
        sign = found[0]
        if sign in {"{", "["}:
            depth += 1
            brackets += 1
        elif sign in {"}", "]"}:
            depth -= 1
        if depth > DEEPEST:
            raise UnusableError("too_deep", most=DEEPEST)
        if brackets > MOST_BRACKETS:
            raise UnusableError("too_many_tables", most=MOST_BRACKETS)


def _decoded(text: str, start: int = 0) -> tuple[object, int]:
    try:
        value: object
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too large"
        line = error.lineno if isinstance(error, json.JSONDecodeError) else text.count("\n", 0, start) + 1
        raise UnusableError("not_json", line=line, reason=reason) from None
    return value, end


def _whole(text: str) -> object:
    _refuse_structure(text)
    value, end = _decoded(text)
    if text[end:].strip():
        raise UnusableError("not_json", line=1, reason="Extra data")
    return value


def _is_lines(text: str) -> bool:
    first = next((line for line in io.StringIO(text) if line.strip()), "").strip()
    if not first.endswith("}"):
        return False
    try:
        return isinstance(_whole(first), dict)
    except UnusableError:
        return False


def documents(text: str) -> Iterator[tuple[int, object]]:
    """Yield the JSON documents of a text, each with the line on which it starts.

    Understood are one object per line, objects one after another however they are laid out, and lists of objects.

    Args:
        text: The file's text.

    Yields:
        Line and value; the value is an `UnusableError` for a line that is broken while others are not.

    Raises:
        UnusableError: When the text is no JSON, or nested too deep.
    """
    if _is_lines(text):
        yield from _lines(text)
    else:
        yield from _stream(text)


def _lines(text: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(io.StringIO(text), start=1):
        stripped = line.strip()
        if not stripped:
            continue
        try:
            value = _whole(stripped)
        except UnusableError as error:
            yield number, UnusableError("broken_line") if error.name == "not_json" else error
            continue
        yield number, value


def _stream(text: str) -> Iterator[tuple[int, object]]:
    _refuse_structure(text)
    line, counted, end = 1, 0, 0
    while True:
        blank = _BLANK.match(text, end)
        start = blank.end() if blank else end
        if start >= len(text):
            return
        line += text.count("\n", counted, start)
        counted = start
        value, end = _decoded(text, start)
        if isinstance(value, list):
            yield from ((line, item) for item in value)
        else:
            yield line, value
