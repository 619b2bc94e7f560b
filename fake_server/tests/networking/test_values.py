"""Values of attributes that Neutron takes, keeps in another form, or refuses."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud
from fake_server.tests.networking.test_answers import error

NOWHERE = "00000000-0000-0000-0000-000000000001"
CIDR = {"cidr": "10.0.0.0/24", "ip_version": 4}
FLAT = {"provider:network_type": "flat"}


@pytest.fixture(scope="module")
def cloud():
    made = Cloud()
    unlimited = {"quota": {"network": -1, "subnet": -1, "port": -1}}
    for role in ("member", "admin"):
        made("admin", "PUT", f"/quotas/{made.project(role)}", unlimited)
    return made


@pytest.fixture
def net(cloud):
    return cloud.make("member", "network")["id"]


def listed(cloud, role, kind, query):
    status, body = cloud(role, "GET", f"/{kind}?{query}")
    assert status == 200, body
    return body[kind.replace("-", "_")]


# Bodies


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"{", "Body contains invalid data"),
        (b"[" * 100_000, "Body contains invalid data"),
        ({"networks": [{"name": "x"}]}, "Bulk operation not supported"),
    ],
)
def test_changes_that_cannot_be_read(cloud, net, body, text):
    answer = cloud("member", "PUT", f"/networks/{net}", body)
    assert error(answer) == (400, "HTTPBadRequest", text)
    assert cloud("member", "GET", f"/networks/{net}")[1]["network"]["name"] == ""


# Ports


def test_a_subnet_without_a_free_address(cloud, net):
    values = {"network_id": net, "ip_version": 4, "cidr": "10.0.0.0/30"}
    subnet = cloud.make("member", "subnet", **values)["id"]
    wanted = {"network_id": net, "fixed_ips": [{"subnet_id": subnet}]}
    (fixed,) = cloud.make("member", "port", **wanted)["fixed_ips"]
    assert fixed["ip_address"] == "10.0.0.2"
    answer = cloud("member", "POST", "/ports", {"port": wanted})
    text = f"No more IP addresses available on network {net}."
    assert error(answer) == (409, "IpAddressGenerationFailure", text)


# Subnets


@pytest.mark.parametrize(
    ("cidr", "gateway", "pools"),
    [
        ("10.0.0.0/31", None, [("10.0.0.0", "10.0.0.1")]),
        ("10.0.0.8/32", None, [("10.0.0.8", "10.0.0.8")]),
        ("10.0.0.0/29", None, [("10.0.0.1", "10.0.0.6")]),
        ("10.0.0.0/29", "10.0.0.3", [("10.0.0.1", "10.0.0.2"), ("10.0.0.4", "10.0.0.6")]),
        ("10.0.0.0/29", "10.0.0.6", [("10.0.0.1", "10.0.0.5")]),
        ("10.0.0.0/29", "10.8.0.1", [("10.0.0.1", "10.0.0.6")]),
    ],
)
def test_the_addresses_of_a_subnet(cloud, net, cidr, gateway, pools):
    values = {"cidr": cidr, "ip_version": 4, "gateway_ip": gateway, "enable_dhcp": False}
    subnet = cloud.make("member", "subnet", network_id=net, **values)
    assert subnet["gateway_ip"] == gateway
    assert [(pool["start"], pool["end"]) for pool in subnet["allocation_pools"]] == pools


# Segments


def flat(name):
    return {**FLAT, "provider:physical_network": name}


def segment(cloud, network):
    (found,) = listed(cloud, "admin", "segments", f"network_id={network['id']}")
    return found["id"]


@pytest.mark.parametrize(
    ("cidr", "fine", "wrong"),
    [
        ("10.5.0.0/24", ("10.5.0.2", "10.5.0.254"), ("10.5.0.0", "10.5.0.255", "10.5.1.2")),
        ("10.5.0.0/30", ("10.5.0.2",), ("10.5.0.0", "10.5.0.3")),
        ("10.5.0.0/31", ("10.5.0.0", "10.5.0.1"), ("10.5.0.2",)),
        ("2001:db8::/64", ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff"), ("2001:db8::",)),
    ],
)
def test_ports_have_neither_the_first_address_nor_the_last(cloud, net, cidr, fine, wrong):
    version = 6 if ":" in cidr else 4
    values = {"network_id": net, "cidr": cidr, "ip_version": version, "enable_dhcp": False}
    subnet = cloud.make("member", "subnet", gateway_ip=None, **values)["id"]
    for where in ({}, {"subnet_id": subnet}):
        for address in (*fine, *wrong):
            fixed = [{**where, "ip_address": address}]
            body = {"port": {"network_id": net, "fixed_ips": fixed}}
            status, answer = cloud("member", "POST", "/ports", body)
            assert (address, status) == (address, 201 if address in fine else 400)
            if status == 201:
                cloud("member", "DELETE", f"/ports/{answer['port']['id']}")


def test_a_subnet_is_put_into_a_segment_once(cloud):
    network = cloud.make("admin", "network", **flat("once"))
    other = cloud.make("admin", "network", **flat("other"))
    subnet = cloud.make("admin", "subnet", network_id=network["id"], **CIDR)
    path = f"/subnets/{subnet['id']}"

    def put(ident):
        return cloud("admin", "PUT", path, {"subnet": {"segment_id": ident}})

    assert error(put(NOWHERE)) == (404, "SegmentNotFound", f"Segment {NOWHERE} could not be found.")
    foreign = segment(cloud, other)
    assert error(put(foreign)) == (
        400,
        "NetworkIdsDontMatch",
        f"The subnet's network id, '{network['id']}', doesn't match the network_id of segment "
        f"'{foreign}'",
    )
    own = segment(cloud, network)
    status, body = put(own)
    assert (status, body["subnet"]["segment_id"]) == (200, own)
    assert error(put(None))[1] == "SubnetSegmentAssociationChangeNotAllowed"
    second = {"network_id": network["id"], "cidr": "10.1.0.0/24", "ip_version": 4}
    answer = cloud("admin", "POST", "/subnets", {"subnet": second})
    assert error(answer)[:2] == (400, "SubnetsNotAllAssociatedWithSegments")


def test_a_subnet_beside_one_without_a_segment_has_none(cloud):
    network = cloud.make("admin", "network", **flat("beside"))
    subnets = [
        cloud.make("admin", "subnet", network_id=network["id"], ip_version=4, cidr=cidr)["id"]
        for cidr in ("10.0.0.0/24", "10.1.0.0/24")
    ]
    body = {"subnet": {"segment_id": segment(cloud, network)}}
    assert cloud("member", "GET", f"/segments/{body['subnet']['segment_id']}")[0] == 404
    answer = cloud("admin", "PUT", f"/subnets/{subnets[0]}", body)
    assert error(answer)[:2] == (400, "SubnetsNotAllAssociatedWithSegments")


# Lists


def test_networks_are_found_by_their_segments(cloud):
    one, two = ({**flat(name), "provider:network_type": "vlan"} for name in ("seen", "unseen"))
    wanted = [{**one, "provider:segmentation_id": 3007}, {**two, "provider:segmentation_id": 3008}]
    several = cloud.make("admin", "network", segments=wanted)["id"]
    single = cloud.make("admin", "network", **flat("single"))["id"]
    vlan = {**flat("single"), "provider:network_type": "vlan", "provider:segmentation_id": 3010}
    tagged = cloud.make("admin", "network", **vlan)["id"]
    for query, found in (
        ("provider:segmentation_id=3010", [tagged]),
        ("provider:segmentation_id=3009&provider:segmentation_id=3007", [several]),
        ("provider:physical_network=seen", [several]),
        ("provider:physical_network=unseen", [several]),
        ("provider:segmentation_id=3008", [several]),
        ("provider:segmentation_id=3009", []),
        ("provider:physical_network=single&provider:network_type=flat", [single]),
        ("provider:network_type=flat&provider:physical_network=seen", []),
    ):
        ids = [one["id"] for one in listed(cloud, "admin", "networks", query)]
        assert (query, ids) == (query, found)


def test_who_asks_for_groups_of_others_creates_none():
    cloud = Cloud()
    other = cloud.project("other")
    assert listed(cloud, "member", "security-groups", f"project_id={other}") == []
    found = listed(cloud, "admin", "security-groups", f"project_id={cloud.project('member')}")
    assert [group["name"] for group in found] == ["default"]
    projects = {group["project_id"] for group in listed(cloud, "admin", "security-groups", "")}
    assert projects == {cloud.project("member"), cloud.project("admin")}
