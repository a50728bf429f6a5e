"""Write the site: static files, interpreter, images, BokehJS and Panel's styles, and the page that names them all."""

from __future__ import annotations

import hashlib
import html
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from roofline_app.site import bundle
from roofline_app.site.fetch import Pins
from roofline_app.site.image import Compiler, archive, image
from roofline_app.site.words import with_languages

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self' blob:"
)
_BOKEH_SCRIPTS = ("bokeh.min.js", "bokeh-widgets.min.js", "bokeh-tables.min.js")
_INTERPRETER = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a site is made from.

    Attributes:
        package: Folder of the application's package.
        static: Folder of what the browser gets besides Python.
        wheel: numpy's WebAssembly wheel.
        pins: Pinned inputs.
        base_url: Where the site will be published; empty where that is open.
    """

    package: Path
    static: Path
    wheel: Path
    pins: Pins
    base_url: str = ""


def short_hash(content: bytes) -> str:
    """Return the hash that makes a file's name change with its content."""
    return hashlib.sha256(content).hexdigest()[:12]


def sources_key(root: Path) -> str:
    """Return a hash of everything in the checkout that the site depends on."""
    names = ["pyproject.toml", *(f"{top}/{name}" for top in ("roofline_app", "static") for name in _tree(root / top))]
    wanted = [name for name in names if "__pycache__" not in name]
    return bundle.key({name: (root / name).read_bytes() for name in wanted})


def site_files(sources: Sources, compiler: Compiler) -> dict[str, bytes]:
    """Return every file of the site by its address relative to the page."""
    pyodide = compiler.pyodide
    library = archive(compiler.compiled(bundle.standard_library(pyodide["python_stdlib.zip"])))
    third_party = bundle.installed(sources.pins.packages) | bundle.wheel(sources.wheel)
    packages = image(compiler.compiled(third_party))
    application = image(compiler.compiled(bundle.application(sources.package)))
    static = _tree(sources.static)
    page = with_languages(static.pop("index.html").decode())
    interpreter = f"pyodide-{sources.pins.pyodide}"
    own = f"assets/{bundle.key(static)}"
    named = {
        "library": f"assets/library.{short_hash(library)}.bin",
        "packages": f"assets/packages.{short_hash(packages)}.bin",
        "application": f"assets/application.{short_hash(application)}.bin",
    }
    files = {f"{interpreter}/{name}": pyodide[name] for name in _INTERPRETER}
    files |= {f"{own}/{name}": content for name, content in static.items()}
    files |= {named["library"]: library, named["packages"]: packages, named["application"]: application}
    scripts = _scripts()
    files |= scripts | _panel_styles()
    wasm = f"{interpreter}/pyodide.asm.wasm"
    manifest = {
        "interpreter": f"{interpreter}/",
        "worker": f"{own}/worker.mjs",
        "panel": "panel/",
        "lock": {**json.loads(pyodide["pyodide-lock.json"]), "packages": {}},
        **named,
        "bytes": {name: len(files[name]) for name in (*named.values(), wasm)},
    }
    for name in sorted(static):
        page = page.replace(f'="{name}"', f'="{own}/{name}"')
    files["index.html"] = _page(page, list(scripts), manifest, sources.base_url).encode()
    return files


def write(files: Mapping[str, bytes], target: Path) -> None:
    """Make a folder hold exactly these files; unchanged ones are left alone."""
    for path in sorted(target.rglob("*"), reverse=True) if target.is_dir() else ():
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path.relative_to(target).as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = target / name
        if path.is_dir():
            shutil.rmtree(path)
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _tree(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by relative path."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def _package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    found = util.find_spec(name)
    if found is None or found.origin is None:
        message = f"{name} is not installed"
        raise RuntimeError(message)
    return Path(found.origin).parent


def _scripts() -> dict[str, bytes]:
    """Return BokehJS and Panel's models, in the order in which they must run."""
    bokeh, panel = (f"{name}/{metadata.version(name)}" for name in ("bokeh", "panel"))
    source = _package_folder("bokeh") / "server/static/js"
    scripts = {f"{bokeh}/{name}": (source / name).read_bytes() for name in _BOKEH_SCRIPTS}
    scripts[f"{panel}/dist/panel.min.js"] = (_package_folder("panel") / "dist/panel.min.js").read_bytes()
    return scripts


def _panel_styles() -> dict[str, bytes]:
    """Return the styles that Panel's widgets link to, where `PANEL_CDN_ROOT` makes them look for them."""
    source = _package_folder("panel") / "dist"
    root = f"panel/{metadata.version('panel')}/dist"
    paths = [*source.glob("css/**/*.css"), *source.glob("bundled/theme/*.css")]
    return {f"{root}/{path.relative_to(source).as_posix()}": path.read_bytes() for path in sorted(paths)}


def _page(text: str, scripts: list[str], manifest: Mapping[str, object], base_url: str) -> str:
    """Return the page with its policy, its scripts, and the addresses that the loader needs."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(POLICY)}">'
    tags = [f'<script defer src="{address}"></script>' for address in scripts]
    if base_url:
        tags.append(f'<link rel="canonical" href="{html.escape(base_url)}">')
    data = json.dumps(manifest, separators=(",", ":")).replace("<", "\\u003c")
    tags.append(f'<script type="application/json" id="build">{data}</script>')
    head = text.replace("<head>", f"<head>\n{policy}", 1)
    return head.replace("</head>", "\n".join(tags) + "\n</head>", 1)
