"""Measurements on the page: published ones, the user's own, and a profile fitted to those."""
