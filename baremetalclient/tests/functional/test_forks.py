"""A client goes on working in the children of its process."""

from __future__ import annotations

import os

import pytest

from baremetalclient import client as clients
from fake_server.server import FakeServer

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="There is no fork here.")


def test_each_process_has_connections_of_its_own(own_server):
    with FakeServer() as server:
        client = clients.get_client(1, endpoint=server.url)
        uuids = [client.node.create(driver="fake-hardware").uuid for _ in range(20)]
        children = []
        for child in range(4):
            pid = os.fork()
            if pid == 0:
                wrong = 1
                try:
                    asked = uuids[child:] * 5
                    wrong = sum(client.node.get(uuid).uuid != uuid for uuid in asked)
                finally:
                    os._exit(wrong)
            children.append(pid)
        assert [client.node.get(uuid).uuid for uuid in uuids] == uuids
        assert [os.waitpid(pid, 0)[1] for pid in children] == [0] * len(children)
