"""Ironic's consistent hash ring, which maps nodes to conductors."""

from __future__ import annotations

import hashlib
from bisect import bisect
from functools import cache

#: Points of each host on the ring (Ironic: 2 to the power of ``hash_partition_exponent``).
_POINTS = 32


class HashRing:
    """A ring of hosts.

    :param hosts: their names, at least one.
    """

    def __init__(self, hosts: tuple[str, ...]) -> None:
        owners: dict[bytes, str] = {}
        for host in hosts:
            name = host.encode()
            digest = hashlib.md5(name, usedforsecurity=False)
            for _ in range(_POINTS):
                digest.update(name)
                owners[digest.digest()] = host
        self._points = sorted(owners)
        self._hosts = [owners[point] for point in self._points]

    def host_of(self, key: str) -> str:
        """Return the host that a key is mapped to: that of the next point on the ring."""
        point = hashlib.md5(key.encode(), usedforsecurity=False).digest()
        return self._hosts[bisect(self._points, point) % len(self._hosts)]


@cache
def ring_of(hosts: tuple[str, ...]) -> HashRing:
    """Return the ring of some hosts."""
    return HashRing(hosts)
