"""Figures: each in a folder of its own, beside what they share."""
