"""What Neutron refuses, with its statuses, types and texts."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

NOWHERE = "00000000-0000-0000-0000-000000000001"
CIDR = {"cidr": "10.0.0.0/24", "ip_version": 4}


@pytest.fixture(scope="module")
def cloud():
    return Cloud()


@pytest.fixture
def net(cloud):
    return cloud.make("member", "network")["id"]


def refused(cloud, role, method, path, body=None, **headers):
    """Return status, type and text of a refusal."""
    status, answer = cloud(role, method, path, body, **headers)
    assert status >= 400, answer
    error = answer["NeutronError"]
    assert error["detail"] == ""
    return status, error["type"], error["message"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (
            {"provider:network_type": "flat", "provider:physical_network": "one"},
            (
                "FlatNetworkInUse",
                "Unable to create the flat network. Physical network one is in use.",
            ),
        ),
        (
            {
                "provider:network_type": "vlan",
                "provider:physical_network": "one",
                "provider:segmentation_id": 7,
            },
            (
                "VlanIdInUse",
                "Unable to create the network. The VLAN 7 on physical network one is in use.",
            ),
        ),
        (
            {"provider:network_type": "vxlan", "provider:segmentation_id": 77},
            ("TunnelIdInUse", "Unable to create the network. The tunnel ID 77 is in use."),
        ),
    ],
)
def test_segments_are_one_networks(cloud, wanted, expected):
    cloud.make("admin", "network", **wanted)
    assert refused(cloud, "admin", "POST", "/networks", {"network": wanted}) == (409, *expected)


def test_what_one_port_has_another_cannot_have(cloud, net):
    subnet = cloud.make("member", "subnet", network_id=net, **CIDR)["id"]
    mac = "52:54:00:00:00:01"
    fixed = {"fixed_ips": [{"ip_address": "10.0.0.9"}]}
    one = cloud.make("member", "port", network_id=net, mac_address=mac, **fixed)
    two = cloud.make("member", "port", network_id=net)
    taken = (
        409,
        "MacAddressInUse",
        f"Unable to complete operation for network {net}. The mac address {mac} is in use.",
    )
    body = {"port": {"network_id": net, "mac_address": mac.upper()}}
    assert refused(cloud, "member", "POST", "/ports", body) == taken
    path = f"/ports/{two['id']}"
    assert refused(cloud, "admin", "PUT", path, {"port": {"mac_address": mac}}) == taken
    text = f"IP address 10.0.0.9 already allocated in subnet {subnet}"
    allocated = (409, "IpAddressAlreadyAllocated", text)
    assert refused(cloud, "member", "POST", "/ports", {"port": {"network_id": net, **fixed}}) == (
        allocated
    )
    assert refused(cloud, "member", "PUT", path, {"port": fixed}) == allocated
    assert cloud("member", "DELETE", f"/ports/{one['id']}")[0] == 204
    assert cloud("member", "PUT", path, {"port": fixed})[0] == 200


def test_what_is_in_use_stays(cloud, net):
    subnet = cloud.make("member", "subnet", network_id=net, **CIDR)["id"]
    port = cloud.make("member", "port", network_id=net)["id"]
    assert refused(cloud, "member", "DELETE", f"/networks/{net}") == (
        409,
        "NetworkInUse",
        f"Unable to complete operation on network {net}. There are one or more ports still in use "
        f"on the network, id for these ports is: {port}.",
    )
    assert refused(cloud, "member", "DELETE", f"/subnets/{subnet}") == (
        409,
        "SubnetInUse",
        f"Unable to complete operation on subnet {subnet}: One or more ports have an IP "
        "allocation from this subnet.",
    )
    cloud("member", "DELETE", f"/ports/{port}")
    assert cloud("member", "DELETE", f"/networks/{net}")[0] == 204
    assert cloud("member", "GET", f"/subnets/{subnet}")[0] == 404


def test_the_port_of_a_dhcp_server_goes_with_its_network(cloud, net):
    subnet = cloud.make("member", "subnet", network_id=net, **CIDR)["id"]
    port = cloud.make("member", "port", network_id=net, device_owner="network:dhcp")["id"]
    assert cloud("member", "DELETE", f"/subnets/{subnet}")[0] == 204
    assert cloud("member", "GET", f"/ports/{port}")[1]["port"]["fixed_ips"] == []
    assert cloud("member", "DELETE", f"/networks/{net}")[0] == 204
    assert cloud("member", "GET", f"/ports/{port}")[0] == 404


def test_a_network_that_others_use_stays_shared(cloud):
    net = cloud.make("admin", "network", name="all", shared=True)["id"]
    port = cloud.make("member", "port", network_id=net)["id"]
    change = {"network": {"shared": False}}
    assert refused(cloud, "admin", "PUT", f"/networks/{net}", change) == (
        409,
        "InvalidSharedSetting",
        "Unable to reconfigure sharing settings for network all. Multiple projects are using it.",
    )
    cloud("member", "DELETE", f"/ports/{port}")
    assert cloud("admin", "PUT", f"/networks/{net}", change)[0] == 200
    assert cloud("member", "GET", f"/networks/{net}")[0] == 404


def test_a_bound_port_keeps_its_mac_address(cloud, net):
    port = cloud.make("member", "port", network_id=net)
    path = f"/ports/{port['id']}"
    assert cloud("admin", "PUT", path, {"port": {"binding:host_id": "h"}})[0] == 200
    status, kind, _ = refused(
        cloud, "admin", "PUT", path, {"port": {"mac_address": "52:54:00:00:00:02"}}
    )
    assert (status, kind) == (409, "PortBound")


def test_a_list_is_created_as_a_whole(cloud, net):
    subnet = {"network_id": net, **CIDR}
    status, kind, _ = refused(cloud, "member", "POST", "/subnets", {"subnets": [subnet, subnet]})
    assert (status, kind) == (400, "InvalidInput")
    assert cloud("member", "GET", f"/subnets?network_id={net}") == (200, {"subnets": []})


def test_another_revision(cloud, net):
    path, body = f"/networks/{net}", {"network": {"name": "x"}}
    answer = refused(cloud, "member", "PUT", path, body, HTTP_IF_MATCH="revision_number=99")
    assert answer == (
        412,
        "RevisionNumberConstraintFailed",
        "Constrained to 99, but current revision is 1",
    )
    answer = refused(cloud, "member", "DELETE", path, HTTP_IF_MATCH="revision_number=x")
    assert answer == (
        400,
        "BadRequest",
        "Bad if-match request: Revision number etag must be in the format of "
        "revision_number=<int>.",
    )
    assert cloud("member", "PUT", path, body, HTTP_IF_MATCH="revision_number=1")[0] == 200
