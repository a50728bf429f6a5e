"""Best speedup against batch."""
