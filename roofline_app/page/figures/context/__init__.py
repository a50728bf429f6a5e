"""Best speedup against context."""
