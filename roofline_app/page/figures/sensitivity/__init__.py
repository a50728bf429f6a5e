"""What moves the speedup most."""
