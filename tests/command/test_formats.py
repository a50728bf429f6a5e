"""The forms of answers: what a person reads holds the JSON's numbers in the page's units."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from roofline_app import export, format as fmt, registry
from roofline_app.__main__ import main
from roofline_app.command.evaluation_tables import FURTHER_TABLES
from roofline_app.command.formats import FORMATS
from roofline_app.command.lists import LISTS

BENCHMARK = {"backend": "vllm", "model_id": "Qwen/Qwen3-8B", "max_concurrency": 8, "mean_tpot_ms": 7.5}
BENCHMARK |= {"total_input_tokens": 8000, "total_output_tokens": 8000, "completed": 8}


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def answers(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[Any, str, str, list[dict[str, str]]]:
    """Return an answer as JSON, table, Markdown and CSV."""
    texts = {form: said(capsys, *arguments, "--format", form) for form in FORMATS}
    return json.loads(texts["json"]), texts["table"], texts["markdown"], rows_of(texts["csv"])


def test_json_stays_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "gpus") == said(capsys, "gpus", "--format", "json")


@pytest.mark.parametrize("query", ["", "preset=dense&lang=zh", "price=0&cap=1&drafter=ngram", "preset=small-gpu"])
def test_an_evaluation_reads_as_the_page_says_it(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    value, table, marked, rows = answers(capsys, "evaluate", query)
    assert value["headline"] in table
    assert value["verdict"] in table
    for drafter, rates in zip(value["drafters"], value["economics"]["drafters"], strict=True):
        for text in (table, marked):
            (line,) = [line for line in text.splitlines() if line.lstrip("| ").startswith(drafter["name"] + " ")]
            assert fmt.speedup(drafter["best"]["speedup"]) in line
            assert fmt.rate(rates["tokens_per_second_per_user"]) in line
        own = [row for row in rows if row["drafter"] == drafter["name"]]
        assert [float(row["speedup"]) for row in own] == drafter["speedup"]
        assert [int(row["draft_tokens"]) for row in own] == drafter["draft_tokens"]
    for part in value["step"]["components"]:
        assert fmt.seconds(part["seconds"]) in table
    assert fmt.bytes_(value["memory"]["capacity_bytes"]) in table


def test_whole_requests_have_a_table_where_their_lengths_are_stated(capsys: pytest.CaptureFixture[str]) -> None:
    value, table, marked, _ = answers(capsys, "evaluate", "prompt=8192&output=1024")
    found = value["end_to_end"]
    for rates in (found["without"], *found["drafters"]):
        for text in (table, marked):
            assert fmt.seconds(rates["first_token_seconds"]) in text
            assert fmt.seconds(rates["end_to_end_seconds"]) in text
            assert fmt.speedup(rates["reported_speedup"]) in text
    without = said(capsys, "evaluate", "", "--format", "table")
    assert "8,192" in table
    assert "8,192" not in without


def test_what_is_asked_for_besides_has_a_table_and_no_place_in_csv(capsys: pytest.CaptureFixture[str]) -> None:
    assert FURTHER_TABLES.keys() == export.FURTHER.keys()
    for further in export.FURTHER:
        words = ["evaluate", "", "--with", further]
        plain, more = said(capsys, "evaluate", "", "--format", "table"), said(capsys, *words, "--format", "table")
        assert more.startswith(plain.rstrip())
        assert len(more.splitlines()) > len(plain.splitlines()) + 3
        assert main([*words, "--format", "csv"]) == 2
        assert capsys.readouterr().err.startswith("--with: ")


def test_a_name_of_ones_own_is_text_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    query = "drafter=mtp,name=%253Dcmd|%253Cb%253E"
    _, table, marked, rows = answers(capsys, "evaluate", query)
    assert "=cmd|<b>" in table
    assert "<b>" not in marked.split("**")[-1]
    assert "=cmd\\|&lt;b&gt;" in marked
    assert {row["drafter"] for row in rows} == {"'=cmd|<b>"}


@pytest.mark.parametrize("verb", LISTS)
def test_a_list_reads_in_every_form(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    value, table, marked, rows = answers(capsys, verb)
    assert [row["id"] for row in rows] == [entry["id"] for entry in value]
    for entry in value:
        assert any(line.startswith(f"{entry['id']} ") for line in table.splitlines()), entry["id"]
        assert f"| {entry['id']} |" in marked


def test_numbers_of_lists_have_units_for_people_and_none_for_spreadsheets(capsys: pytest.CaptureFixture[str]) -> None:
    _, table, _, rows = answers(capsys, "gpus")
    (line,) = [line for line in table.splitlines() if line.startswith("b200 ")]
    known = registry.gpu("b200")
    for stated in (fmt.bytes_(known.memory_bytes), " TB/s", "2.25 PFLOP/s", "$6.25"):
        assert stated in line
    (row,) = [row for row in rows if row["id"] == "b200"]
    assert float(row["memory_bytes_per_second"]) == known.memory_bytes_per_second
    assert float(row["dense_flops_per_second.bf16"]) == 2.25e15
    assert row["source"].startswith("https://")


def test_a_validation_reads_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    value, table, marked, rows = answers(capsys, "validate")
    whole = next(one for one in value["summaries"] if one["by"] == "all" and one["quantity"] == "step")
    for text in (table, marked):
        assert fmt.percent(round(whole["calibrated"]["median"], 3)) in text
    assert len(rows) == len(value["rows"])
    first, row = value["rows"][0], rows[0]
    assert float(row["calibrated_error"]) == pytest.approx(first["calibrated"] / first["measured"] - 1)
    assert row["row.model"] == first["row"]["model"]


def test_a_benchmark_reads_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "result.json"
    file.write_text(json.dumps(BENCHMARK), encoding="utf-8")
    value, table, marked, (row,) = answers(capsys, "import", str(file), "--query", "model=qwen3-8b&gpu=b200&gpus=1")
    (point,) = value["points"]
    for text in (table, marked):
        assert "7.50 ms" in text
        assert fmt.seconds(point["predicted"]["seconds_per_token"]) in text
        assert fmt.signed_percent(point["predicted"]["error"]) in text
    assert float(row["seconds_per_token"]) == 0.0075
    assert float(row["predicted.seconds_per_token"]) == point["predicted"]["seconds_per_token"]
    several = rows_of(said(capsys, "import", str(tmp_path), "--format", "csv"))
    assert [one["file"] for one in several] == ["result.json"]


def test_rows_to_hand_in_have_a_form_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "result.json"
    file.write_text(json.dumps(BENCHMARK), encoding="utf-8")
    assert main(["import", str(file), "--contribute", "--format", "table"]) == 2
    refusal = capsys.readouterr().err
    assert refusal.startswith("--format: ")
    assert refusal.count("\n") == 1


def test_an_unknown_form_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["evaluate", "", "--format", "xml"])
    assert stopped.value.code == 2
    refusal = capsys.readouterr().err
    assert [form for form in (*FORMATS, "xml") if form not in refusal] == []


@pytest.mark.parametrize("form", FORMATS)
def test_notices_stand_apart_from_the_answer(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "batch=-3", "--format", form]) == 0
    assert "batch" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["query", "evaluation", "measured-decode", "measured-rounds"])
def test_schemas_are_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(said(capsys, "schema", name))["$id"].startswith(f"urn:speculation-roofline:{name}:")
