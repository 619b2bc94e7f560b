"""What Neutron refuses, with its statuses, types and texts."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

NOWHERE = "00000000-0000-0000-0000-000000000001"
CIDR = {"cidr": "10.0.0.0/24", "ip_version": 4}
POOL = {"start": "10.0.0.2", "end": "10.0.0.9"}


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


def invalid(name, reason):
    return 400, "HTTPBadRequest", f"Invalid input for {name}. Reason: {reason}."


def unusable(reason):
    return 400, "InvalidInput", f"Invalid input for operation: {reason}."


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({}, "Unable to find 'network' in request body"),
        ([], "Body contains invalid data"),
        ({"network": []}, "Object 'network' contains invalid data"),
        ({"network": None}, "Unable to find 'network' in request body"),
        ({"networks": []}, "Resources required"),
        ({"networks": [5]}, "Body contains invalid data"),
        ({"network": {"bogus": 1}}, "Unrecognized attribute(s) 'bogus'"),
        ({"network": {"id": NOWHERE}}, "Attribute 'id' not allowed in POST"),
        ({"network": {"status": "DOWN"}}, "Attribute 'status' not allowed in POST"),
        ({"network": {"name": 5}}, invalid("name", "'5' is not a valid string")[2]),
        (
            {"network": {"project_id": "a", "tenant_id": "b"}},
            "'project_id' and 'tenant_id' do not match",
        ),
        (
            {"network": {"project_id": "a"}},
            "Specifying 'project_id' other than the authenticated project in request is not "
            "allowed for the current user.",
        ),
    ],
)
def test_bodies(cloud, body, text):
    answer = refused(cloud, "member", "POST", "/networks", body)
    assert answer == (400, "HTTPBadRequest", text)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"admin_state_up": "maybe"}, unusable("'maybe' cannot be converted to boolean")),
        ({"mtu": "x"}, unusable("'x' is not an integer")),
        ({"mtu": 9000}, unusable("Requested MTU is too big, maximum is 1450")),
        (
            {"availability_zone_hints": ["x"]},
            (404, "AvailabilityZoneNotFound", "AvailabilityZone x could not be found."),
        ),
        (
            {"provider:network_type": "flat"},
            unusable("physical_network required for flat provider network"),
        ),
        ({"provider:segmentation_id": 5}, unusable("network_type required")),
        ({"provider:network_type": "x"}, unusable("network_type value 'x' not supported")),
        (
            {
                "provider:network_type": "vlan",
                "provider:physical_network": "a",
                "provider:segmentation_id": 5000,
            },
            unusable("segmentation_id out of range (1 through 4094)"),
        ),
        (
            {"provider:network_type": "vlan", "provider:segmentation_id": 5},
            unusable("segmentation_id requires physical_network for VLAN provider network"),
        ),
        (
            {"provider:network_type": "vxlan", "provider:physical_network": "a"},
            unusable("provider:physical_network specified for vxlan network"),
        ),
        (
            {"segments": [{"provider:network_type": "vlan"}], "provider:network_type": "vlan"},
            (
                400,
                "SegmentsSetInConjunctionWithProviders",
                "Segments and provider values cannot both be set.",
            ),
        ),
    ],
)
def test_networks(cloud, values, expected):
    assert refused(cloud, "admin", "POST", "/networks", {"network": values}) == expected


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


@pytest.mark.parametrize("name", ["id", "status", "subnets", "tags", "revision_number"])
def test_attributes_that_are_not_to_be_changed(cloud, net, name):
    answer = refused(cloud, "member", "PUT", f"/networks/{net}", {"network": {name: "x"}})
    assert answer == (400, "HTTPBadRequest", f"Cannot update read-only attribute {name}")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (
            {"ip_version": None},
            unusable("'None' is not an integer"),
        ),
        ({"cidr": "x"}, unusable("x is not in a CIDR format")),
        ({"cidr": "10.0.0.0/33"}, unusable("10.0.0.0/33 is not in a CIDR format")),
        ({"cidr": "fd00::/64"}, unusable("cidr 'fd00::/64' does not match the ip_version '4'")),
        ({"ip_version": 5}, invalid("ip_version", "5 is not in valid_values")),
        (
            {"cidr": "10.0.0.0/32"},
            unusable("Subnet has a prefix length that is incompatible with DHCP service enabled"),
        ),
        (
            {"cidr": "224.0.0.0/24"},
            unusable("Multicast IP subnet is not supported if enable_dhcp is True"),
        ),
        (
            {"cidr": "10.0.0.0/0"},
            unusable("First IP '0.0.0.0' of network is not supported if enable_dhcp is True."),
        ),
        ({"network_id": "x"}, invalid("network_id", "'x' is not a valid UUID")),
        (
            {"network_id": NOWHERE},
            (404, "NetworkNotFound", f"Network {NOWHERE} could not be found."),
        ),
        ({"gateway_ip": "x"}, invalid("gateway_ip", "'x' is not a valid IP address")),
        ({"gateway_ip": "10.0.0.255"}, unusable("Gateway is not valid on subnet")),
        (
            {"gateway_ip": "fd00::1"},
            unusable("gateway_ip 'fd00::1' does not match the ip_version '4'"),
        ),
        (
            {"gateway_ip": "10.0.0.5", "allocation_pools": [POOL]},
            (
                409,
                "GatewayConflictWithAllocationPools",
                "Gateway ip 10.0.0.5 conflicts with allocation pool 10.0.0.2-10.0.0.9.",
            ),
        ),
        (
            {"allocation_pools": [{"start": "10.0.0.9", "end": "10.0.0.2"}]},
            (
                400,
                "InvalidAllocationPool",
                "The allocation pool {'start': '10.0.0.9', 'end': '10.0.0.2'} is not valid.",
            ),
        ),
        (
            {"allocation_pools": [{"start": "10.0.0.9", "end": "10.0.1.2"}]},
            (
                400,
                "OutOfBoundsAllocationPool",
                "The allocation pool 10.0.0.9-10.0.1.2 spans beyond the subnet cidr 10.0.0.0/24.",
            ),
        ),
        (
            {"allocation_pools": [POOL, {"start": "10.0.0.9", "end": "10.0.0.19"}]},
            (
                409,
                "OverlappingAllocationPools",
                "Found overlapping allocation pools: 10.0.0.2-10.0.0.9 10.0.0.9-10.0.0.19 for "
                "subnet 10.0.0.0/24.",
            ),
        ),
        ({"allocation_pools": 5}, unusable("Invalid data format for allocation pools")),
        (
            {"dns_nameservers": ["x"]},
            invalid(
                "dns_nameservers", "'x' is not a valid nameserver. 'x' is not a valid IP address"
            ),
        ),
        (
            {"host_routes": [{"destination": "x", "nexthop": "y"}]},
            invalid("host_routes", "'x' is not a valid CIDR"),
        ),
        (
            {"ipv6_ra_mode": "slaac"},
            unusable("ipv6_ra_mode is not valid when ip_version is 4"),
        ),
        (
            {"subnetpool_id": NOWHERE},
            (404, "SubnetPoolNotFound", f"Subnet pool {NOWHERE} could not be found."),
        ),
    ],
)
def test_subnets(cloud, net, values, expected):
    body = {"subnet": {"network_id": net, **CIDR, **values}}
    assert refused(cloud, "member", "POST", "/subnets", body) == expected


@pytest.mark.parametrize("cidr", ["10.0.0.0/24", "10.0.0.0/16", "10.0.0.128/25"])
def test_a_subnet_that_overlaps_another(cloud, net, cidr):
    cloud.make("member", "subnet", network_id=net, **CIDR)
    body = {"subnet": {"network_id": net, "cidr": cidr, "ip_version": 4}}
    assert refused(cloud, "member", "POST", "/subnets", body) == unusable(
        f"Requested subnet with cidr: {cidr} for network: {net} overlaps with another subnet"
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"network_id": None}, invalid("network_id", "'None' is not a valid UUID")),
        ({"mac_address": "x"}, invalid("mac_address", "'x' is not a valid MAC address")),
        (
            {"mac_address": "ff:ff:ff:ff:ff:ff"},
            invalid("mac_address", "'ff:ff:ff:ff:ff:ff' is not a valid MAC address"),
        ),
        ({"binding:vnic_type": "x"}, invalid("binding:vnic_type", "x is not in valid_values")),
        ({"fixed_ips": 5}, invalid("fixed_ips", "Invalid data format for fixed IP: '5'")),
        ({"fixed_ips": [{}]}, unusable("IP allocation requires subnet_id or ip_address")),
        (
            {"fixed_ips": [{"ip_address": "10.0.9.9"}]},
            (
                400,
                "InvalidIpForNetwork",
                "IP address 10.0.9.9 is not a valid IP for any of the subnets on the specified "
                "network.",
            ),
        ),
        (
            {"fixed_ips": [{"subnet_id": NOWHERE}]},
            (404, "SubnetNotFound", f"Subnet {NOWHERE} could not be found."),
        ),
        (
            {"fixed_ips": [{"ip_address": "10.0.0.9"}, {"ip_address": "10.0.0.9"}]},
            invalid("fixed_ips", "Duplicate IP address '10.0.0.9'"),
        ),
        (
            {"security_groups": [NOWHERE]},
            (404, "SecurityGroupNotFound", f"Security group {NOWHERE} does not exist"),
        ),
        ({"extra_dhcp_opts": 5}, unusable("'5' is not a list")),
        (
            {"extra_dhcp_opts": [{"opt_name": "", "opt_value": "x"}]},
            unusable("No valid key specs matched for: {'opt_name': '', 'opt_value': 'x'}"),
        ),
        (
            {"allowed_address_pairs": 5},
            (400, "HTTPBadRequest", "Allowed address pairs must be a list."),
        ),
        (
            {"binding:host_id": "h"},
            (
                403,
                "PolicyNotAuthorized",
                "(rule:create_port and rule:create_port:binding:host_id) is disallowed by policy",
            ),
        ),
    ],
)
def test_ports(cloud, net, values, expected):
    cloud.make("member", "subnet", network_id=net, **CIDR)
    body = {"port": {"network_id": net, **values}}
    assert refused(cloud, "member", "POST", "/ports", body) == expected


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


def test_agents_are_not_created(cloud):
    assert refused(cloud, "admin", "POST", "/agents", {"agent": {}}) == (
        400,
        "BadRequest",
        "Bad agents request: Agent creation using API is not supported..",
    )
