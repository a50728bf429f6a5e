"""Sweeps: many settings at once, from a query with lists and ranges to columns of results."""

from roofline_app.evaluation.sweeps.columns import Column, as_rows, columns_of, sweep
from roofline_app.evaluation.sweeps.settings import LARGEST_UNASKED, Settings, read_settings

__all__ = ["LARGEST_UNASKED", "Column", "Settings", "as_rows", "columns_of", "read_settings", "sweep"]
