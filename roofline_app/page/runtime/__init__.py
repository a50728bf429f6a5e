"""The page at run time: in a browser's worker or on a Panel server, and in step with its scripts."""
