"""Roofline of the node."""
