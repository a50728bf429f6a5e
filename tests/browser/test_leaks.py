"""Nothing of the machine that built the site is in anything that it ships, the snapshot's pages included."""

from __future__ import annotations

import getpass
import gzip
import io
import os
import re
import socket
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import zstandard

import build

ROOT = Path(__file__).resolve().parents[2]
COMMON = {"root", "user", "localhost", "runner", "build", "home"}
SHORTEST_VALUE = 12
SHORTEST_NAME = 5


def contents() -> Iterator[tuple[str, bytes]]:
    """Every shipped file, unpacked."""
    for path in sorted(build.DIST.rglob("*")):
        if not path.is_file():
            continue
        name, content = path.relative_to(build.DIST).as_posix(), path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        elif content[:4] == b"\x28\xb5\x2f\xfd":
            content = zstandard.ZstdDecompressor().decompress(content)
        elif content[:2] == b"PK":
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                content = b"".join(archive.read(entry) for entry in archive.namelist())
        yield name, content


def secrets() -> set[bytes]:
    """Paths, names and values of this machine that a build could have picked up."""
    # A folder of the root is a word like any other: "/work" is in every path to a worker's script.
    folders = {str(folder) for folder in (ROOT.parent, Path.home()) if folder.parent != folder.parent.parent}
    paths = {str(ROOT), *folders, str(build.ENVIRONMENT), os.environ.get("PATH", "")}
    names = {getpass.getuser(), socket.gethostname()}
    values = {value for value in os.environ.values() if len(value) >= SHORTEST_VALUE}
    found = {value for value in paths | names | values if value.strip("/").lower() not in COMMON}
    return {value.encode() for value in found if len(value) >= SHORTEST_NAME}


@pytest.mark.usefixtures("site")
def test_nothing_of_this_machine_is_shipped() -> None:
    wanted = secrets()
    assert [(name, value) for name, content in contents() for value in wanted if value in content] == []


@pytest.mark.usefixtures("site")
def test_no_temporary_folder_is_shipped() -> None:
    pattern = re.compile(rb"/tmp/tmp[a-z0-9_]{6,}")
    assert [(name, found) for name, content in contents() if (found := pattern.findall(content))] == []
