"""Which line drafts how many tokens over batch and context, and what coarser schedules lose."""
