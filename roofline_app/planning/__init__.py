"""Planning: which node reaches a target at least cost."""

from roofline_app.planning.search import nodes

__all__ = ["nodes"]
