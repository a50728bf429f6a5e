"""Scripts: bundled the same every time, with errors that can be read, and types that are those of Python."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import build
from roofline_app.page.protocol import Handlers, PageState
from roofline_app.site import assemble, fetch, script_types
from roofline_app.site.compilation import Compiler
from roofline_app.site.javascript import Tools
from roofline_app.site.scripts import PAGE, WORKER, ScriptError, Scripts, bundled

SOURCES = {
    "page.js": 'import { two } from "./two.js";\nconst text = "</script>";\nconsole.log(two(), text.length);\n',
    "two.js": "// Says two.\nexport function two() {\n  return 2;\n}\n",
    "worker/worker.js": 'import { two } from "../two.js";\nimport("./shared-python.js");\npostMessage(two());\n',
    "early.js": "{\n  const first = 1;\n  console.log(first);\n}\n",
}


@pytest.fixture(scope="module")
def esbuild(pins: fetch.Pins) -> Path:
    return fetch.esbuild(pins, build.node_and_npm()[1])


def made(sources: dict[str, str], compiler: Compiler, esbuild: Path) -> Scripts:
    return bundled({name: text.encode() for name, text in sources.items()}, compiler, esbuild)


def test_a_bundle_does_what_its_modules_do_and_is_one_file(compiler: Compiler, esbuild: Path) -> None:
    scripts = made(SOURCES, compiler, esbuild)
    for kind, script in (("module", scripts.site[PAGE]), ("commonjs", scripts.single[PAGE])):
        command = [compiler.node, f"--input-type={kind}", "-e", script.decode()]
        assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "2 9\n"
        assert b"Says two" not in script
        assert b"</script" not in script


def test_what_is_imported_late_stays_apart(compiler: Compiler, esbuild: Path) -> None:
    assert b'import("./shared-python.js")' in made(SOURCES, compiler, esbuild).site[WORKER]


def test_bundles_are_byte_equal(compiler: Compiler, esbuild: Path, tmp_path: Path) -> None:
    again = replace(compiler, cache=tmp_path)
    assert made(SOURCES, compiler, esbuild) == made(SOURCES, again, esbuild)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        pytest.param("two.js", "export function two( {", r"static/two\.js:1:\d+", id="no JavaScript"),
        pytest.param("two.js", "export const one = 1;", "two", id="a name that is not exported"),
        pytest.param("page.js", 'import "./three.js";', r'Could not resolve "\./three\.js"', id="no such module"),
    ],
)
def test_what_cannot_be_bundled_is_named_with_its_place(
    compiler: Compiler, esbuild: Path, tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(ScriptError, match=said):
        made({**SOURCES, name: text}, replace(compiler, cache=tmp_path), esbuild)


def test_browsers_get_no_module_by_a_name_that_hosts_mistake(
    tiny_sources: assemble.Sources, compiler: Compiler
) -> None:
    files = assemble.site_files(tiny_sources, compiler)
    assert [name for name in files if name.endswith((".mjs", ".ts", "package.json", ".config.js"))] == []


def test_the_scripts_types_are_those_of_python() -> None:
    assert script_types.TARGET.read_text(encoding="utf-8") == script_types.declarations()


def test_every_state_key_and_event_is_declared_for_scripts() -> None:
    text = script_types.declarations()
    for key in (*PageState.__annotations__, *Handlers.__annotations__):
        assert f"  {key}: " in text or f'  "{key}": ' in text


def test_a_type_that_json_has_no_values_of_is_refused() -> None:
    with pytest.raises(TypeError, match="bytes"):
        script_types._type(bytes)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        pytest.param("static/page.js", "state.fotter;\n", "fotter", id="a key of the state"),
        pytest.param("static/page.js", 'send("adavnce", 1);\n', "adavnce", id="an event"),
        pytest.param("static/worker/worker.js", 'post({ type: "raedy", route: "" });\n', "raedy", id="a message"),
    ],
)
def test_a_misspelt_name_is_an_error(tmp_path: Path, name: str, text: str, said: str) -> None:
    tools = Tools(build.ROOT, *build.node_and_npm())
    packages = tools.install()
    script = build.ROOT / name
    wrong = script.with_name(f"wrong-{script.name}")
    lines = {
        "static/page.js": (
            '/** @type {import("./types/protocol").PageState} */ let state;\n'
            '/** @type {import("./types/messages").Send} */ let send;\n'
        ),
        "static/worker/worker.js": '/** @type {(m: import("../types/messages").FromWorker) => void} */ let post;\n',
    }
    project = tmp_path / "tsconfig.json"
    base = build.ROOT / ("static" if "worker" not in name else "static/worker") / "tsconfig.json"
    project.write_text(f'{{"extends": "{base}", "files": ["{wrong}"], "include": []}}', encoding="utf-8")
    wrong.write_text(lines[name] + text, encoding="utf-8")
    try:
        command = [tools.node, str(packages / "typescript/bin/tsc"), "--project", str(project)]
        assert said in subprocess.run(command, check=False, capture_output=True, text=True).stdout
    finally:
        wrong.unlink()
