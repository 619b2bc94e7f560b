"""Seeds: labs of nodes, with their ports, volumes and so on, that a server starts with.

A seed is YAML or JSON. :mod:`.parsing` reads and checks it, :mod:`.loading` stores it in a
database, and :mod:`.export` returns the seed of a server.
"""
