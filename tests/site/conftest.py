"""What the tests of the build share."""

from tiny_site import compiler, pins, tiny_site, tiny_sources, wheel

__all__ = ["compiler", "pins", "tiny_site", "tiny_sources", "wheel"]
