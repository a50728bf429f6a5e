from __future__ import annotations

import pytest
from reference_data import reference_file

from roofline_app.calibration.benchmarks import MeasuredPoint, MeasurementError, import_file


def _points(text: str) -> tuple[MeasuredPoint, ...]:
    return import_file("points.csv", text.encode()).points


def _only(text: str) -> MeasuredPoint:
    (point,) = _points(text)
    return point


def test_columns_are_read_by_name_in_any_order() -> None:
    point = _only(
        "label,milliseconds_per_token,batch,model,gpu,gpus,engine,context_tokens,tokens_per_round,draft_tokens\n"
        "mine,4,8,Qwen3-8B,H200,1,SGLang,2048,2.5,3\n"
    )
    assert (point.label, point.model, point.gpu, point.gpus, point.engine) == ("mine", "Qwen3-8B", "H200", 1, "SGLang")
    assert (point.batch, point.context_tokens, point.draft_tokens) == (8, 2048, 3)
    assert point.seconds_per_token == pytest.approx(0.004)
    assert point.seconds_per_round == pytest.approx(0.010)
    assert point.source_line == 2


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("seconds_per_token", 0.004),
        ("milliseconds_per_token", 4),
        ("tokens_per_second_per_user", 250),
        ("seconds_per_round", 0.010),
        ("milliseconds_per_round", 10),
        ("tokens_per_second", 2000),
    ],
)
def test_one_time_can_be_stated_in_six_ways(column: str, value: float) -> None:
    point = _only(f"batch,tokens_per_round,draft_tokens,{column}\n8,2.5,3,{value}\n")
    assert point.seconds_per_token == pytest.approx(0.004)


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        pytest.param("tokens_per_round,draft_tokens", "2.5,3", id="bonus token included"),
        pytest.param("accepted_drafts_per_round,draft_tokens", "1.5,3", id="bonus token left out"),
        pytest.param("accepted_share,draft_tokens", "0.5,3", id="accepted of proposed"),
        pytest.param("tokens_per_round,verify_tokens", "2.5,4", id="root counted"),
        pytest.param("tokens_per_round,draft_tokens,verify_tokens", "2.5,3,4", id="root counted and not"),
        pytest.param("survival", "0.8:0.45:0.25", id="by position"),
    ],
)
def test_one_acceptance_can_be_stated_in_six_ways(columns: str, values: str) -> None:
    point = _only(f"batch,seconds_per_token,{columns}\n8,0.004,{values}\n")
    assert point.tokens_per_round == pytest.approx(2.5)
    assert point.draft_tokens == 3


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_of_spreadsheets_are_understood(separator: str) -> None:
    rows = [["batch", "seconds_per_token"], ["8", "0.004"]]
    assert _only("\n".join(separator.join(row) for row in rows)).batch == 8


def test_a_spreadsheets_mark_and_line_ends_are_understood() -> None:
    content = "\ufeffBatch, Seconds_per_token\r\n8, 0.004\r\n".encode()
    assert import_file("points.csv", content).points[0].batch == 8


def test_comments_and_empty_lines_keep_line_numbers() -> None:
    points = _points("# 2026-08-01\nbatch,seconds_per_token\n\n# warm\n1,0.004\n2,0.005\n")
    assert [point.source_line for point in points] == [5, 6]


@pytest.mark.parametrize("missing", ["", "-", "nan", "NaN", "null", "None", "n/a", "inf"])
def test_missing_cells_are_missing(missing: str) -> None:
    point = _only(f"batch,seconds_per_token,tokens_per_round,gpus\n1,0.004,{missing},{missing}\n")
    assert (point.gpus, point.tokens_per_round, point.draft_tokens) == (None, 1, 0)


def test_drafts_without_acceptance_are_not_plain() -> None:
    assert _only("batch,seconds_per_token,draft_tokens\n1,0.004,3\n").tokens_per_round is None


def test_columns_that_are_not_read_are_named() -> None:
    imported = import_file("points.csv", b"batch,seconds_per_token,watts\n1,0.004,700\n")
    assert [notice.text for notice in imported.notices] == ["columns not read: watts"]


@pytest.mark.parametrize(
    ("columns", "values", "said"),
    [
        ("seconds_per_token", "fast", "line 2, seconds_per_token: “fast” is not a number"),
        ("seconds_per_token", "", "line 2, seconds_per_token: missing"),
        ("seconds_per_token,batch", "0.004,0.5", "column stands twice"),
        ("seconds_per_token,accepted_share", "0.004,0.5", "line 2, draft_tokens: missing"),
        ("seconds_per_token,draft_tokens,accepted_share", "0.004,3,50", "accepted_share: 50 is not between 0 and 1"),
        ("seconds_per_token,draft_tokens,verify_tokens", "0.004,3,5", "verify_tokens: 5 contradicts draft_tokens"),
        ("seconds_per_token,survival", "0.004,0.8:x", "survival: “0.8:x” is not a list of numbers"),
        ("seconds_per_token,survival", "0.004,0.4:0.8", "survival: rises"),
        ("seconds_per_token,survival", "0.004,1.4", "survival: 1.4 is not between 0 and 1"),
        ("seconds_per_round,draft_tokens", "0.004,3", "line 2, tokens_per_round: missing"),
        ("seconds_per_token,context_tokens", "0.004,99999999999", "context_tokens: 1e\\+11 is impossible"),
        ("seconds_per_token,tokens_per_round", "0.004,-2", None),
    ],
)
def test_an_impossible_cell_is_named_with_its_line(columns: str, values: str, said: str | None) -> None:
    text = f"batch,{columns}\n8,{values}\n"
    if said is None:
        assert _only(text).tokens_per_round == 1
        return
    with pytest.raises(MeasurementError, match=said):
        _points(text)


def test_a_batch_below_one_is_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match=r"batch: 0\.5 is impossible"):
        _points("batch,seconds_per_token\n0.5,0.004\n")


def test_a_missing_batch_is_refused_by_name() -> None:
    with pytest.raises(MeasurementError, match="line 2, batch: missing"):
        _points("batch,seconds_per_token\n,0.004\n")


def test_a_cell_too_long_for_a_table_is_refused() -> None:
    with pytest.raises(MeasurementError, match=r"not a table \(line 2"):
        _points("batch,seconds_per_token\n" + "9" * 200_000 + ",1\n")


def test_a_row_with_more_cells_than_columns_is_left_out() -> None:
    imported = import_file("points.csv", b"batch,seconds_per_token\n1,0.004,,\nQwen3,8B,1,0.004\n")
    assert [point.source_line for point in imported.points] == [2]
    assert imported.notices[0].text == "line 3, cells: more than the 2 columns; the row is left out"


def test_a_header_alone_holds_no_row() -> None:
    with pytest.raises(MeasurementError, match="no row that can be used"):
        _points("batch,seconds_per_token,watts\n")


def test_published_rounds_can_be_read_back_as_a_table() -> None:
    imported = import_file("measured_rounds.csv", reference_file("measured_rounds.csv").read_bytes())
    assert len(imported.points) == 42
    assert all(point.seconds_per_round for point in imported.points)
