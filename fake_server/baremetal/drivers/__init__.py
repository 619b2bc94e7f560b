"""Hardware interfaces, which a node's driver consists of; one module per family.

:mod:`.base` has the base of each kind; a class in any module here is known by the names that it
gives itself. :mod:`.registry` makes the interfaces of a node,
:mod:`~fake_server.baremetal.interfaces` has their names, which are enabled and which are defaults.
"""
