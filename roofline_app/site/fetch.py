"""Pinned inputs of the site: fetched once into a cache outside of the checkout, never used unverified."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from remotezip import RemoteIOError, RemoteZip

CDN_TIMEOUT_SECONDS = 4


class InputError(RuntimeError):
    """An input can't be had, or is not what the build pins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """What `[tool.roofline-build]` of pyproject.toml pins.

    Attributes:
        pyodide: Version of the interpreter.
        zstddec: Version of npm's package that carries Zstandard's decoder.
        esbuild_wasm: Version of npm's package that bundles scripts, the same bytes on every machine.
        numpy_wheel: File name of numpy's WebAssembly wheel.
        numpy_carrier: Requirement whose wheel carries the same bytes.
        packages: Distributions that the page needs in the browser.
        offline: Whether browsers keep the site for visits without a network; without it they drop what they kept.
        sha256: Hash of each fetched file by name.
    """

    pyodide: str
    zstddec: str
    esbuild_wasm: str
    numpy_wheel: str
    numpy_carrier: str
    packages: tuple[str, ...]
    offline: bool
    sha256: Mapping[str, str]

    @staticmethod
    def read(pyproject: Path) -> Pins:
        """Return the pins of a pyproject file."""
        table = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["roofline-build"]
        return Pins(**{**table, "packages": tuple(table["packages"])})


def cache_folder() -> Path:
    """Return the folder of downloads: `ROOFLINE_CACHE`, else one in the user's cache folder."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(os.environ.get("ROOFLINE_CACHE") or base / "speculation-roofline")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def verified(name: str, sha256: str, fetch: Callable[[Path], None]) -> Path:
    """Return a cached file, fetched where it is missing.

    Args:
        name: File name in the cache.
        sha256: Hash that the file must have.
        fetch: Writes the file to the path that it is given.

    Raises:
        InputError: If the bytes are not the pinned ones; they are removed.
    """
    path = cache_folder() / name
    if not path.is_file():
        part = path.with_name(f"{name}.{os.getpid()}.part")
        fetch(part)
        part.replace(path)
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != sha256:
        path.unlink()
        message = f"{name}: sha256 is {found}, but pyproject.toml pins {sha256}"
        raise InputError(message)
    return path


def npm_archive(pins: Pins, npm: list[str], name: str, version: str) -> Path:
    """Return the archive of a package of npm.

    Args:
        pins: Pinned inputs.
        npm: Command that starts npm.
        name: Package.
        version: Its pinned version.
    """
    archive_name = f"{name}-{version}.tgz"

    def pack(path: Path) -> None:
        command = [*npm, "pack", "--silent", "--pack-destination", str(path.parent), f"{name}@{version}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        (path.parent / archive_name).replace(path)

    return verified(archive_name, pins.sha256[archive_name], pack)


def npm_files(archive: Path) -> dict[str, bytes]:
    """Return the files of an archive of npm by name."""
    files = {}
    with tarfile.open(archive) as packed:
        for member in packed.getmembers():
            content = packed.extractfile(member)
            if content is not None:
                files[Path(member.name).name] = content.read()
    return files


def pyodide_files(pins: Pins, npm: list[str]) -> dict[str, bytes]:
    """Return the files of npm's `pyodide` package by name.

    Args:
        pins: Pinned inputs.
        npm: Command that starts npm.
    """
    return npm_files(npm_archive(pins, npm, "pyodide", pins.pyodide))


def zstandard_decoder(pins: Pins, npm: list[str]) -> bytes:
    """Return Zstandard's decoder as WebAssembly, which npm's `zstddec` carries in its script.

    Args:
        pins: Pinned inputs.
        npm: Command that starts npm.

    Raises:
        InputError: If the script does not hold it where the pinned version does.
    """
    script = npm_files(npm_archive(pins, npm, "zstddec", pins.zstddec))["zstddec.mjs"]
    found = re.search(rb'^const wasm = "([^"]+)"', script, re.MULTILINE)
    if found is None:
        message = f"zstddec {pins.zstddec} holds no WebAssembly"
        raise InputError(message)
    return base64.b64decode(found[1])


def esbuild(pins: Pins, npm: list[str]) -> Path:
    """Return the archive of npm's `esbuild-wasm`.

    Args:
        pins: Pinned inputs.
        npm: Command that starts npm.
    """
    return npm_archive(pins, npm, "esbuild-wasm", pins.esbuild_wasm)


def numpy_wheel(pins: Pins, pyodide: Mapping[str, bytes]) -> Path:
    """Return numpy's WebAssembly wheel: from Pyodide's own release, else from a wheel that carries the same bytes.

    Args:
        pins: Pinned inputs.
        pyodide: Files of npm's package; its lock file must state the pinned hash.

    Raises:
        InputError: If the pinned hash is not the one in Pyodide's lock file.
    """
    locked = json.loads(pyodide["pyodide-lock.json"])["packages"]["numpy"]["sha256"]
    if locked != pins.sha256[pins.numpy_wheel]:
        message = f"{pins.numpy_wheel}: Pyodide's lock file states sha256 {locked}, pyproject.toml another"
        raise InputError(message)

    def fetch(path: Path) -> None:
        release = re.search(rb"https://[^\"'`]+/full/", pyodide["pyodide.mjs"])
        try:
            if release is None:
                raise InputError
            address = release[0].decode().replace("${version}", pins.pyodide) + pins.numpy_wheel
            with urllib.request.urlopen(address, timeout=CDN_TIMEOUT_SECONDS) as answer:
                content = answer.read()
            # A network that answers everything with a page of its own is no release either.
            if hashlib.sha256(content).hexdigest() != locked:
                raise InputError
        except (InputError, urllib.error.URLError, TimeoutError, OSError):
            content = _member_of_carrier(pins)
        path.write_bytes(content)

    return verified(pins.numpy_wheel, pins.sha256[pins.numpy_wheel], fetch)


def _member_of_carrier(pins: Pins) -> bytes:
    """Return one member of a published wheel, without downloading the rest of it where that is possible."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed"]
    answer = subprocess.run(
        [*pip, "--report", "-", pins.numpy_carrier], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    address = json.loads(answer.stdout)["install"][0]["download_info"]["url"]
    try:
        with RemoteZip(address) as archive:
            return _member(archive, pins)
    except RemoteIOError:
        # Where only pip knows how to reach the package host, or the host serves no ranges: the whole wheel.
        with tempfile.TemporaryDirectory() as folder:
            download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder]
            subprocess.run([*download, pins.numpy_carrier], check=True)
            (wheel,) = Path(folder).glob("*.whl")
            with zipfile.ZipFile(wheel) as archive:
                return _member(archive, pins)


def _member(archive: zipfile.ZipFile, pins: Pins) -> bytes:
    for name in archive.namelist():
        if name.endswith("/" + pins.numpy_wheel):
            return bytes(archive.read(name))
    message = f"{pins.numpy_carrier} does not carry {pins.numpy_wheel}"
    raise InputError(message)
