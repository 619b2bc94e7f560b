"""Nodes between networks, in a cloud that was started without options."""

from __future__ import annotations

from fake_server.tests.networking.cloud import Cloud

LINK = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "Eth1/1", "switch_info": "tor-1"}


def enrolled(cloud, interface, **fields):
    """Enrol a node with a port, and return the UUIDs of both."""
    values = {"driver": "fake-hardware", "network_interface": interface}
    node = cloud.baremetal("POST", "/nodes", values)["uuid"]
    address = "52:54:00:00:00:01"
    port = {"node_uuid": node, "address": address, "local_link_connection": LINK, **fields}
    return node, cloud.baremetal("POST", "/ports", port)["uuid"]


def provisioned(cloud, node, *verbs):
    for verb in verbs:
        cloud.baremetal("PUT", f"/nodes/{node}/states/provision", {"target": verb})
    return cloud.baremetal("GET", f"/nodes/{node}")["provision_state"]


def test_a_cleaning_network_without_addresses_fails_cleaning():
    cloud = Cloud(automated_clean=True, agent="simulated", interfaces={"deploy": ("direct",)})
    _, body = cloud("admin", "GET", "/networks?name=cleaning")
    net = body["networks"][0]["id"]
    values = {"network_id": net, "cidr": "10.0.0.0/30", "ip_version": 4}
    cloud.make("admin", "subnet", **values)
    cloud.make("admin", "port", network_id=net)
    node, port = enrolled(cloud, "neutron", name="p", physical_network="rack")
    assert provisioned(cloud, node, "manage", "provide") == "clean failed"
    found = cloud.baremetal("GET", f"/nodes/{node}")
    assert found["last_error"] == (
        f"Failed to prepare node {node} for cleaning: Failed to create neutron ports for node's "
        f"{node} ports [Port(address=52:54:00:00:00:01,available_for_dynamic_portgroup=True,"
        "category=None,created_at=2023-11-14T22:13:20Z,description=None,extra={},id=1,"
        f"internal_info={{}},is_smartnic=False,local_link_connection={LINK},name='p',node_id=1,"
        f"node_uuid={node},physical_network='rack',portgroup_id=None,pxe_enabled=True,"
        f"updated_at=None,uuid={port},vendor=None)]."
    )
