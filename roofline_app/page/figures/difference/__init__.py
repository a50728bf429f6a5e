"""Where the difference between the pinned setting and the shown one comes from."""
