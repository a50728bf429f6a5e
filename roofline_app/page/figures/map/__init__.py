"""Best speedup over batch and context."""
