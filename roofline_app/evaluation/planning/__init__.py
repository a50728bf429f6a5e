"""Planning: which node reaches a target at least cost."""

from roofline_app.evaluation.planning.search import nodes

__all__ = ["nodes"]
