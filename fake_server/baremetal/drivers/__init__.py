"""Hardware interfaces, which a node's driver consists of; one module per family.

:mod:`.registry` has the classes and makes those of a node; :mod:`~fake_server.baremetal.interfaces`
has the names, which are enabled and which are defaults.
"""
