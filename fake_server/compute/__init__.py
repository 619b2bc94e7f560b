"""The Compute API: Nova, as far as bare metal needs it.

Served under ``/compute/v2.1``. Nova is a client of the other services here, too: it asks them over
their APIs (:mod:`.cloud`) while it has no transaction open. What takes time at a node is finished
by the next request (:mod:`.manager`).
"""
