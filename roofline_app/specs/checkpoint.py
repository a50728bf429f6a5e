"""What engines have to be told of a checkpoint: entries of `data/checkpoints.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roofline_app.specs.checks import require, require_date, require_source


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointSpec:
    """A checkpoint, as engines ask for it.

    Attributes:
        id: Key of the entry: of a model or of a drafter.
        source: Who states it.
        checked: ISO date of the last check.
        remote_code: Whether its repository holds code that engines run only when they are told to.
        repository: Where a drafter's weights are.
        next_token: Where a model's next-token layers are, if not in its own checkpoint.
        bundled: Repositories of the same model that hold a drafter besides, by kind of drafter.
    """

    id: str
    source: str
    checked: str
    remote_code: bool = False
    repository: str = ""
    next_token: str = ""
    bundled: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse an entry that says nothing, and a repository that is none."""
        require_source(self)
        require_date(self)
        named = [name for name in (self.repository, self.next_token, *self.bundled.values()) if name]
        require(self.remote_code or bool(named), "repository", "or another fact, at least one")
        for name in named:
            require(name.count("/") == 1 and all(name.split("/")), "repository", f"{name!r} is not owner/name")
