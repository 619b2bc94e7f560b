"""A base of unittest's tests of software that talks to Ironic."""

from __future__ import annotations

import unittest
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.server import FakeServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from baremetalclient.v1.client import Client


class TestCase(unittest.TestCase):
    """A test with a new server, ``self.server``, and a client of it, ``self.client``.

    The environment is for the server, too. Its time stands still until a client waits, and a fault
    that met nothing is an error, as is a request with a path that no service has.
    """

    #: The options of the server: those of :class:`~.server.FakeServer`, and fields of
    #: :class:`~.settings.Settings`.
    options: ClassVar[Mapping[str, Any]] = {}

    def setUp(self) -> None:
        """Start the server; it is stopped after the test."""
        super().setUp()
        self.server = self.enterContext(FakeServer.with_options(**self.options).in_environment())

    @cached_property
    def client(self) -> Client:
        """A client, authenticated as the first account; the server's clock goes on as it waits."""
        from baremetalclient import client

        self.enterContext(client.use_clock(self.server.clock.pause, self.server.clock.seconds))
        return client.get_client(1, **self.server.client_options)
