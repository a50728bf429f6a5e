"""Reading engines' benchmark files: each run becomes a measured point in this project's conventions.

Files are recognised by what they hold, never by their name. Understood are SGLang's `bench_serving`,
`bench_one_batch_server` and `bench_one_batch` (JSON lines), vLLM's `bench serve` (JSON) and its "SpecDecoding metrics"
log lines, TensorRT-LLM's `trtllm-bench` report (JSON), and a CSV whose columns `csv_table.py` lists.
"""

from roofline_app.calibration.benchmarks.content import LARGEST_BYTES
from roofline_app.calibration.benchmarks.points import Imported, MeasuredPoint, Stream, as_id, as_json
from roofline_app.calibration.benchmarks.reading import MOST_POINTS, import_file
from roofline_app.calibration.benchmarks.remarks import MeasurementError, Remark

__all__ = [
    "LARGEST_BYTES",
    "MOST_POINTS",
    "Imported",
    "MeasuredPoint",
    "MeasurementError",
    "Remark",
    "Stream",
    "as_id",
    "as_json",
    "import_file",
]
