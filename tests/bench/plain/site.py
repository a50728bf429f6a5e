"""The plain route's files: the site with its own worker, and with sources in place of compiled images."""

from __future__ import annotations

import json
import re
from pathlib import Path

from roofline_app.site import python_files
from roofline_app.site.assemble import Sources, site_files
from roofline_app.site.compilation import Compiler, archive

_WORKER = Path(__file__).with_name("worker.js")


def plain_files(sources: Sources, compiler: Compiler) -> dict[str, bytes]:
    """Return the files of the plain route by address."""
    files = site_files(sources, compiler)
    page = files["index.html"].decode()
    manifest = json.loads(re.findall(r'id="build">(.*?)</script>', page)[0])
    interpreter = manifest["interpreter"]
    files[f"{interpreter}pyodide.js"] = compiler.pyodide["pyodide.mjs"]
    files[f"{interpreter}python_stdlib.zip"] = compiler.pyodide["python_stdlib.zip"]
    files["plain/worker.js"] = _WORKER.read_bytes()
    files["plain/numpy.zip"] = archive(python_files.wheel(sources.wheel))
    files["plain/packages.zip"] = archive(python_files.installed(sources.pins.packages))
    files["plain/application.zip"] = archive(python_files.application(sources.package))
    kept = {key: value for key, value in manifest.items() if key != "prepared"}
    plain = {
        **kept,
        "worker": "plain/worker.js",
        **{name: f"plain/{name}.zip" for name in ("numpy", "packages", "application")},
    }
    data = json.dumps(plain).replace("\\", r"\\")
    page = re.sub(r'(id="build">).*?(</script>)', rf"\g<1>{data}\g<2>", page)
    # Panel evaluates a script at import: the stock route needs a page that allows it.
    files["index.html"] = page.replace("'wasm-unsafe-eval'", "'unsafe-eval'").encode()
    return files
