from __future__ import annotations

import subprocess

import pytest

import build
from roofline_app.site.classic import classic

MODULES = {
    "one.js": 'import { two, three as drei } from "./two.js";\nexport const sum = two() + drei;\nglobalThis.sum = sum;',
    "two.js": "// Says two.\nexport function two() {\n  return 2;\n}\nconst a = 3;\nexport { a as three };",
    "late.js": "export const four = 4;",
    "main.js": 'import { sum } from "./one.js";\n'
    'import("./late.js").then(({ four }) => console.log(sum, globalThis.sum, four));',
}


def test_a_classic_script_does_what_its_modules_do() -> None:
    script = classic(MODULES, ("late.js", "main.js"))
    node, _ = build.node_and_npm()
    answer = subprocess.run([node, "--input-type=commonjs", "-e", script], check=True, capture_output=True, text=True)
    assert answer.stdout == "5 5 4\n"


def test_modules_run_once_and_behind_what_they_import() -> None:
    script = classic(
        {**MODULES, "both.js": 'import { two } from "./two.js";\nimport { sum } from "./one.js";'}, ("both.js",)
    )
    places = [script.index(f'$modules["{name}"] = ') for name in ("two.js", "one.js", "both.js")]
    assert places == sorted(places)
    assert script.count('$modules["two.js"] = ') == 1


@pytest.mark.parametrize(
    ("modules", "named"),
    [
        ({"a.js": 'import { b } from "./b.js";'}, "b.js"),
        ({"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}, "a.js"),
        ({"a.js": 'import all from "./b.js";'}, "import all"),
        ({"a.js": "export let changing = 1;"}, "export let changing"),
        ({"a.js": "export default 1;"}, "export default"),
    ],
)
def test_what_cannot_be_made_classic_is_named(modules: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named):
        classic(modules, ("a.js",))
