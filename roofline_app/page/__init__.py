"""The page: a thin client of the library."""
