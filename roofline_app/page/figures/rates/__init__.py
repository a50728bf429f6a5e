"""Tokens per second per user against per GPU."""
