"""An embedded server, and clients that reach it without sockets."""

from __future__ import annotations

import pytest
import requests
from keystoneauth1 import noauth, session

from baremetalclient import client as clients
from fake_server.server import FakeServer

URL = "http://ironic.test"


class Lab:
    """A server with its client.

    :param server: the server; it needs no port.
    :param adapter: what requests go through, that of the server by default.
    """

    def __init__(self, server, adapter=None):
        self.server = server
        http = requests.Session()
        # Looking for proxies at each request takes as long as answering it.
        http.trust_env = False
        http.mount(URL, adapter or server.adapter())
        self.client = clients.get_client(
            1,
            endpoint=URL,
            session=session.Session(auth=noauth.NoAuth(endpoint=URL), session=http),
            retry_interval=0,
        )

    def writes(self):
        """Return the requests that were no GET since the last call, and forget all."""
        found = [
            (one.method, one.path) for one in self.server.requests.find() if one.method != "GET"
        ]
        self.server.requests.clear()
        return found

    def state(self):
        """Return what the lab is like, without what differs from server to server."""
        names = {node.uuid: node.name for node in self.client.node.list(limit=0)}
        groups = {group.uuid: group.name for group in self.client.portgroup.list(limit=0)}
        names |= groups
        found = {}
        for kind in ("chassis", "node", "portgroup", "port", "volume_connector", "volume_target"):
            listed = getattr(self.client, kind).list(limit=0, detail=True)
            found[kind] = sorted((_comparable(vars(one), names) for one in listed), key=repr)
        return found


def _comparable(fields, names):
    left_out = ("links", "ports", "nodes", "portgroups", "states", "volume", "uuid", "conductor")
    return {
        name: names.get(value, value) if isinstance(value, str) else value
        for name, value in fields.items()
        if name not in left_out
        and not name.endswith("_at")
        and name not in ("driver_internal_info", "chassis_uuid")
    }


@pytest.fixture
def lab():
    """An empty server with a client."""
    return Lab(FakeServer())
