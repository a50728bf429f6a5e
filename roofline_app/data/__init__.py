"""Data files, read through `registry` and `text` alone."""
