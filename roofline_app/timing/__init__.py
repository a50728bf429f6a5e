"""Timing: the work of a pass, and the seconds that it takes on a node."""
