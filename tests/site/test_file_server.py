from __future__ import annotations

import urllib.request
from pathlib import Path

from roofline_app.site.file_server import in_background, server


def test_the_page_is_always_fresh_and_named_files_last(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("page")
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "worker.js").write_text("export {}")
    running = server(tmp_path)
    address = in_background(running)
    try:
        with urllib.request.urlopen(address) as page, urllib.request.urlopen(address + "assets/worker.js") as worker:
            assert page.headers["Cache-Control"] == "no-cache"
            assert "immutable" in worker.headers["Cache-Control"]
            assert worker.headers["Content-Type"] == "text/javascript"
    finally:
        running.shutdown()
        running.server_close()


def test_the_site_is_served_on_this_machine_only(tmp_path: Path) -> None:
    running = server(tmp_path)
    assert running.server_address[0] == "127.0.0.1"
    running.server_close()
