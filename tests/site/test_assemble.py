from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from roofline_app.site import assemble, fetch, python_files
from roofline_app.site.compilation import Compiler, image


def index(content: bytes) -> dict[str, int]:
    """Sizes by name of an image's files."""
    body = gzip.decompress(content)
    length = int.from_bytes(body[:4], "little")
    return dict(json.loads(body[4 : 4 + length]))


@pytest.fixture(scope="module")
def files(tiny_sources: assemble.Sources, compiler: Compiler) -> dict[str, bytes]:
    return assemble.site_files(tiny_sources, compiler)


def test_two_builds_are_byte_equal(
    files: dict[str, bytes], tiny_sources: assemble.Sources, compiler: Compiler, tmp_path: Path
) -> None:
    again = assemble.site_files(tiny_sources, replace(compiler, cache=tmp_path))
    assert [name for name in files if files[name] != again.get(name)] == []
    assert files.keys() == again.keys()


def test_a_build_of_the_same_sources_compiles_nothing(
    files: dict[str, bytes], tiny_sources: assemble.Sources, compiler: Compiler
) -> None:
    assert assemble.site_files(tiny_sources, replace(compiler, node="a command that does not exist")) == files


def test_the_page_has_no_inline_script_and_no_address_of_another_origin(files: dict[str, bytes]) -> None:
    page = files["index.html"].decode()
    for attributes, body in re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL):
        assert 'type="application/json"' in attributes or not body.strip()
    assert not re.search(r'(src|href)="(https?:)?//', page)
    assert page.index("Content-Security-Policy") < page.index("<script")


def test_every_address_in_the_page_is_a_file_of_the_site(files: dict[str, bytes]) -> None:
    page = files["index.html"].decode()
    addresses = [a for a in re.findall(r'(?:src|href)="([^"]+)"', page) if not a.startswith("data:")]
    manifest = json.loads(re.findall(r'id="build">(.*?)</script>', page)[0])
    named = [manifest[key] for key in ("worker", "library", "packages", "application")]
    assert {address.rpartition("/")[2] for address in addresses} >= {"early.js", "page.js"}
    assert [a for a in (*addresses, *named, *manifest["bytes"]) if a not in files] == []


def test_a_published_page_names_its_address(tiny_sources: assemble.Sources, compiler: Compiler) -> None:
    published = replace(tiny_sources, base_url="https://example.org/roofline/")
    page = assemble.site_files(published, compiler)["index.html"].decode()
    assert '<link rel="canonical" href="https://example.org/roofline/">' in page


def test_modules_are_shipped_compiled(files: dict[str, bytes]) -> None:
    [packages] = [content for name, content in files.items() if name.startswith("assets/packages.")]
    names = index(packages)
    assert "panel/__init__.pyc" in names
    assert [name for name in names if name.endswith(".py") and name.startswith(("bokeh/", "panel/", "numpy/"))] == []
    assert sum("/_multiarray_umath.c" in name for name in names) == 1


def test_no_build_step_and_no_native_code_of_this_machine_is_shipped(pins: fetch.Pins) -> None:
    root = Path(assemble.__file__).parents[1]
    assert not any(name.startswith("roofline_app/site/") for name in python_files.application(root))
    installed = python_files.installed(pins.packages)
    assert [name for name in installed if name.endswith((".so", ".pyd")) or "__pycache__" in name] == []
    assert not any(name.startswith(("..", "/")) for name in installed)


def test_an_image_keeps_names_and_contents_apart() -> None:
    content = {"b/two": b"22", "a": b"", "c": b"333"}
    assert index(image(content)) == {"a": 0, "b/two": 2, "c": 3}
    assert gzip.decompress(image(content)).endswith(b"22333")


def test_writing_leaves_exactly_the_files_of_the_site(tmp_path: Path) -> None:
    assemble.write({"a": b"1", "old/b": b"2"}, tmp_path)
    assemble.write({"a": b"1", "new/c": b"3"}, tmp_path)
    assert sorted(p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*")) == ["a", "new", "new/c"]
