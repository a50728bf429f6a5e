"""Modules joined into one script: the worker comes in one request, and a page without an origin needs classic ones."""

from __future__ import annotations

import re
from collections.abc import Mapping

_IMPORT = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"\./([^"]+)";$', re.MULTILINE)
_DECLARED = re.compile(r"^export\s+((?:async\s+)?function\*?|const)\s+([\w$]+)", re.MULTILINE)
_LISTED = re.compile(r"(?:^|(?<=;))export\s*\{([^}]*)\};?", re.MULTILINE)
_LATE_IMPORT = re.compile(r"\bimport\(")
_LEFT = re.compile(r"^\s*(?:import\b(?!\()|export\b).*$", re.MULTILINE)
_MAP = re.compile(r"^//# sourceMappingURL=.*$", re.MULTILINE)
_MODULES = "const $modules = {};\n"
_CLASSIC = """"use strict";
const $modules = {};
const $import = async (address) => {
  const found = $modules[address.slice(address.lastIndexOf("/") + 1)];
  if (!found) throw new Error(`${address} is not in this file`);
  return found;
};
"""


def classic(modules: Mapping[str, str], entries: tuple[str, ...]) -> str:
    """Return one classic script that runs modules in the order in which their imports need them.

    What they import late is found among them too.

    Args:
        modules: Texts of modules by name; an import names another of them.
        entries: Modules to run, in this order; each brings what it imports.

    Raises:
        ValueError: For imports in a circle, of unknown modules, and for what this does not understand, by name.
    """
    return _CLASSIC + _LATE_IMPORT.sub("$import(", _in_order(modules, entries))


def joined(modules: Mapping[str, str], entries: tuple[str, ...]) -> str:
    """Return one module that does what modules do; what they import late, by its address, stays apart.

    Args:
        modules: Texts of modules by name; an import names another of them.
        entries: Modules to run, in this order; each brings what it imports.

    Raises:
        ValueError: For imports in a circle, of unknown modules, and for what this does not understand, by name.
    """
    return _MODULES + _in_order(modules, entries)


def _in_order(modules: Mapping[str, str], entries: tuple[str, ...]) -> str:
    """Return modules, each wrapped, behind all that they import."""
    order: list[str] = []
    for entry in entries:
        _visit(modules, entry, order, ())
    return "".join(_wrapped(name, modules[name]) for name in order)


def _visit(modules: Mapping[str, str], name: str, order: list[str], path: tuple[str, ...]) -> None:
    """Add a module to an order, behind all that it imports."""
    if name in path or name not in modules:
        message = f"{name}, imported by {' and '.join(path) or 'nothing'}, is {'among them' if path else 'not there'}"
        raise ValueError(message)
    if name in order:
        return
    for _, imported in _IMPORT.findall(modules[name]):
        _visit(modules, imported, order, (*path, name))
    order.append(name)


def _renamed(names: str, between: str) -> str:
    """Return names of an import or an export as those of an object: `a as b` is `a` between `b`, or the reverse."""
    pairs = [re.split(r"\s+as\s+", name.strip()) for name in names.split(",") if name.strip()]
    if between == "import":
        return ", ".join(": ".join(pair) for pair in pairs)
    return ", ".join(": ".join(reversed(pair)) for pair in pairs)


def _wrapped(name: str, text: str) -> str:
    """Return a module as a function that is called at once and returns what the module exports."""
    exported = [found for _, found in _DECLARED.findall(text)]
    exported += [_renamed(names, "export") for names in _LISTED.findall(text)]
    text = _IMPORT.sub(lambda found: f'const {{ {_renamed(found[1], "import")} }} = $modules["{found[2]}"];', text)
    text = _LISTED.sub("", _DECLARED.sub(r"\1 \2", text))
    text = _MAP.sub("", text)
    if left := _LEFT.search(text):
        message = f"{name}: {left[0].strip()} cannot be made part of a classic script"
        raise ValueError(message)
    return f'$modules["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();\n'
