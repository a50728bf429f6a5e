"""Forms: what each control reads of a scenario, and the scenario that it makes."""
