"""Seeds: labs of nodes, with all that belongs to them, that a server starts with.

A seed is YAML or JSON. :mod:`.reading` takes it apart and checks it as a whole, :mod:`.planting`
stores it, :mod:`.export` makes one of what a server has, :mod:`.capture` one of what any Ironic
shows of itself.
"""
