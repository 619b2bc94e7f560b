"""The Networking API, as far as bare metal needs it.

Served under ``/networking/v2.0``; the Bare Metal service uses :mod:`.models` directly.
"""
