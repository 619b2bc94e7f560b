"""A locked node and what may be done to it; drivers and flows work on it."""
