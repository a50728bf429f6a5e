"""Calibration: benchmark files read, profiles fitted, and predictions held against what was measured."""
