"""Calibration: measured rows, what a profile predicts for them, and the fit of the profiles' constants."""
