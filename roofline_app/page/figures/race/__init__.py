"""The token race."""
