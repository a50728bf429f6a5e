"""Links at random: pieces of the vocabulary, numbers as people and attackers type them, and damage to the whole."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from urllib.parse import quote

from roofline_app import registry
from roofline_app.hardware.parallelism import Layout
from roofline_app.query.decoding import KEYS
from roofline_app.query.vocabulary import CONTROLS, EXPERTS, FORMATS, KERNELS, KV_READS, THEMES, figure_ids

_NUMBERS = (
    *(
        "0",
        "1",
        "2",
        "3",
        "7",
        "8",
        "16",
        "64",
        "65",
        "4k",
        "1e2",
        "32.0",
        "0.5",
        "-1",
        "1e400",
        "nan",
        "inf",
        "1e-400",
    ),
    *("", "  5 ", "\u0663", "1_0", "0x10", "1M", "1e308", ".5", "5.", "+3", "--1", "1e", "\u00b2", "0.1", "8e12", "1T"),
    *("-0.0", "1e24", "1e25", "1e-9", "75%", "1,5"),
)
_DAMAGE = ("", "%", "&", "=", "\x00", "\u00e9", ",", "\ud800", "+", "%2", "\n")
_CHARACTERS = (
    *"a,=:;%&?+ <>'\"@.",
    "%25",
    "%2C",
    "\u202e",
    "\u6f22",
    "\ud800",
    "\n",
    "\t",
    "\x00",
    "x" * 50,
    "\U0001f388",
)
_COLOURS = ("ff0000", "#00FF00", "red", "12345")
_SWITCHES = {
    "layout": (*Layout, "tp%2Bep", "dp%2Bep"),
    "experts": EXPERTS,
    "kv-read": KV_READS,
    "kernels": KERNELS,
    "kv": ("published", *FORMATS),
    "weights": ("published", *FORMATS, "experts:fp4,linear:fp8,head:bf16", "linear:", "experts%3Afp4", ","),
    "theme": THEMES,
    "lang": ("en", "zh", "zh-CN", "fr"),
    "figures": (*figure_ids(), "speedup,map"),
    "controls": CONTROLS,
    "poster": ("article", "../x"),
    "v": ("1", "2", "0", "x"),
}


class Links:
    """Generates links from a seed."""

    def __init__(self, seed: int) -> None:
        """Take a seed."""
        self._random = Random(seed)
        one = self._random.choice
        self._words = {
            "model": tuple(registry.model_ids()),
            "gpu": tuple(registry.gpu_ids()),
            "profile": (*registry.profile_ids(), "calibrated"),
            "engine": tuple(registry.engine_ids()),
            "preset": tuple(registry.presets()),
            **_SWITCHES,
        }
        kinds, measured = tuple(registry.drafter_kinds()), tuple(registry.acceptance_ids())
        drafting = (*registry.model_ids(), *registry.drafter_ids())
        self._kind: Callable[[], str] = lambda: one(kinds)
        self._parts: tuple[Callable[[], str], ...] = (
            lambda: f"acceptance={self._number()}",
            lambda: f"length={self._number()}@{self._number()}",
            lambda: f"length={self._random.uniform(1, 5):.3f}@{self._random.randint(1, 8)}",
            lambda: "survival=" + ":".join(self._number() for _ in range(self._random.randint(0, 4))),
            lambda: f"survival={self._random.random():.3f}",
            lambda: f"preset={one(measured)}",
            lambda: f"mix={self._number()}:{one(('coding', 'x', '0.4'))};0.5:{one(measured)}",
            lambda: f"cost={one(('physical', self._number()))}",
            lambda: f"placement={one(('same', 'separate', 'x'))}",
            lambda: f"model={one(drafting)}",
            lambda: f"name={self._text()}",
            lambda: f"colour={one(_COLOURS)}",
            lambda: f"{one(('block', 'passes', 'gain', 'relax', 'link.latency', 'link.bandwidth'))}={self._number()}",
            self._text,
        )

    def link(self) -> str:
        """Return one link, damaged in one of ten."""
        text = "&".join(self._pair() for _ in range(self._random.randint(1, 6)))
        if self._random.random() < 0.1:
            place = self._random.randrange(len(text) + 1)
            text = text[:place] + self._random.choice(_DAMAGE) + text[place + self._random.randint(0, 3) :]
        return text

    def _number(self) -> str:
        if self._random.random() < 0.6:
            return self._random.choice(_NUMBERS)
        return repr(self._random.choice((self._random.random(), self._random.uniform(-3, 1e6))))

    def _text(self) -> str:
        return "".join(self._random.choice(_CHARACTERS) for _ in range(self._random.randint(0, 6)))

    def _drafter(self) -> str:
        parts = [self._random.choice(self._parts)() for _ in range(self._random.randint(0, 4))]
        return ",".join((self._kind(), *parts))

    def _pair(self) -> str:
        chance = self._random.random()
        if chance < 0.35:
            line = self._drafter()
            return "drafter=" + (quote(line, safe="", errors="replace") if self._random.random() < 0.5 else line)
        if chance < 0.65:
            key = self._random.choice(tuple(self._words))
            return f"{key}={self._random.choice(self._words[key])}"
        if chance < 0.9:
            return f"{self._random.choice(KEYS)}={self._number()}"
        if chance < 0.95:
            return "compare=" + quote(self._pair(), safe="", errors="replace")
        return f"{self._text()}={self._text()}"
