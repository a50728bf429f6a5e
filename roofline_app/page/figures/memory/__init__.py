"""The node's memory by use."""
