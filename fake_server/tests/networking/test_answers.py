"""Answers that a real Neutron gave to the same requests, kind by kind."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

NOWHERE = "00000000-0000-0000-0000-000000000001"
CIDR = {"cidr": "10.0.0.0/24", "ip_version": 4}
CIDR6 = {"cidr": "fd00::/64", "ip_version": 6}


@pytest.fixture(scope="module")
def cloud():
    made = Cloud()
    unlimited = {"quota": {"network": -1, "subnet": -1, "port": -1}}
    made("admin", "PUT", f"/quotas/{made.project('member')}", unlimited)
    return made


@pytest.fixture
def net(cloud):
    return cloud.make("member", "network")["id"]


def error(answer):
    status, body = answer
    return status, body["NeutronError"]["type"], body["NeutronError"]["message"]


def unusable(reason):
    return 400, "InvalidInput", f"Invalid input for operation: {reason}."


def invalid(name, reason):
    return 400, "HTTPBadRequest", f"Invalid input for {name}. Reason: {reason}."


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        (
            {"dns_nameservers": None, "host_routes": None},
            {"dns_nameservers": [], "host_routes": []},
        ),
        (
            {"allocation_pools": None},
            {"allocation_pools": [{"start": "10.0.0.2", "end": "10.0.0.254"}]},
        ),
        (
            {
                "allocation_pools": [
                    {"start": "10.0.0.20", "end": "10.0.0.29"},
                    {"start": "10.0.0.4", "end": "10.0.0.9"},
                ]
            },
            {
                "allocation_pools": [
                    {"start": "10.0.0.4", "end": "10.0.0.9"},
                    {"start": "10.0.0.20", "end": "10.0.0.29"},
                ]
            },
        ),
    ],
)
def test_subnets(cloud, net, values, kept):
    subnet = cloud.make("member", "subnet", network_id=net, **CIDR, **values)
    assert subnet == {**subnet, **kept}


@pytest.mark.parametrize(("mtu", "version", "least"), [(67, CIDR, 68), (1279, CIDR6, 1280)])
def test_networks_are_wide_enough_for_their_subnets(cloud, mtu, version, least):
    net = cloud.make("member", "network", mtu=mtu)["id"]
    text = f"MTU of {net} is not valid, subnet requires a minimum of {least}"
    refusal = (409, "NetworkMTUSubnetConflict", text)
    body = {"subnet": {"network_id": net, **version}}
    assert error(cloud("member", "POST", "/subnets", body)) == refusal
    assert cloud("member", "PUT", f"/networks/{net}", {"network": {"mtu": least}})[0] == 200
    assert cloud("member", "POST", "/subnets", body)[0] == 201
    changes = {"network": {"mtu": mtu}}
    assert error(cloud("member", "PUT", f"/networks/{net}", changes)) == refusal


def test_the_vlan_of_a_network_can_be_changed(cloud):
    vlan = {"provider:network_type": "vlan", "provider:physical_network": "renumbered"}
    one = cloud.make("admin", "network", **vlan, **{"provider:segmentation_id": 7})["id"]
    cloud.make("admin", "network", **vlan, **{"provider:segmentation_id": 9})
    path = f"/networks/{one}"
    changed = cloud("admin", "PUT", path, {"network": {"provider:segmentation_id": 8}})
    assert changed[1]["network"]["provider:segmentation_id"] == 8
    taken = error(cloud("admin", "PUT", path, {"network": {"provider:segmentation_id": 9}}))
    assert taken[:2] == (409, "VlanIdInUse")
    assert error(cloud("admin", "PUT", path, {"network": {"provider:network_type": "flat"}})) == (
        unusable(
            "Plugin does not support updating the following provider network attributes: "
            "provider:network_type, provider:physical_network"
        )
    )
    other = cloud.make("admin", "network")["id"]
    number = {"network": {"provider:segmentation_id": 10}}
    assert error(cloud("admin", "PUT", f"/networks/{other}", number)) == (
        unusable("Only VLAN type networks can be updated.")
    )


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        *(
            ({name: None}, {name: []})
            for name in ("fixed_ips", "allowed_address_pairs", "extra_dhcp_opts", "security_groups")
        ),
        ({"mac_address": "52-54-00-AA-00-01"}, {"mac_address": "52:54:00:aa:00:01"}),
        ({"extra_dhcp_opts": [{"opt_name": "a", "opt_value": None}]}, {"extra_dhcp_opts": []}),
        (
            {"extra_dhcp_opts": [{"opt_name": "a", "opt_value": "b", "ip_version": "6"}]},
            {"extra_dhcp_opts": [{"opt_name": "a", "opt_value": "b", "ip_version": 6}]},
        ),
    ],
)
def test_ports(cloud, net, values, kept):
    port = cloud.make("member", "port", network_id=net, **values)
    assert port == {**port, **kept}


def test_addresses_are_not_filtered_by_unknown_keys(cloud, net):
    port = cloud.make("member", "port", network_id=net, name="unfiltered")["id"]
    cloud.make("member", "subnet", network_id=net, **CIDR)
    changes = {"port": {"fixed_ips": [{"ip_address": "10.0.0.9"}]}}
    assert cloud("member", "PUT", f"/ports/{port}", changes)[0] == 200
    found = cloud("member", "GET", "/ports?name=unfiltered&fixed_ips=bogus%3D1")[1]["ports"]
    assert [one["id"] for one in found] == [port]
