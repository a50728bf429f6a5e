"""Adaptive verification against batch: a fixed length, the best by batch, adaptive, and an oracle."""
