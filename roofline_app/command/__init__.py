"""What the command prints besides JSON: its answers as tables and CSV, and completion for shells."""
