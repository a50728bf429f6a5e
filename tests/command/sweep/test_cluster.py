"""A sweep on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import LocalCluster

from roofline_app.__main__ import main

pytestmark = pytest.mark.filterwarnings("ignore")
TEXT = "model=qwen3-8b,gpt-oss-20b&batch=1..64&gpus=1,2&drafter=mtp"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, protocol="tcp://", host="127.0.0.1", dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def test_a_cluster_finds_what_this_machine_finds(scheduler: str, tmp_path: Path) -> None:
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert main(["sweep", TEXT, "--out", str(here), "--workers", "1"]) == 0
    assert main(["sweep", TEXT, "--out", str(there), "--scheduler", scheduler]) == 0
    assert here.read_text(encoding="utf-8") == there.read_text(encoding="utf-8")


def test_a_worker_of_another_version_is_refused(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("roofline_app.command.sweep.workers.version", lambda: "another")
    assert main(["sweep", TEXT, "--out", str(tmp_path / "found.csv"), "--scheduler", scheduler]) == 2
    assert "of this program and its data, not another" in capsys.readouterr().err
