"""Payoff of a better drafter."""
