"""Measured points on a figure."""
