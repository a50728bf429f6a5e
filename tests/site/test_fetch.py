from __future__ import annotations

import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from roofline_app.site import fetch
from roofline_app.site.compilation import Compiler


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROOFLINE_CACHE", str(tmp_path))
    return tmp_path


def other(path: Path) -> None:
    """Write what nobody pinned."""
    path.write_bytes(b"other")


def test_other_bytes_than_the_pinned_are_refused_and_removed(empty_cache: Path) -> None:
    with pytest.raises(fetch.InputError, match=r"input\.bin: sha256 is"):
        fetch.verified("input.bin", "0" * 64, other)
    assert list(empty_cache.iterdir()) == []


@pytest.mark.usefixtures("empty_cache")
def test_a_file_is_fetched_once() -> None:
    calls = io.StringIO()

    def fetch_it(path: Path) -> None:
        calls.write("x")
        path.write_bytes(b"content")

    pinned = hashlib.sha256(b"content").hexdigest()
    paths = {fetch.verified("input.bin", pinned, fetch_it) for _ in range(3)}
    assert len(paths) == 1
    assert calls.getvalue() == "x"


def test_a_second_build_asks_no_registry(pins: fetch.Pins, compiler: Compiler) -> None:
    files = fetch.pyodide_files(pins, ["a command that does not exist"])
    assert files == compiler.pyodide
    assert fetch.numpy_wheel(replace(pins, numpy_carrier="no such package"), files).name == pins.numpy_wheel


def test_numpys_hash_must_be_the_one_in_pyodides_lock_file(pins: fetch.Pins, compiler: Compiler) -> None:
    lock = {"packages": {"numpy": {"sha256": "0" * 64}}}
    with pytest.raises(fetch.InputError, match=r"numpy-.*lock file states sha256 0000"):
        fetch.numpy_wheel(pins, {**compiler.pyodide, "pyodide-lock.json": json.dumps(lock).encode()})


def test_every_download_is_pinned_by_hash(pins: fetch.Pins) -> None:
    assert set(pins.sha256) == {
        f"esbuild-wasm-{pins.esbuild_wasm}.tgz",
        f"pyodide-{pins.pyodide}.tgz",
        f"zstddec-{pins.zstddec}.tgz",
        pins.numpy_wheel,
    }
    assert all(len(value) == 64 for value in pins.sha256.values())
