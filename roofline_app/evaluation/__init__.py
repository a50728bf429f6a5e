"""Evaluation: everything that follows from one scenario, from its passes and drafters to memory and rates."""

from roofline_app.evaluation.assembly import evaluate
from roofline_app.evaluation.line_adaptive import adaptive
from roofline_app.evaluation.line_needs import need
from roofline_app.evaluation.passes import BATCHES
from roofline_app.evaluation.schedule import schedule

__all__ = ["BATCHES", "adaptive", "evaluate", "need", "schedule"]
