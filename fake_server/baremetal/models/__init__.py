"""Models: the functions of each resource, on a session; no HTTP."""
