"""Networks whose subnets are in segments: hosts get addresses of those they are connected to."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

NOWHERE = (
    "Host {} is not connected to any segments on routed provider network '{}'.  It should be "
    "connected to one."
)


@pytest.fixture
def cloud():
    return Cloud()


@pytest.fixture
def routed(cloud):
    """Return the id of a network, and those of its subnets in the physical networks one and two."""
    values = {"provider:network_type": "flat", "provider:physical_network": "one"}
    net = cloud.make("admin", "network", **values)["id"]
    _, body = cloud("admin", "GET", f"/segments?network_id={net}")
    first = body["segments"][0]["id"]
    second = cloud.make(
        "admin", "segment", network_id=net, network_type="vlan", physical_network="two"
    )["id"]
    subnets = [
        cloud.make("admin", "subnet", network_id=net, ip_version=4, cidr=cidr, segment_id=segment)[
            "id"
        ]
        for cidr, segment in (("10.1.0.0/24", first), ("10.2.0.0/24", second))
    ]
    return net, *subnets


def enrol(cloud, *physical_networks):
    """Enrol a node with ports in these physical networks, and return its UUID."""
    node = cloud.baremetal(
        "POST", "/nodes", {"driver": "fake-hardware", "network_interface": "neutron"}
    )["uuid"]
    for name in physical_networks:
        address = f"52:54:00:{node[:2]}:{node[2:4]}:{node[4:6]}"
        body = {"node_uuid": node, "address": address, "physical_network": name}
        link = {"switch_id": "52:54:00:00:00:01", "port_id": "p", "switch_info": "s"}
        cloud.baremetal("POST", "/ports", {**body, "local_link_connection": link})
    return node


def bind(cloud, port, host, **changes):
    body = {"port": {"binding:host_id": host, **changes}}
    status, answer = cloud("service", "PUT", f"/ports/{port['id']}", body)
    return status, answer.get("port") or answer["NeutronError"]


def subnets_of(port):
    return [fixed["subnet_id"] for fixed in port["fixed_ips"]]


def test_a_port_gets_its_address_once_it_has_a_host(cloud, routed):
    net, _, two = routed
    port = cloud.make("admin", "port", network_id=net)
    assert (port["fixed_ips"], port["ip_allocation"]) == ([], "deferred")
    status, bound = bind(cloud, port, enrol(cloud, "two"))
    assert (status, subnets_of(bound), bound["ip_allocation"]) == (200, [two], "deferred")
    status, unbound = bind(cloud, port, "")
    assert (status, unbound["fixed_ips"]) == (200, bound["fixed_ips"])


def test_a_host_that_is_not_connected_is_refused(cloud, routed):
    net, *_ = routed
    port = cloud.make("admin", "port", network_id=net)
    for host in ("nobody", enrol(cloud, "three")):
        status, error = bind(cloud, port, host)
        assert (status, error["type"]) == (409, "HostNotConnectedToAnySegment")
        assert error["message"] == NOWHERE.format(host, net)
    body = {"port": {"network_id": net, "binding:host_id": "nobody"}}
    assert cloud("service", "POST", "/ports", body)[0] == 409
    _, shown = cloud("admin", "GET", f"/ports/{port['id']}")
    assert (shown["port"]["binding:host_id"], shown["port"]["fixed_ips"]) == ("", [])


def test_addresses_do_not_move_to_a_host_in_another_segment(cloud, routed):
    net, one, two = routed
    port = cloud.make("admin", "port", network_id=net, fixed_ips=[{"subnet_id": one}])
    assert subnets_of(port) == [one]
    status, error = bind(cloud, port, enrol(cloud, "two"))
    assert (status, error["type"]) == (409, "HostNotCompatibleWithFixedIps")
    status, bound = bind(cloud, port, enrol(cloud, "one"))
    assert (status, subnets_of(bound)) == (200, [one])
    status, moved = bind(cloud, port, enrol(cloud, "two"), fixed_ips=[{"subnet_id": two}])
    assert (status, subnets_of(moved)) == (200, [two])


def test_addresses_are_of_one_segment_and_of_that_of_the_host(cloud, routed):
    net, one, two = routed
    both = [{"subnet_id": one}, {"subnet_id": two}]
    status, body = cloud(
        "admin", "POST", "/ports", {"port": {"network_id": net, "fixed_ips": both}}
    )
    assert (status, body["NeutronError"]["type"]) == (400, "FixedIpsSubnetsNotOnSameSegment")
    port = cloud.make("admin", "port", network_id=net)
    status, error = bind(cloud, port, enrol(cloud, "two"), fixed_ips=both[:1])
    assert (status, error["message"]) == (
        400,
        f"Invalid input for operation: Failed to create port on network {net}, because fixed_ips "
        f"included invalid subnet {one}.",
    )


@pytest.mark.parametrize(("name", "status"), [("one", 204), ("two", 204), ("three", 400)])
def test_an_address_of_no_segment_fits_hosts_in_each(cloud, name, status):
    kinds = [
        {"provider:network_type": "flat", "provider:physical_network": physical}
        for physical in ("one", "two")
    ]
    net = cloud.make("admin", "network", segments=kinds)["id"]
    cloud.make("admin", "subnet", network_id=net, ip_version=4, cidr="10.1.0.0/24")
    port = cloud.make("admin", "port", network_id=net)
    assert len(port["fixed_ips"]) == 1
    node = enrol(cloud, name)
    answered, _ = cloud.ask_baremetal("POST", f"/nodes/{node}/vifs", {"id": port["id"]})
    assert answered == status
    _, shown = cloud("admin", "GET", f"/ports/{port['id']}")
    assert shown["port"]["binding:host_id"] == (node if status == 204 else "")
