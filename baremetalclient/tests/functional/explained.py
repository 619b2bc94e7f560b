"""What the tests of explanations share: a healthy node, and a server with a client."""

from __future__ import annotations

import logging
import shlex
from typing import TYPE_CHECKING

from baremetalclient import client as clients
from baremetalclient import shell

if TYPE_CHECKING:
    from fake_server.server import FakeServer

MAC = "52:54:00:00:00:01"
OTHER_MAC = "52:54:00:00:00:02"
GROUP = "00000000-0000-4000-8000-000000000001"
HEALTHY = {
    "name": "n",
    "driver": "fake-hardware",
    "provision_state": "available",
    "resource_class": "gold",
    "ports": [{"address": MAC}],
}
ISCSI = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
IQN = {"type": "iqn", "connector_id": "iqn.2026-01.com.example:n"}
EVENT = {"severity": "ERROR", "event": "Earlier", "created_at": "2026-01-01T00:00:00+00:00"}


class Lab:
    """A fake server of one test, and a client for it."""

    def __init__(self, server: FakeServer) -> None:
        self.server = server
        self.client = clients.get_client(1, endpoint=server.url, retry_interval=0)

    def add(self, **fields):
        self.server.seed({"nodes": [{**HEALTHY, **fields}]})

    def explain(self, name="n"):
        return self.client.node.explain(name)

    def finding(self, rule):
        return next(found for found in self.explain()["findings"] if found["rule"] == rule)

    def run(self, command):
        """Run a command as a shell would, and return its exit code."""
        words = shlex.split(command)
        assert words.pop(0) == "baremetal"
        root = logging.getLogger()
        handlers, level = root.handlers[:], root.level
        try:
            return shell.main(["--os-endpoint", self.server.url, *words])
        finally:
            root.handlers[:] = handlers
            root.setLevel(level)
