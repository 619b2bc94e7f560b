"""Nodes between networks, as Neutron sees it."""

from __future__ import annotations

import pytest

from fake_server.tests.interop.conftest import provision

LINK = {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "Eth1/1", "switch_info": "tor-1"}


@pytest.fixture
def vif(neutron, networks):
    values = {"network_id": networks["tenant"]}
    return neutron("POST", "/ports", {"port": values})["port"]["id"]


def deployable(ironic, make_node, interface, number, **port):
    """Return a node that boots from a volume which somebody else attached, and its port."""
    node = make_node(
        network_interface=interface,
        storage_interface="external",
        properties={"capabilities": "iscsi_boot:true"},
    )
    values = {"node_uuid": node, "local_link_connection": LINK, **port}
    made = ironic("POST", "/ports", {"address": f"52:54:00:00:00:{number:02x}", **values})
    target = {"node_uuid": node, "volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
    ironic("POST", "/volume/targets", target)
    return node, made


@pytest.mark.parametrize(
    ("interface", "number", "profile"),
    [
        ("flat", 1, {}),
        ("neutron", 2, {"local_link_information": [LINK], "physical_network": "rack"}),
    ],
)
def test_a_vif_is_bound_and_unbound(ironic, neutron, make_node, vif, interface, number, profile):
    node, made = deployable(ironic, make_node, interface, number, physical_network="rack")
    ironic("POST", f"/nodes/{node}/vifs", {"id": vif})
    provision(ironic, node, "active", "active")
    port = neutron("GET", f"/ports/{vif}")["port"]
    assert port["binding:host_id"] == node
    assert port["binding:vnic_type"] == "baremetal"
    assert port["binding:profile"] == profile
    assert port["binding:vif_type"] == "other"
    assert port["mac_address"] == made["address"]
    provision(ironic, node, "deleted", "available")
    port = neutron("GET", f"/ports/{vif}")["port"]
    assert (port["binding:host_id"], port["binding:profile"]) == ("", {})
    assert port["mac_address"] != made["address"]
    assert ironic("GET", f"/nodes/{node}/vifs") == {"vifs": []}


def test_a_node_that_was_plugged_before_is_plugged_into_a_running_node(
    ironic, neutron, networks, make_node, vif
):
    node, _ = deployable(ironic, make_node, "neutron", 3)
    port = {"node_uuid": node, "address": "52:54:00:00:01:03", "local_link_connection": LINK}
    ironic("POST", "/ports", port)
    ironic("POST", f"/nodes/{node}/vifs", {"id": vif})
    provision(ironic, node, "active", "active")
    values = {"network_id": networks["tenant"]}
    second = neutron("POST", "/ports", {"port": values})["port"]["id"]
    ironic("POST", f"/nodes/{node}/vifs", {"id": second})
    port = neutron("GET", f"/ports/{second}")["port"]
    assert port["binding:profile"]["local_link_information"] == [LINK]
    ironic("DELETE", f"/nodes/{node}/vifs/{second}")
    assert neutron("GET", f"/ports/{second}")["port"]["binding:host_id"] == ""


def test_a_binding_that_fails_is_told(ironic, neutron, make_node):
    values = {
        "name": "elsewhere",
        "provider:network_type": "flat",
        "provider:physical_network": "other-rack",
    }
    network = neutron("POST", "/networks", {"network": values})["network"]["id"]
    vif = neutron("POST", "/ports", {"port": {"network_id": network}})["port"]["id"]
    node, port = deployable(ironic, make_node, "neutron", 5)
    strict = {"op": "add", "path": "/driver_info/fail_on_binding_failure", "value": True}
    ironic("PATCH", f"/nodes/{node}", [strict])
    ironic("POST", f"/nodes/{node}/vifs", {"id": vif})
    # Somebody replugs the port into another rack, after it was found to fit.
    ironic("PUT", f"/nodes/{node}/maintenance", {})
    moved = {"op": "add", "path": "/physical_network", "value": "rack"}
    ironic("PATCH", f"/ports/{port['uuid']}", [moved])
    ironic("DELETE", f"/nodes/{node}/maintenance")
    found = provision(ironic, node, "active", "deploy failed")
    assert f"Port {vif} failed to reach status ACTIVE" in found["last_error"]
