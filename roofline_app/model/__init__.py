"""Models: a config.json as dimensions, dimensions as the terms that a pass reads and computes."""
