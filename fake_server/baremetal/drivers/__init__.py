"""Hardware interfaces: what a node's driver is made of, one module per family.

:mod:`.registry` knows which are enabled, which are defaults, and makes those of a node.
"""
