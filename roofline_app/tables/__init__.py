"""Values as rows and tables for people and spreadsheets; knows nothing of what the values are about."""

from roofline_app.tables.csv_text import as_csv, united
from roofline_app.tables.flat import flat
from roofline_app.tables.grid import Table, aligned, escaped, markdown

__all__ = ["Table", "aligned", "as_csv", "escaped", "flat", "markdown", "united"]
