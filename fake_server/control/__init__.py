"""The controls of a server: its clock, its faults, its state, and recorded requests."""
