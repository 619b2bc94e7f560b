"""The default groups of projects, and the protocols of rules, as Neutron 29 has them."""

from __future__ import annotations

import pytest

from fake_server.tests.networking.cloud import Cloud

# The numbers that IANA gave them.
NUMBERS = {
    **{"ah": 51, "dccp": 33, "egp": 8, "esp": 50, "gre": 47, "hopopt": 0, "igmp": 2, "ipip": 4},
    **{"ipv6-encap": 41, "ipv6-frag": 44, "ipv6-nonxt": 59, "ipv6-opts": 60, "ipv6-route": 43},
    **{"ospf": 89, "pgm": 113, "rsvp": 46, "sctp": 132, "tcp": 6, "udp": 17, "udplite": 136},
    **{"vrrp": 112, "icmp": 1},
}


@pytest.fixture
def cloud():
    return Cloud()


def groups(cloud, role, query=""):
    return cloud(role, "GET", f"/security-groups{query}")[1]["security_groups"]


def test_each_project_has_a_default_group(cloud):
    (found,) = groups(cloud, "reader")
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
    assert groups(cloud, "member") == [found]
    net = cloud.make("member", "network")["id"]
    port = cloud.make("member", "port", network_id=net)
    assert port["security_groups"] == [found["id"]]
    assert groups(cloud, "other")[0]["id"] != found["id"]
    assert cloud("other", "GET", f"/security-groups/{found['id']}")[0] == 404


def test_who_asks_for_groups_of_others_creates_none(cloud):
    member = cloud.project("member")
    assert groups(cloud, "member", f"?project_id={cloud.project('other')}") == []
    assert [one["name"] for one in groups(cloud, "admin", f"?project_id={member}")] == ["default"]
    projects = {group["project_id"] for group in groups(cloud, "admin")}
    assert projects == {member, cloud.project("admin")}


def test_the_default_group_stays_as_it_is(cloud):
    path = f"/security-groups/{groups(cloud, 'member')[0]['id']}"
    status, body = cloud("admin", "PUT", path, {"security_group": {"name": "x"}})
    assert (status, body["NeutronError"]["type"]) == (409, "SecurityGroupCannotUpdateDefault")
    assert body["NeutronError"]["message"] == "Updating default security group not allowed."
    described = {"security_group": {"description": "x"}}
    assert cloud("member", "PUT", path, described)[0] == 200
    status, body = cloud("member", "DELETE", path)
    text = "Insufficient rights for removing default security group."
    assert (status, body["NeutronError"]["type"]) == (409, "SecurityGroupCannotRemoveDefault")
    assert body["NeutronError"]["message"] == text
    assert cloud("admin", "DELETE", path)[0] == 204


def test_a_protocol_is_the_same_by_its_number(cloud):
    group = cloud.make("member", "security_group", name="g")["id"]

    def make_rule(protocol, version):
        rule = {"security_group_id": group, "direction": "ingress", "ethertype": version}
        body = {"security_group_rule": {**rule, "protocol": protocol}}
        return cloud("member", "POST", "/security-group-rules", body)

    for name, number in NUMBERS.items():
        version = "IPv6" if name.startswith("ipv6") else "IPv4"
        assert make_rule(name, version)[0] == 201
        status, body = make_rule(str(number), version)
        assert (status, body["NeutronError"]["type"]) == (409, "SecurityGroupRuleExists"), name
