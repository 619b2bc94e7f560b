"""Ports of servers."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE


@pytest.fixture
def cloud():
    return Cloud(provisioning_network="provisioning", cleaning_network="cleaning")


@pytest.fixture
def network(cloud):
    return cloud.network()


@pytest.fixture
def port(cloud, network):
    body = {"port": {"network_id": network}}
    return cloud.send("network", "POST", "/ports", body)[1]["port"]["id"]


def wired(cloud, ports=1):
    """Enrol a node with ports of its own; return its UUID."""
    node = cloud.node(network_interface="flat")
    for number in range(ports):
        address = f"52:54:00:00:02:0{number}"
        cloud.ironic("POST", "/ports", {"node_uuid": node, "address": address})
    return node


def vifs(cloud, node):
    return [vif["id"] for vif in cloud.get("baremetal", f"/nodes/{node}/vifs")["vifs"]]


def interfaces(cloud, server):
    body = cloud.get("compute", f"/servers/{server}/os-interface")
    return [one["port_id"] for one in body["interfaceAttachments"]]


@pytest.mark.parametrize("how", ["named", "auto"])
def test_a_port_is_made_and_goes_with_its_server(cloud, network, how):
    node = wired(cloud)
    wanted = "auto" if how == "auto" else [{"uuid": network}]
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks=wanted)
    (port,) = cloud.get("network", "/ports")["ports"]
    assert (port["device_id"], port["device_owner"]) == (server["id"], "compute:nova")
    assert port["binding:host_id"] == node
    assert vifs(cloud, node) == interfaces(cloud, server["id"]) == [port["id"]]
    assert list(server["addresses"]) == ["private"]
    cloud.delete_without_a_trace(server)


@pytest.mark.parametrize("wanted", ["auto", []])
def test_a_server_is_never_put_in_the_networks_of_ironic_by_itself(cloud, network, wanted):
    for name in ("provisioning", "cleaning"):
        (made,) = cloud.get("network", f"/networks?name={name}")["networks"]
        assert cloud.send("network", "DELETE", f"/networks/{made['id']}")[0] == 204
        # As one that an administrator made before, and which projects can see.
        body = {"network": {"name": name, "shared": name == "cleaning"}}
        assert cloud.send("network", "POST", "/networks", body)[0] == 201
    wired(cloud)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks=wanted)
    assert list(server["addresses"]) == ["private"]


def test_a_port_that_was_there_is_one_servers_and_free_again_afterwards(cloud, port):
    cloud.node()
    wanted = {"imageRef": IMAGE, "networks": [{"port": port}]}
    flavor = cloud.flavor()
    server = cloud.booted(flavor, **wanted)
    answer = cloud.boot(flavor, **wanted)
    assert (answer[0], message(answer)) == (409, f"Port {port} is still in use.")
    # The interface "noop" neither binds ports nor unbinds them.
    bound = {"port": {"binding:host_id": "h"}}
    assert cloud.send("network", "PUT", f"/ports/{port}", bound)[0] == 200
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    found = cloud.get("network", f"/ports/{port}")["port"]
    assert (found["device_id"], found["device_owner"], found["binding:host_id"]) == ("", "", "")


def test_interfaces_come_and_go(cloud, network, port):
    node = wired(cloud, ports=2)
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks="none")["id"]
    path = f"/servers/{server}/os-interface"
    tagged = {"interfaceAttachment": {"port_id": port, "tag": "nic"}}
    assert cloud("POST", path, tagged)[0] == 400
    status, made = cloud("POST", path, {"interfaceAttachment": {"port_id": port}})
    assert (status, made["interfaceAttachment"]["port_id"]) == (200, port)
    status, other = cloud("POST", path, {"interfaceAttachment": {"net_id": network}})
    assert status == 200
    other = other["interfaceAttachment"]["port_id"]
    assert sorted(vifs(cloud, node)) == sorted([port, other])
    assert sorted(interfaces(cloud, server)) == sorted([port, other])
    answer = cloud("POST", path, {"interfaceAttachment": {"net_id": network}})
    assert answer[0] == 500
    assert len(cloud.get("network", "/ports")["ports"]) == 2
    for ident in (port, other):
        assert cloud("DELETE", f"{path}/{ident}") == (202, None)
    assert vifs(cloud, node) == []
    left = cloud.get("network", "/ports")["ports"]
    assert [(one["id"], one["device_id"]) for one in left] == [(port, "")]
    assert cloud("DELETE", f"{path}/{port}")[0] == 202
    assert cloud("GET", f"{path}/{port}")[0] == 404


def test_ports_stay_unbound_where_ironic_binds_none(cloud, network):
    cloud.node()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks=[{"uuid": network}])
    (port,) = cloud.get("network", f"/ports?device_id={server['id']}")["ports"]
    assert (server["status"], port["binding:host_id"]) == ("ACTIVE", "")


def test_a_server_has_the_addresses_of_its_ports(cloud, network):
    wired(cloud)
    subnet = {"network_id": network, "ip_version": 4, "cidr": "192.0.2.0/24"}
    cloud.send("network", "POST", "/subnets", {"subnet": subnet})
    wanted = [{"uuid": network, "fixed_ip": "192.0.2.9"}]
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, networks=wanted)
    (address,) = server["addresses"]["private"]
    assert (address["addr"], address["version"]) == ("192.0.2.9", 4)
    assert address["OS-EXT-IPS-MAC:mac_addr"] == "52:54:00:00:02:00"
    assert cloud.get("compute", f"/servers/{server['id']}/ips")["addresses"] == {
        "private": [{"version": 4, "addr": "192.0.2.9"}]
    }
