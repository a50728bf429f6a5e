"""The verb `sweep`: many settings worked out by processes or a Dask cluster, and written chunk by chunk to one file."""

from roofline_app.command.sweep.files import SweepRefusedError
from roofline_app.command.sweep.run import SweepRun, run_sweep

__all__ = ["SweepRefusedError", "SweepRun", "run_sweep"]
