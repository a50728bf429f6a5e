"""Write the site: static files, interpreter, images, BokehJS and Panel's styles, and the page that names them all."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Mapping, Set
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from roofline_app.page.markup import BOKEH_SCRIPTS, METHOD, POLICY, Front, as_json, whole_page
from roofline_app.page.protocol import Prepared, SiteManifest
from roofline_app.site import python_files, snapshot
from roofline_app.site.bokehjs import slim
from roofline_app.site.compilation import Compiler, archive, image
from roofline_app.site.fetch import Pins
from roofline_app.site.scripts import WORKER, Scripts, bundled, is_script
from roofline_app.site.snapshot import PANEL_ROOT, Code, Snapshot
from roofline_app.text import FALLBACK, LANGUAGES

_EXAMPLES = "examples/"  # other pages name these, so that they keep their addresses
_EMBED, _GUARD = _STABLE = ("embed.js", "guard.js")  # and these, and every build has them
_ASKED_FOR = ("document", "core/serialization/deserializer")  # modules that the page's scripts take
_MODEL = re.compile(r'"type": "object", "name": "([\w.]+)"')
_FIRST = "early.js"
_OFFLINE = "service-worker.js"
_INTERPRETER = ("pyodide.asm.js", "pyodide.asm.wasm")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What a site is made from.

    Attributes:
        package: Folder of the application's package.
        static: Folder of what the browser gets besides Python.
        wheel: numpy's WebAssembly wheel.
        decoder: Zstandard's decoder, as WebAssembly.
        esbuild: Archive of npm's bundler.
        pins: Pinned inputs.
        base_url: Where the site will be published; empty where that is open.
    """

    package: Path
    static: Path
    wheel: Path
    decoder: bytes
    esbuild: Path
    pins: Pins
    base_url: str = ""


def short_hash(content: bytes) -> str:
    """Return the hash that makes a file's name change with its content."""
    return hashlib.sha256(content).hexdigest()[:12]


def sources_key(root: Path) -> str:
    """Return a hash of everything in the checkout that the site depends on."""
    names = ["pyproject.toml", *(f"{top}/{name}" for top in ("roofline_app", "static") for name in tree(root / top))]
    wanted = [name for name in names if "__pycache__" not in name]
    return python_files.key({name: (root / name).read_bytes() for name in wanted})


def site_files(sources: Sources, compiler: Compiler) -> dict[str, bytes]:
    """Return every file of the site by its address relative to the page."""
    code = _code(sources, compiler)
    snapshots = [snapshot.take(code, sources.static, compiler, language) for language in LANGUAGES]
    taken = next(one for one in snapshots if one.language == FALLBACK)
    static = shipped(sources.static)
    page = whole_page(static.pop("index.html").decode())
    static |= scripts(sources, compiler).site
    offline = static.pop(_OFFLINE)
    files = {name: static.pop(name) for name in _STABLE if name in static}
    interpreter = f"pyodide-{sources.pins.pyodide}"
    own = f"assets/{python_files.key(static)}"
    files |= {f"{interpreter}/{name}": compiler.pyodide[name] for name in _INTERPRETER}
    files |= {f"{own}/{name}": content for name, content in static.items()}
    named = _add(files, {"library.bin": code.library, **{f"{name}.bin": each for name, each in code.images.items()}})
    bokeh = _add(files, {"bokeh.js": _bokeh(taken)})
    files |= _panel_styles()
    wasm = f"{interpreter}/pyodide.asm.wasm"
    manifest: SiteManifest = {
        "interpreter": f"{interpreter}/",
        "worker": f"{own}/{WORKER}",
        "panel": PANEL_ROOT,
        "sitePackages": taken.site_packages,
        "lock": {**json.loads(compiler.pyodide["pyodide-lock.json"]), "packages": {}},
        "library": named["library.bin"],
        "packages": named["packages.bin"],
        "application": named["application.bin"],
        "bytes": {name: len(files[name]) for name in (*named.values(), wasm)},
        "prepared": {one.language: _add_snapshot(files, one, sources.decoder) for one in snapshots},
    }
    if sources.pins.offline:
        manifest["offline"] = _OFFLINE
    for name in sorted(static):
        page = page.replace(f'="{name}"', f'="{own}/{name}"')
    if _GUARD in files:
        page = page.replace("</head>", f'<script src="{_GUARD}" async></script>\n</head>', 1)
    files["index.html"] = _front(sources, manifest, taken, f"{own}/{_FIRST}", bokeh).page(page).encode()
    if sources.pins.offline:
        apart = {one["snapshot"]["pages"] for language, one in manifest["prepared"].items() if language != FALLBACK}
        files[_OFFLINE] = _offline(offline, files, apart)
    return files


def _code(sources: Sources, compiler: Compiler) -> Code:
    """Return all Python of a site: the standard library, the packages and the application."""
    library = archive(compiler.compiled(python_files.standard_library(compiler.pyodide["python_stdlib.zip"])))
    packages = compiler.compiled(python_files.installed(sources.pins.packages) | python_files.wheel(sources.wheel))
    application = compiler.compiled(python_files.application(sources.package))
    images = {"packages": image(packages), "application": image(application)}
    return Code(library=library, images=images, packages=packages)


def _bokeh(taken: Snapshot) -> bytes:
    """Return BokehJS with the models of the first document alone."""
    models = set(_MODEL.findall(json.dumps(taken.openings["light"]["documents"])))
    return slim(_bundles(), models, _ASKED_FOR)


def _front(
    sources: Sources, manifest: SiteManifest, taken: Snapshot, first_script: str, bokeh: Mapping[str, str]
) -> Front:
    """Return the data that the page itself carries."""
    return Front(
        policy=POLICY,
        manifest=manifest,
        first_script=first_script,
        scripts=tuple(bokeh.values()),
        opening=taken.openings["light"],
        paint=taken.openings["paint"],
        base_url=sources.base_url,
    )


def scripts(sources: Sources, compiler: Compiler) -> Scripts:
    """Return the scripts of a site, and those of the site as a single file."""
    written = {name: text for name, text in tree(sources.static).items() if is_script(name)}
    return bundled(written, compiler, sources.esbuild)


def shipped(static: Path) -> dict[str, bytes]:
    """Return the files of `static/` that are shipped as they are: neither scripts nor examples, nor npm's files.

    The method lies beside the page (`share_pages`).
    """
    return {
        name: content
        for name, content in tree(static).items()
        if name.endswith((".html", ".css")) and name != METHOD and not name.startswith((_EXAMPLES, "method/"))
    }


def _offline(script: bytes, files: Mapping[str, bytes], apart: Set[str]) -> bytes:
    """Return the service worker of a build: it knows the build's name and its files, but for those left apart."""
    names = ["./", *sorted(files.keys() - {"index.html", _EMBED} - apart)]
    return b"const KEPT = " + as_json({"build": python_files.key(files), "files": names}) + b";\n" + script


def _add(files: dict[str, bytes], contents: Mapping[str, bytes]) -> dict[str, str]:
    """Add files under names that change with their content; return their addresses by plain name."""
    addresses = {}
    for name, content in contents.items():
        stem, _, suffix = name.rpartition(".")
        addresses[name] = f"assets/{stem}.{short_hash(content)}.{suffix}"
        files[addresses[name]] = content
    return addresses


def _add_snapshot(files: dict[str, bytes], taken: Snapshot, decoder: bytes) -> Prepared:
    """Add the files of a snapshot; return what the page must know of them."""
    own = _add(files, {"pages.bin": taken.pages, "zstd.wasm": decoder, "snapshot.json": as_json(taken.settings)})
    themes = ("dark",) if taken.language == FALLBACK else ("light", "dark")  # the page itself carries the first
    openings = {theme: _add(files, {f"{theme}.json": as_json(taken.openings[theme])}) for theme in themes}
    stems = {path: f"{path.rpartition('/')[2].partition('.')[0]}.wasm" for path in taken.libraries}
    libraries = _add(files, {stems[path]: content for path, content in taken.libraries.items()})
    return {
        "language": taken.language,
        "openings": {theme: address for theme, named in openings.items() for address in named.values()},
        "snapshot": {
            "settings": own["snapshot.json"],
            "pages": own["pages.bin"],
            "frames": [{"packed": packed, "bytes": unpacked} for packed, unpacked in taken.frames],
            "layout": taken.layout,
            "decoder": own["zstd.wasm"],
            "libraries": [
                {"path": f"{taken.site_packages}/{path}", "file": libraries[stems[path]]} for path in taken.libraries
            ],
        },
    }


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


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder by relative path, but for what npm has installed there."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            found[path.name] = path.read_bytes()
        elif path.name != "node_modules":
            found |= {f"{path.name}/{name}": content for name, content in tree(path).items()}
    return found


def _package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    found = util.find_spec(name)
    if found is None or found.origin is None:
        message = f"{name} is not installed"
        raise RuntimeError(message)
    return Path(found.origin).parent


def _bundles() -> list[str]:
    """Return BokehJS and Panel's models, in the order in which they must run."""
    source = _package_folder("bokeh") / "server/static/js"
    paths = [*(source / name for name in BOKEH_SCRIPTS), _package_folder("panel") / "dist/panel.min.js"]
    return [path.read_text(encoding="utf-8") for path in paths]


def _panel_styles() -> dict[str, bytes]:
    """Return the styles that Panel's widgets link to, where `PANEL_CDN_ROOT` makes them look for them."""
    source = _package_folder("panel") / "dist"
    root = f"panel/{metadata.version('panel')}/dist"
    paths = [*source.glob("css/**/*.css"), *source.glob("bundled/theme/*.css")]
    return {f"{root}/{path.relative_to(source).as_posix()}": path.read_bytes() for path in sorted(paths)}
