"""Speculation: acceptance, drafting and the speedup that both give."""
