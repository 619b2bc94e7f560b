"""The little of the Networking API that bare metal needs: networks, subnets, segments, ports.

Served under ``/networking/v2.0``; the Bare Metal service uses :mod:`.models` directly.
"""
