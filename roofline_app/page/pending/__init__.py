"""Work in pieces: values that take long are computed a piece at a time, between the user's changes."""
