"""BokehJS and its plugins, cut down to the models that the page has.

A bundle holds its modules as a list of functions, or as an object of them, each beginning a line; then come the key of
the first to run and the keys of modules by name. A module takes what it needs with its first parameter, by key or name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from itertools import pairwise

_START = re.compile(
    r"^(?:(?P<key>\d+|\"\w+\"): )?function _\((?P<require>[\w$]+)(?:,[\w$]+,(?P<exports>[\w$]+))?", re.MULTILINE
)
_LIST = "([\n"
_ENTRY = re.compile(r"\n[\]}], (?P<entry>\d+|\"\w+\"), (?P<names>\{.*\}), \{.*\}\);\}\);\s*$")
_NAME = re.compile(r'"([^"]+)":(\d+|"\w+")')
_MODULE = r'\((\d+|"\w+")\)'
_EXPORT = re.compile(rf'[\w$]\("(\w+)",[\w$]{_MODULE}\.\1\)')
_EXPORT_OF = re.compile(r'[\w$]\("(\w+)",([\w$]+)\.\1\)')  # of a module that has been taken before
_TAKEN = re.compile(rf"([\w$]+)=[\w$]{_MODULE}")
_ALL_OF = re.compile(rf"__exportStar\([\w$]{_MODULE}")
_LATE = re.compile(rf"Promise\.resolve\(\)\.then\(\(\(\)=>[\w$.(]+?{_MODULE}")  # WebGL, MathJax: drawn without
_OUTSIDE = "@bokehjs/"
_REGISTER = "register_models"
_EMPTY = "0,"


@dataclass(frozen=True, slots=True)
class Bundle:
    """A parsed bundle.

    Attributes:
        head: What stands before the modules.
        modules: Texts of modules by key, in their order.
        names: Keys of modules by name.
        entry: Key of the module that runs first.
        tail: What stands behind the modules.
        is_list: Whether a module's key is its place.
    """

    head: str
    modules: Mapping[str, str]
    names: Mapping[str, str]
    entry: str
    tail: str
    is_list: bool

    @classmethod
    def parsed(cls, text: str) -> Bundle:
        """Return a bundle.

        Raises:
            ValueError: If the text is none.
        """
        end = _ENTRY.search(text)
        starts = list(_START.finditer(text))
        if not end or not starts:
            message = "this is no bundle of BokehJS"
            raise ValueError(message)
        limits = [found.start() for found in starts] + [end.start() + 1]
        is_list = starts[0]["key"] is None
        keys = [str(place) if is_list else str(found["key"]) for place, found in enumerate(starts)]
        texts = [text[start:stop] for start, stop in pairwise(limits)]
        return cls(
            head=text[: limits[0]],
            modules=dict(zip(keys, texts, strict=True)),
            names=dict(_NAME.findall(end["names"])),
            entry=end["entry"],
            tail=text[limits[-1] :],
            is_list=is_list,
        )

    def key(self, name: str) -> str | None:
        """Return the key of a module by key or name; None where it is not in this bundle."""
        plain = name.strip('"').removeprefix(_OUTSIDE)
        candidates = (name, self.names.get(plain), self.names.get(f"{plain}/index"))
        return next((key for key in candidates if key in self.modules), None)

    def needs(self, key: str) -> Iterator[str]:
        """Yield what a module needs, by key or name; some of it may be in another bundle."""
        text = self.modules[key]
        found = _START.match(text)
        assert found
        name = re.escape(found["require"])
        yield from re.findall(rf'(?<![\w$.]){name}\((\d+|"[\w@/.-]+")\)', _LATE.sub("", text))

    def exported(self, key: str) -> dict[str, str]:
        """Return the modules of what an index exports, by name; what it has from other modules included."""
        text = self.modules[key]
        taken = dict(_TAKEN.findall(text))
        found = {name: taken[module] for name, module in _EXPORT_OF.findall(text) if module in taken}
        found |= dict(_EXPORT.findall(text))
        for other in _ALL_OF.findall(text):
            if other in self.modules:
                found |= self.defined(other) | self.exported(other)
        return found

    def defined(self, key: str) -> dict[str, str]:
        """Return a module's own definitions by name."""
        text = self.modules[key]
        start = _START.match(text)
        assert start
        exports = re.escape(start["exports"] or "exports")
        return dict.fromkeys(re.findall(rf"(?<![\w$.]){exports}\.([A-Z]\w*)=", text), key)

    def reached(self, names: Iterable[str]) -> tuple[set[str], set[str]]:
        """Return the keys of modules and of all that they need; and what of that is not in this bundle."""
        reached: set[str] = set()
        outside: set[str] = set()
        left = list(names)
        while left:
            name = left.pop()
            key = self.key(name)
            if key is None:
                outside.add(name)
            elif key not in reached:
                reached.add(key)
                left += self.needs(key)
        return reached, outside

    def text(self, kept: Set[str]) -> str:
        """Return the bundle with these modules only."""
        parts = [text if key in kept else (f"{_EMPTY}\n" if self.is_list else "") for key, text in self.modules.items()]
        return self.head + "".join(parts) + self.tail


def slim(texts: Iterable[str], models: Set[str], apart: Iterable[str] = ()) -> bytes:
    """Return BokehJS and its plugins as one script, with what these models need.

    Args:
        texts: BokehJS's bundle, then those of plugins, in the order in which they must run.
        models: Names of models as a document has them; a plugin's begin with the name of its Python module.
        apart: Names of modules that the page asks for itself.

    Raises:
        ValueError: If a text is no bundle that registers models, and for a model that is in none, by name.
    """
    names = {model.rpartition(".")[2] for model in models}
    asked = {f'"{name}"' for name in apart}
    parts: list[str] = []
    for text in reversed(list(texts)):
        part, asked = _with_models(text, names, asked)
        parts.insert(0, part)
    if asked:
        message = f"no bundle of BokehJS has {', '.join(sorted(asked))}"
        raise ValueError(message)
    script = "\n".join(parts)
    missing = sorted(name for name in names if f'.__name__="{name}"' not in script)
    if missing:
        message = f"BokehJS has no model {', '.join(missing)}"
        raise ValueError(message)
    return script.encode()


def _with_models(text: str, models: Set[str], asked: Set[str]) -> tuple[str, set[str]]:
    """Return a bundle with the wanted models of those that it has; and what it needs of others.

    A bundle of which nothing is wanted is an empty text.
    """
    bundle = Bundle.parsed(text)
    changed: dict[str, str] = {}
    wanted: set[str] = set()
    for key in [key for key, module in bundle.modules.items() if f"{_REGISTER})(" in module]:
        indexes = filter(None, map(bundle.key, bundle.needs(key)))
        places = [place for index in indexes for place in bundle.exported(index).items()]
        if places:
            found = [place for place in places if place[0] in models]  # modules may share a name
            wanted |= {name for name, _ in found}
            changed[key] = _registering("" if bundle.is_list else key, found)
    if not changed:
        message = "a bundle of BokehJS registers no models"
        raise ValueError(message)
    if not wanted and not any(map(bundle.key, asked)):
        return "", set(asked)
    less = replace(bundle, modules={**bundle.modules, **changed})
    kept, outside = less.reached([less.entry, *asked])
    return less.text(kept), outside


def _registering(key: str, places: Iterable[tuple[str, str]]) -> str:
    """Return a module that registers models, given by name and module."""
    models = ",".join(f"require({place}).{name}" for name, place in places)
    body = f'require("{_OUTSIDE}base").{_REGISTER}([{models}])'
    return f"{f'{key}: ' if key else ''}function _(require){{{body}}},\n"
