"""A server in a Python program: what it gives back."""

from __future__ import annotations

import socket

import pytest
import sqlalchemy as sa

from fake_server.server import FakeServer


def test_a_server_whose_port_is_taken_gives_its_database_back():
    with socket.create_server(("127.0.0.1", 0)) as other:
        server = FakeServer(port=other.getsockname()[1])
        with pytest.raises(OSError, match="Can't listen"):
            server.start()
    with pytest.raises(sa.exc.ResourceClosedError):
        server.app.store.run(lambda tx: tx.scalar(sa.select(1)))
