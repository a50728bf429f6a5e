"""Where the page runs: a browser's worker or a Panel server, and what keeps both sides in step."""
