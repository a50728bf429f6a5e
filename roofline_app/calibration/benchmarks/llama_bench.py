"""llama.cpp's `llama-bench` in its JSON, JSONL, CSV and Markdown forms.

It times one sequence alone; its rows of text generation are read, those with a prompt in them are no decoding.

Source:
    ggml-org/llama.cpp: tools/llama-bench/llama-bench.cpp and its README; ggml/src/ggml-cuda/ggml-cuda.cu,
    `ggml_cuda_init`, for the devices before a table.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from itertools import islice

from roofline_app.calibration.benchmarks.csv_table import MOST_LINES
from roofline_app.calibration.benchmarks.points import PLAIN, MeasuredPoint, Pace, Run, measured_point
from roofline_app.calibration.benchmarks.remarks import Remark, UnusableError, remark
from roofline_app.calibration.benchmarks.run_fields import Row
from roofline_app.query.notices import shortened
from roofline_app.scenario import LARGEST_CONTEXT, LARGEST_GPUS

ENGINE = "llama.cpp"
# The head of the Markdown form ends with it.
TABLE_MARK = " t/s |"
FIELDS = ("avg_ts", "n_gen")
# Any number from here on puts every layer of a known model on the accelerator; -1 does so too.
_ALL_LAYERS = 99
_QUANTISED = re.compile(r"\b(I?Q\d[\w]{0,12}|MXFP4|NVFP4|BF16|F16|F32)\b", re.IGNORECASE)
_GGUF = re.compile(r"(?:-\d{5}-of-\d{5})?\.gguf\Z", re.IGNORECASE)
# Columns that the CSV form has among others.
_COLUMNS = frozenset({"avg_ts", "n_gen", "n_prompt"})
_LONGEST_HEADER = 4_096
_CELL = r"[ \t]{0,64}"
_TEST = re.compile(r"(?:pp ?(\d{1,9}))?\+?(?:tg ?(\d{1,9}))?(?: @ d(\d{1,9}))?\Z")
_SPEED = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(?: ± [\d.]{1,20})?\Z")
_DEVICE = re.compile(r"Device \d{1,3}: ([^,\n]{1,80}),")
_HEAD = re.compile(
    r"^\|" + _CELL + r"model" + _CELL + r"\|[^\n]{0,1024}\|" + _CELL + r"t/s" + _CELL + r"\|", re.MULTILINE
)


def stem(filename: str) -> str:
    """Return the name of a model's file without its path and ending."""
    return _GGUF.sub("", filename.replace("\\", "/").rsplit("/", 1)[-1])


def quantised(*names: str) -> str:
    """Return the weights' format as the name of a file or a type states it."""
    found = (_QUANTISED.search(re.sub(r"[-.]", " ", name)) for name in names)
    return next((match[1] for match in found if match), "")


def _gpus(row: Row) -> tuple[str, int | None]:
    """Return name and number of the accelerators; of several kinds, all names."""
    names = [name.strip() for name in row.whole_text("gpu_info").split(",") if name.strip()]
    if not names:
        return row.text("cpu_info"), None
    if row.text("split_mode") == "none":
        names = names[:1]
    return shortened(", ".join(dict.fromkeys(names))), len(names) if len(names) <= LARGEST_GPUS else None


def _generated(row: Row) -> tuple[int, int]:
    """Return tokens generated, and tokens in the cache before."""
    prompt = row.count("n_prompt", LARGEST_CONTEXT) or 0
    generated = row.count("n_gen", LARGEST_CONTEXT) or 0
    if prompt or not generated:
        raise UnusableError("not_decoding", field=row.named("n_gen" if not generated else "n_prompt"))
    return generated, row.count("n_depth", LARGEST_CONTEXT) or 0


def _bench_run(row: Row) -> Run:
    generated, depth = _generated(row)
    gpu, gpus = _gpus(row)
    layers = row.finite("n_gpu_layers")
    told = [remark("llama_bench")]
    if layers is not None and 0 <= layers < _ALL_LAYERS:
        told.append(remark("gpu_layers", layers=int(layers)))
    if gpus is not None and gpus > 1 and row.text("split_mode") == "layer":
        told.append(remark("layer_split"))
    model_file, model_type = row.text("model_filename"), row.text("model_type")
    cached = {row.text("type_k"), row.text("type_v")} - {""}
    return Run(
        file_format="llama_bench",
        source_line=row.line,
        engine=ENGINE,
        model=stem(model_file) or model_type,
        gpu=gpu,
        gpus=gpus,
        weights=quantised(model_file, model_type),
        kv="/".join(sorted(cached)),
        label=model_type,
        batch=1.0,
        output_tokens=float(generated),
        context_tokens=depth + generated / 2,
        assumptions=tuple(told),
    )


def bench(row: Row) -> MeasuredPoint:
    """Return the point of one row of `llama-bench`.

    Args:
        row: One object of its JSON, or one row of its CSV by column.

    Returns:
        The point, of one sequence that decodes alone.

    Raises:
        UnusableError: When a prompt is in the row, a needed field is missing, or one is impossible.
    """
    run = _bench_run(row)
    speed = row.positive("avg_ts")
    if speed is None:
        raise UnusableError("missing", field=row.named("avg_ts"))
    pace = Pace(seconds_per_token=1 / speed, tokens_per_second=speed, field=row.named("avg_ts"))
    return measured_point(run, pace, PLAIN)


def is_csv(text: str) -> bool:
    """Whether a text starts with the header of `llama-bench`'s CSV."""
    first = text.lstrip()[:_LONGEST_HEADER].partition("\n")[0]
    return {name.strip().strip('"') for name in first.split(",")} >= _COLUMNS


def _cell(value: str) -> object:
    stripped = value.strip()
    try:
        return float(stripped)
    except ValueError:
        return stripped


def csv_rows(text: str) -> Iterator[tuple[int, Row | UnusableError]]:
    """Yield the rows of `llama-bench`'s CSV, each with its line.

    Args:
        text: A text for which `is_csv` holds.

    Yields:
        Line, and the row or what is wrong with it.

    Raises:
        UnusableError: When the table is broken.
    """
    reader = csv.reader(islice(io.StringIO(text, newline=""), MOST_LINES))
    names: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = [name.strip() for name in cells]
            elif len(cells) != len(names):
                yield reader.line_num, UnusableError("too_many_cells", columns=len(names))
            else:
                pairs = zip(names, cells, strict=True)
                yield reader.line_num, Row({name: _cell(cell) for name, cell in pairs}, reader.line_num)
        if reader.line_num >= MOST_LINES:
            yield reader.line_num, UnusableError("too_many_lines", most=MOST_LINES)
    except csv.Error as error:
        raise UnusableError("broken_table", line=reader.line_num, reason=str(error)) from None


def _test(cell: str) -> Mapping[str, object]:
    """Return what was timed, as the fields of the JSON form: such as `tg128 @ d512`."""
    found = _TEST.match(cell)
    if found is None:
        raise UnusableError("not_a_test", field="test", given=cell)
    return {
        name: float(count or 0) for name, count in zip(("n_prompt", "n_gen", "n_depth"), found.groups(), strict=True)
    }


def _table_row(names: list[str], line: str, number: int, devices: list[str]) -> Row:
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if len(cells) != len(names):
        raise UnusableError("too_many_cells", columns=len(names))
    stated = dict(zip(names, cells, strict=True))
    speed = _SPEED.match(stated.get("t/s", ""))
    if speed is None:
        raise UnusableError("not_a_number", field="t/s", given=stated.get("t/s", ""))
    fields: dict[str, object] = {"model_type": stated.get("model", ""), "avg_ts": float(speed[1])}
    fields |= {"gpu_info": ", ".join(devices), "split_mode": stated.get("sm", "layer")}
    fields |= {"type_k": stated.get("type_k", ""), "type_v": stated.get("type_v", "")}
    if stated.get("ngl", "").lstrip("-").isdecimal():
        fields["n_gpu_layers"] = float(stated["ngl"])
    return Row(fields | dict(_test(stated.get("test", ""))), number)


def table_points(text: str, most_rows: int) -> Iterator[MeasuredPoint | Remark]:
    """Yield the points of Markdown tables of `llama-bench`, terminals and all.

    Args:
        text: Tables, with anything before and behind; the devices that the program lists first are the accelerators.
        most_rows: How many rows are read.

    Yields:
        Points, and what was left out.
    """
    devices = [name.strip() for name in _DEVICE.findall(text[: 1 << 20])][:LARGEST_GPUS]
    read = counted = 0
    line = 1
    for head in _HEAD.finditer(text):
        line += text.count("\n", counted, head.start())
        counted = head.start()
        names = [name.strip() for name in head[0].strip("|").split("|")]
        for offset, row in enumerate(_rows_below(text, head.end()), start=1):
            if set(row) <= set("|-: "):
                continue
            read += 1
            if read > most_rows:
                yield remark("too_many_rows", most=most_rows, line=line + offset)
                return
            try:
                yield bench(_table_row(names, row, line + offset, devices))
            except UnusableError as error:
                yield error.at_line(line + offset)


def _rows_below(text: str, start: int) -> Iterator[str]:
    """Yield the lines of a table below its head, while they are any."""
    start = text.find("\n", start) + 1
    while start and text.startswith("|", start):
        end = text.find("\n", start)
        yield text[start : len(text) if end < 0 else end].strip()[:_LONGEST_HEADER]
        start = end + 1
