"""The Placement API: resource providers, their inventories, and the allocations of them.

Served under ``/placement``. Ironic's nodes are resource providers; :mod:`.nodes` keeps them so.
"""
