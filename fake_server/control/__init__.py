"""What tests control of a server: its time, its faults, its state, and what it was asked."""
