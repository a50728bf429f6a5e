"""What stands beside each of the user's files: how its setting differs, that setting, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

from roofline_app import format as fmt, query
from roofline_app.calibration.benchmarks import Imported, MeasuredPoint
from roofline_app.calibration.benchmarks.pairs import lacks_draft_length
from roofline_app.calibration.contribution import contribution
from roofline_app.calibration.contribution_issue import issue_text
from roofline_app.calibration.differences import differences, setting_of
from roofline_app.page.protocol import GivenFile, OwnFileWords
from roofline_app.scenario import Presentation, Scenario, with_pinned
from roofline_app.text import sentence

# More files than these are read all the same; their settings are not offered.
MOST_LISTED = 50
_NAME = "measurement.md"


_STATED = attrgetter("engine", "model", "gpu", "gpus", "weights", "kv")


@lru_cache(maxsize=4 * MOST_LISTED)
def _beside(points: tuple[MeasuredPoint, ...], scenario: Scenario, language: str) -> tuple[tuple[str, ...], str]:
    """Return how points differ from a setting in words, and the link of the setting with what the first one states."""
    said = tuple(found.say(language) for found in differences(points, scenario))
    return said, query.encode(setting_of(points[0], scenario)) if said else ""


def _settings(imported: Imported) -> tuple[MeasuredPoint, ...]:
    """Return the first point of each setting of a file, without the latencies of its tokens."""
    first: dict[object, MeasuredPoint] = {}
    for point in imported.points:
        first.setdefault(_STATED(point), point)
    return tuple(replace(point, stream=None) for point in first.values())


def are_other(files: Iterable[Imported], scenario: Scenario, language: str) -> bool:
    """Return whether any of the files is of another model, accelerator, engine or format than a setting."""
    return any(_beside(_settings(imported), scenario, language)[0] for imported in files)


def own_files(files: Sequence[Imported], scenario: Scenario, language: str) -> list[OwnFileWords]:
    """Return what is said and offered beside each file.

    Args:
        files: Read by the user.
        scenario: The shown setting.
        language: Of the words.

    Returns:
        By file: its name and runs, the differences, the link that takes its setting over (empty where nothing would
        change), and the question for a draft length (empty where every run states its own).
    """
    link = query.encode(scenario) if files else ""
    listed = list[OwnFileWords]()
    for imported in files[:MOST_LISTED]:
        said, setting = _beside(_settings(imported), scenario, language)
        unknown = sum(lacks_draft_length(point) for point in imported.points)
        asked = sentence("page.own_drafts_asked", language, count=fmt.count(unknown)) if unknown else ""
        runs = sentence("page.own_file", language, file=imported.file_name, count=fmt.count(len(imported.points)))
        listed.append(
            {
                "name": runs,
                "differences": list(said),
                "setting": setting if setting != link else "",
                "asked": asked,
            }
        )
    return listed


def contributed(files: Sequence[Imported], scenario: Scenario) -> GivenFile:
    """Return the text of an issue that hands the files' runs in.

    Args:
        files: Read by the user.
        scenario: The shown setting, which counts where the files say nothing.
    """
    points = [point for imported in files for point in imported.points]
    plain = replace(with_pinned(scenario), presentation=Presentation())
    return {"name": _NAME, "media": "text/markdown", "text": issue_text(contribution(points, plain))}
