"""The port that a listener accepts connections on."""

from __future__ import annotations

import os
import socket

_BACKLOG = 1024


def listening(host: str, port: int) -> socket.socket:
    """Return a socket on which connections queue up, and which doesn't block.

    :param port: 0 for any free one.
    :raises OSError: if that fails; says where.
    """
    try:
        return _bound(host, port)
    except OSError as exc:
        text = f"Can't listen on {host}, port {port}: {exc.strerror}"
        raise OSError(exc.errno, text) from exc


def _bound(host: str, port: int) -> socket.socket:
    flags = socket.AI_PASSIVE
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    family, kind, protocol, _, address = found[0]
    sock = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            # On Windows this would let two servers listen on one port.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(_BACKLOG)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock
