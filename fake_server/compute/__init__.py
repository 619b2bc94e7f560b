"""The Compute API: Nova, as far as bare metal needs it.

Served under ``/compute/v2.1``. Nova is a client of the other services here, too: it asks them over
their APIs (:mod:`.cloud`), and keeps no transaction of its own open meanwhile. What takes time at a
node is finished by whoever looks next (:mod:`.progress`).
"""
