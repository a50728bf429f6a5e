"""Speedup against tokens per round."""
