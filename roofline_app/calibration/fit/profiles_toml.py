"""Fitted profiles as `data/profiles.toml` holds them, for whoever has added measured rows: `fit --toml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from roofline_app.timing.profiles import Profile

_DIGITS = 12


def profiles_toml(profiles: Iterable[Profile]) -> str:
    """Return profiles as the entries of `data/profiles.toml`.

    Args:
        profiles: Calibrated profiles.

    Returns:
        TOML text, which the registry reads back as the same profiles to twelve digits.
    """
    return "\n".join(_entry(profile) for profile in profiles)


def _entry(profile: Profile) -> str:
    words = ("name", "description", "source", "engine", "family")
    lines = [f"[{profile.id}]", *(f'{word} = "{getattr(profile, word)}"' for word in words)]
    lines += [f"rows = {profile.rows}", f'fitted = "{profile.fitted}"']
    if profile.errors:
        lines += ["errors = [", *(f"    {_inline(asdict(error))}," for error in profile.errors), "]"]
    if profile.evidence:
        lines += ["evidence = [", *(f"    {_inline(asdict(some))}," for some in profile.evidence), "]"]
    if profile.is_calibrated:
        constants = asdict(profile.constants).items()
        lines += [f"[{profile.id}.constants]", *(f"{name} = {value:.{_DIGITS}g}" for name, value in constants)]
    return "\n".join(lines) + "\n"


def _inline(fields: Mapping[str, object]) -> str:
    written = (
        f"{key} = {f'{value:.4f}' if isinstance(value, float) else _quoted(value)}" for key, value in fields.items()
    )
    return "{ " + ", ".join(written) + " }"


def _quoted(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_quoted(one) for one in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)
