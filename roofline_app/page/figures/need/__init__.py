"""The acceptance that each drafter would need to pay, against batch."""
