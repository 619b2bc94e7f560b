"""The Placement API: what there is to be had of what, who has it, and whom it would suit.

Served under ``/placement``. Ironic's nodes are resource providers; :mod:`.nodes` keeps them so.
"""
