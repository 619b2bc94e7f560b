"""Security groups, their rules, and ports that have them; the answers are those of Neutron 29."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

NOWHERE = "00000000-0000-0000-0000-000000000001"


@pytest.fixture(scope="module")
def cloud():
    made = Cloud()
    unlimited = {"quota": {"security_group": -1, "security_group_rule": -1}}
    for role in ("member", "other"):
        made("admin", "PUT", f"/quotas/{made.project(role)}", unlimited)
    return made


@pytest.fixture
def group(cloud):
    return cloud.make("member", "security_group", name="g")["id"]


@pytest.fixture
def net(cloud):
    return cloud.make("member", "network")["id"]


def default_of(cloud, role):
    (found,) = cloud(role, "GET", "/security-groups?name=default")[1]["security_groups"]
    return found["id"]


def make_rule(cloud, group, **values):
    wanted = {"security_group_id": group, "direction": "ingress", **values}
    return cloud("member", "POST", "/security-group-rules", {"security_group_rule": wanted})


def error(answer):
    status, body = answer
    return status, body["NeutronError"]["type"], body["NeutronError"]["message"]


def test_each_project_has_a_default_group():
    cloud = Cloud()
    (found,) = cloud("reader", "GET", "/security-groups")[1]["security_groups"]
    assert (found["name"], found["description"]) == ("default", "Default security group")
    assert (found["stateful"], found["shared"], found["tags"]) == (True, False, [])
    rules = [
        (one["direction"], one["ethertype"], one["remote_group_id"])
        for one in found["security_group_rules"]
    ]
    assert rules == [
        ("egress", "IPv4", None),
        ("egress", "IPv6", None),
        ("ingress", "IPv4", found["id"]),
        ("ingress", "IPv6", found["id"]),
    ]
    assert cloud("member", "GET", "/security-groups")[1]["security_groups"] == [found]
    assert default_of(cloud, "other") != found["id"]
    status, _ = cloud("other", "GET", f"/security-groups/{found['id']}")
    assert status == 404


def test_a_port_has_the_default_group(cloud, net, group):
    default = default_of(cloud, "member")
    make = lambda **values: cloud.make("member", "port", network_id=net, **values)  # noqa: E731
    assert make()["security_groups"] == [default]
    assert make(security_groups=None)["security_groups"] == []
    assert make(security_groups=[group])["security_groups"] == [group]
    assert make(port_security_enabled=False)["security_groups"] == []
    assert make(device_owner="network:x")["security_groups"] == []
    found = cloud("member", "GET", f"/ports?security_groups={group}")[1]["ports"]
    assert [port["security_groups"] for port in found] == [[group]]


def test_a_port_without_security_has_no_groups(cloud, net):
    port = cloud.make("member", "port", network_id=net)["id"]
    changes = {"port_security_enabled": False, "security_groups": []}
    status, body = cloud("member", "PUT", f"/ports/{port}", {"port": changes})
    assert (status, body["port"]["security_groups"]) == (200, [])


def test_a_port_has_no_groups_of_others(cloud, net):
    foreign = cloud.make("other", "security_group", name="foreign")["id"]
    body = {"port": {"network_id": net, "security_groups": [foreign]}}
    text = f"Security group {foreign} does not exist"
    assert error(cloud("member", "POST", "/ports", body)) == (404, "SecurityGroupNotFound", text)
    assert cloud("admin", "POST", "/ports", body)[0] == 201


def test_stateful_and_stateless_groups_do_not_mix(cloud, net, group):
    other = cloud.make("member", "security_group", stateful=False)["id"]
    body = {"port": {"network_id": net, "security_groups": [group, other]}}
    assert error(cloud("member", "POST", "/ports", body)) == (
        409,
        "SecurityGroupConflict",
        "Error Cannot apply both stateful and stateless security groups on the same port at the "
        "same time while attempting the operation.",
    )


def test_a_group_in_use_stays(cloud, net, group):
    path = f"/security-groups/{group}"
    port = cloud.make("member", "port", network_id=net, security_groups=[group])["id"]
    in_use = (409, "SecurityGroupInUse", f"Security Group {group} in use.")
    assert error(cloud("member", "DELETE", path)) == in_use
    stateless = {"security_group": {"stateful": False}}
    assert error(cloud("member", "PUT", path, stateless)) == in_use
    cloud("member", "DELETE", f"/ports/{port}")
    make_rule(cloud, default_of(cloud, "member"), remote_group_id=group)
    assert cloud("member", "DELETE", path)[0] == 204
    for name in ("security_group_id", "remote_group_id"):
        _, body = cloud("member", "GET", f"/security-group-rules?{name}={group}")
        assert body == {"security_group_rules": []}


def test_the_default_group_stays_as_it_is():
    cloud = Cloud()
    path = f"/security-groups/{default_of(cloud, 'member')}"
    renamed = {"security_group": {"name": "x"}}
    assert error(cloud("admin", "PUT", path, renamed)) == (
        409,
        "SecurityGroupCannotUpdateDefault",
        "Updating default security group not allowed.",
    )
    described = {"security_group": {"description": "x"}}
    assert cloud("member", "PUT", path, described)[0] == 200
    assert error(cloud("member", "DELETE", path)) == (
        409,
        "SecurityGroupCannotRemoveDefault",
        "Insufficient rights for removing default security group.",
    )
    assert cloud("admin", "DELETE", path)[0] == 204


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ({"protocol": "TCP", "port_range_min": "22", "port_range_max": 22}, {"protocol": "tcp"}),
        ({"protocol": 6}, {"protocol": "6"}),
        ({"protocol": "1", "ethertype": "IPv6"}, {"protocol": "58"}),
        ({"protocol": "1"}, {"protocol": "1"}),
        ({"protocol": "any", "ethertype": "ipv6"}, {"protocol": None, "ethertype": "IPv6"}),
        ({"protocol": "icmp", "ethertype": "IPv6"}, {"protocol": "ipv6-icmp"}),
        (
            {"protocol": "udp", "port_range_min": 1, "port_range_max": 65535},
            {"port_range_min": None, "port_range_max": None},
        ),
        (
            {"remote_ip_prefix": "10.1.0.5/16"},
            {"remote_ip_prefix": "10.1.0.5/16", "normalized_cidr": "10.1.0.0/16"},
        ),
        ({"remote_ip_prefix": "10.1.0.5"}, {"remote_ip_prefix": "10.1.0.5/32"}),
    ],
)
def test_rules(cloud, group, values, kept):
    status, body = make_rule(cloud, group, **values)
    assert status == 201
    rule = body["security_group_rule"]
    assert rule == {**rule, **kept}
    path = f"/security-group-rules/{rule['id']}"
    assert cloud("reader", "GET", path) == (200, body)
    assert cloud("member", "DELETE", path)[0] == 204
    assert cloud("member", "GET", path)[0] == 404


def test_a_rule_is_there_once(cloud, group):
    first = make_rule(cloud, group, protocol="tcp")[1]["security_group_rule"]["id"]
    for protocol in ("tcp", "6"):
        assert error(make_rule(cloud, group, protocol=protocol)) == (
            409,
            "SecurityGroupRuleExists",
            f"Security group rule already exists. Rule id is {first}.",
        )
    rule = {"security_group_id": group, "direction": "ingress", "protocol": "udp"}
    for other, expected in (
        (rule, (409, "DuplicateSecurityGroupRuleInPost")),
        ({**rule, "security_group_id": NOWHERE}, (400, "SecurityGroupNotSingleGroupRules")),
    ):
        body = {"security_group_rules": [rule, other]}
        assert error(cloud("member", "POST", "/security-group-rules", body))[:2] == expected


# The numbers that IANA gave them.
NUMBERS = {
    **{"ah": 51, "dccp": 33, "egp": 8, "esp": 50, "gre": 47, "hopopt": 0, "igmp": 2, "ipip": 4},
    **{"ipv6-encap": 41, "ipv6-frag": 44, "ipv6-nonxt": 59, "ipv6-opts": 60, "ipv6-route": 43},
    **{"ospf": 89, "pgm": 113, "rsvp": 46, "sctp": 132, "tcp": 6, "udp": 17, "udplite": 136},
    **{"vrrp": 112, "icmp": 1},
}


def test_a_protocol_is_the_same_by_its_number(cloud, group):
    for name, number in NUMBERS.items():
        version = {"ethertype": "IPv6" if name.startswith("ipv6") else "IPv4"}
        assert make_rule(cloud, group, protocol=name, **version)[0] == 201
        again = make_rule(cloud, group, protocol=str(number), **version)
        assert error(again)[:2] == (409, "SecurityGroupRuleExists"), name


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"port_range_max": 3}, "SecurityGroupMissingIcmpType"),
        ({"port_range_min": 256}, "SecurityGroupInvalidIcmpValue"),
        ({"port_range_min": 255, "port_range_max": 256}, "SecurityGroupInvalidIcmpValue"),
        ({"port_range_min": 255, "port_range_max": 255}, None),
        ({"port_range_min": 8}, None),
        ({}, None),
    ],
)
def test_types_and_codes_of_icmp(cloud, group, values, kind):
    answer = make_rule(cloud, group, protocol="icmp", **values)
    if kind is None:
        assert answer[0] == 201
    else:
        assert error(answer)[:2] == (400, kind)
