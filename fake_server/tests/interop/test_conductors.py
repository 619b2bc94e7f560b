"""Several conductors, as the client sees them."""

from __future__ import annotations

import pytest

from baremetalclient import client, exc
from fake_server.baremetal.conductor_hosts import parse
from fake_server.server import FakeServer
from fake_server.settings import Settings


def test_nodes_of_conductor_groups():
    hosts = tuple(map(parse, ("host1:rack1", "host2:rack1:fake-hardware+redfish", "host3")))
    with FakeServer(Settings(conductors=hosts)) as server:
        ironic = client.get_client(1, endpoint=server.url)
        found = {item.hostname: item for item in ironic.conductor.list(detail=True)}
        assert [item.conductor_group for item in found.values()] == ["rack1", "rack1", ""]
        assert found["host2"].drivers == ["fake-hardware", "redfish"]
        assert ironic.driver.get("ipmi").hosts == ["host1", "host3"]
        node = ironic.node.create(driver="redfish", conductor_group="rack1")
        other = ({"host1", "host2"} - {node.conductor}).pop()
        assert [item.uuid for item in ironic.node.list(conductor=node.conductor)] == [node.uuid]
        assert ironic.node.list(conductor=other) == []
        assert len(ironic.node.list(conductor_group="rack1")) == 1
        server.conductors.change(node.conductor, {"alive": False})
        assert ironic.node.get(node.uuid).conductor == other
        server.conductors.change(other, {"alive": False})
        assert ironic.node.get(node.uuid).conductor is None
        with pytest.raises(exc.NotFound, match="No valid host was found"):
            ironic.node.set_provision_state(node.uuid, "manage")
