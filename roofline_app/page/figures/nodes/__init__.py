"""Tokens per second per user against the price of a token: nodes that reach a target."""
