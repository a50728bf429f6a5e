"""Evaluation to what each figure and table shows: arrays, labels, captions. Nothing here knows how it is drawn."""
