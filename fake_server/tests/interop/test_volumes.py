"""Nodes and their volumes, as Cinder sees it."""

from __future__ import annotations

import json

import pytest

from fake_server.tests.interop.conftest import power, provision


@pytest.fixture
def make_volume(cinder):
    made = []

    def make(**values):
        body = {"volume": {"size": 1, "volume_type": "fibre-channel", **values}}
        made.append(cinder("POST", "/volumes", body)["volume"]["id"])
        return made[-1]

    yield make
    for ident in made:
        cinder("POST", f"/volumes/{ident}/action", {"os-force_delete": {}})


@pytest.fixture
def volume_of(cinder):
    return lambda ident: cinder("GET", f"/volumes/{ident}")["volume"]


@pytest.fixture
def make_bootable(ironic, make_node):
    numbers = iter(range(100))

    def make(volume):
        node = make_node(
            storage_interface="cinder",
            network_interface="noop",
            properties={"capabilities": "fibre_channel_boot:true"},
        )
        number = next(numbers)
        for kind in ("wwpn", "wwnn"):
            ident = f"{kind}-{number}-{node[:8]}"
            connector = {"node_uuid": node, "type": kind, "connector_id": ident}
            ironic("POST", "/volume/connectors", connector)
        target = {
            "node_uuid": node,
            "volume_type": "fibre_channel",
            "volume_id": volume,
            "boot_index": 0,
        }
        ironic("POST", "/volume/targets", target)
        return node

    return make


def test_a_volume_follows_its_node(ironic, make_bootable, make_volume, volume_of):
    volume = make_volume()
    node = make_bootable(volume)
    assert ironic("GET", f"/nodes/{node}/validate")["storage"]["result"]
    provision(ironic, node, "active", "active")
    shown = volume_of(volume)
    assert shown["status"] == "in-use"
    (attachment,) = shown["attachments"]
    assert (attachment["server_id"], attachment["device"]) == (node, "ironic_mountpoint")
    assert json.loads(shown["metadata"][f"ironic_node_{node}"])["last_action"] == "attached"
    (target,) = ironic("GET", f"/volume/targets?node={node}&detail=True")["targets"]
    assert target["properties"]["volume_id"] == volume
    assert len(target["properties"]["target_wwn"]) == 2
    assert target["properties"]["target_lun"] == 1
    power(ironic, node, "power off")
    assert volume_of(volume)["status"] == "available"
    power(ironic, node, "power on")
    assert volume_of(volume)["status"] == "in-use"
    provision(ironic, node, "deleted", "available")
    shown = volume_of(volume)
    assert (shown["status"], shown["attachments"]) == ("available", [])
    assert json.loads(shown["metadata"][f"ironic_node_{node}"])["last_action"] == "detached"
    assert ironic("GET", f"/volume/targets?node={node}") == {"targets": []}
    assert len(ironic("GET", f"/volume/connectors?node={node}")["connectors"]) == 2


def test_a_volume_that_somebody_else_has(ironic, make_bootable, make_volume, volume_of):
    volume = make_volume()
    first, second = make_bootable(volume), make_bootable(volume)
    provision(ironic, first, "active", "active")
    found = provision(ironic, second, "active", "deploy failed")
    assert f"Failed to reserve volume {volume} for node {second}" in found["last_error"]
    assert [item["server_id"] for item in volume_of(volume)["attachments"]] == [first]
