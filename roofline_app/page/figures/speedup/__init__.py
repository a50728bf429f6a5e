"""Speedup against draft length."""
