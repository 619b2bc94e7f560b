"""Lists, tags, revisions, segments, trunks, agents and extensions of the Networking API."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.networking.cloud import Cloud

BY_NAME = "sort_key=name&sort_dir=asc"


@pytest.fixture
def cloud():
    return Cloud()


def names(answer):
    status, body = answer
    assert status == 200, body
    return [item["name"] for item in next(iter(body.values()))]


def test_extensions(cloud):
    _, body = cloud("member", "GET", "/extensions")
    aliases = [one["alias"] for one in body["extensions"]]
    assert {"provider", "binding", "trunk", "segment", "pagination", "agent"} <= set(aliases)
    assert not {"router", "address-group", "qos"} & set(aliases)
    for alias in aliases:
        assert cloud("member", "GET", f"/extensions/{alias}")[1]["extension"]["alias"] == alias
    assert cloud("member", "GET", "/extensions/bogus")[0] == 404
    assert cloud("member", "POST", "/extensions", {})[0] == 404
    assert cloud("member", "GET", "/availability_zones") == (200, {"availability_zones": []})


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("name=a", "a"),
        ("name=a&name=b", "ab"),
        ("description=", "bc"),
        ("device_id=x", "a"),
        ("admin_state_up=false", "b"),
        ("admin_state_up=False&admin_state_up=true", "abc"),
        ("fixed_ips=ip_address%3D10.0.0.7", "a"),
        ("fixed_ips=ip_address%3D10.0.0.7&fixed_ips=ip_address%3D10.0.0.8", "ab"),
        ("fixed_ips=ip_address_substr%3D10.0.0.", "ab"),
        ("fixed_ips=subnet_id%3DSUBNET", "ab"),
        ("fixed_ips=subnet_id%3DSUBNET&fixed_ips=ip_address%3D10.0.0.8", "b"),
        ("network_id=NETWORK", "abc"),
        ("tags=x", "ab"),
        ("tags=x,y", "a"),
        ("tags-any=y,z", "ac"),
        ("not-tags=x,y", "bc"),
        ("not-tags-any=x", "c"),
        ("tenant_id=nobody", ""),
        ("sort_key=name&sort_dir=desc", "cba"),
    ],
)
def test_filters(cloud, query, expected):
    net = cloud.make("member", "network")["id"]
    values = {"network_id": net, "cidr": "10.0.0.0/24", "ip_version": 4}
    subnet = cloud.make("member", "subnet", **values)["id"]
    ports = [
        {"fixed_ips": [{"ip_address": "10.0.0.7"}], "device_id": "x", "description": "d"},
        {"fixed_ips": [{"ip_address": "10.0.0.8"}], "admin_state_up": False},
        {"fixed_ips": []},
    ]
    for name, tags, values in zip("abc", (["x", "y"], ["x"], ["z"]), ports, strict=True):
        port = cloud.make("member", "port", network_id=net, name=name, **values)
        cloud("member", "PUT", f"/ports/{port['id']}/tags", {"tags": tags})
    query = query.replace("SUBNET", subnet).replace("NETWORK", net)
    if "sort_key" not in query:
        query += f"&{BY_NAME}"
    assert "".join(names(cloud("member", "GET", f"/ports?{query}"))) == expected


def test_pages_lead_to_each_other(cloud):
    idents = [cloud.make("member", "network", name=name)["id"] for name in "abcde"]
    seen, path = [], f"/networks?limit=2&fields=id&{BY_NAME}"
    pages = []
    while path:
        _, body = cloud("member", "GET", path)
        pages.append([item["id"] for item in body["networks"]])
        seen += pages[-1]
        links = {link["rel"]: link["href"] for link in body.get("networks_links", [])}
        path = links.get("next", "").partition("/v2.0")[2]
    assert seen == idents
    _, body = cloud("member", "GET", links["previous"].partition("/v2.0")[2])
    assert [item["id"] for item in body["networks"]] == pages[-2]
    assert cloud("member", "GET", "/networks?limit=1&marker=bogus")[0] == 404


def test_tags_make_revisions(cloud):
    path = f"/networks/{cloud.make('member', 'network')['id']}"
    for method, rest, body, expected in (
        ("GET", "", None, (200, {"tags": []})),
        ("PUT", "/red", None, (201, None)),
        ("PUT", "/red", None, (201, None)),
        ("GET", "/red", None, (204, None)),
        ("PUT", "", {"tags": ["a", "b"]}, (200, {"tags": ["a", "b"]})),
        ("POST", "", {"tags": ["c"]}, (200, {"tags": ["c"]})),
        ("GET", "", None, (200, {"tags": ["a", "b", "c"]})),
        ("DELETE", "/a", None, (204, None)),
    ):
        assert cloud("member", method, f"{path}/tags{rest}", body) == expected
    status, body = cloud("member", "DELETE", f"{path}/tags/a")
    assert (status, body["NeutronError"]["type"]) == (404, "TagNotFound")
    _, body = cloud("member", "GET", path)
    assert (body["network"]["tags"], body["network"]["revision_number"]) == (["b", "c"], 5)
    assert cloud("member", "DELETE", f"{path}/tags")[0] == 204
    for wrong in ({}, {"tags": 5}, {"tags": [5]}, {"tags": ["a", "a"]}):
        assert cloud("member", "PUT", f"{path}/tags", wrong)[0] == 400
    assert cloud("admin", "GET", "/segments/x/tags")[0] == 404


def test_a_subnet_makes_revisions_of_its_network(cloud):
    net = cloud.make("member", "network")["id"]

    def revision():
        return cloud("member", "GET", f"/networks/{net}")[1]["network"]["revision_number"]

    values = {"network_id": net, "cidr": "10.0.0.0/24", "ip_version": 4}
    subnet = cloud.make("member", "subnet", **values)
    assert (subnet["revision_number"], revision()) == (0, 2)
    path = f"/subnets/{subnet['id']}"
    assert cloud("member", "PUT", path, {"subnet": {"name": "x"}})[1]["subnet"]["name"] == "x"
    assert revision() == 3
    pools = [{"start": "10.0.0.9", "end": "10.0.0.19"}]
    _, body = cloud("member", "PUT", path, {"subnet": {"allocation_pools": pools}})
    assert (body["subnet"]["allocation_pools"], revision()) == (pools, 3)


def test_dhcp_options_are_merged(cloud):
    net = cloud.make("member", "network")["id"]
    one = {"opt_name": "61", "opt_value": "x"}
    port = cloud.make("member", "port", network_id=net, extra_dhcp_opts=[one])
    assert port["extra_dhcp_opts"] == [{**one, "ip_version": 4}]
    changes = [{"opt_name": "66", "opt_value": "y"}, {"opt_name": "61", "opt_value": None}]
    body = {"port": {"extra_dhcp_opts": changes}}
    _, body = cloud("member", "PUT", f"/ports/{port['id']}", body)
    assert body["port"]["extra_dhcp_opts"] == [{**changes[0], "ip_version": 4}]


def test_segments(cloud):
    values = {"provider:network_type": "flat", "provider:physical_network": "one"}
    net = cloud.make("admin", "network", **values)["id"]
    _, body = cloud("admin", "GET", f"/segments?network_id={net}")
    (first,) = body["segments"]
    assert (first["network_type"], first["physical_network"]) == ("flat", "one")
    second = cloud.make(
        "admin", "segment", network_id=net, network_type="vlan", physical_network="two"
    )
    assert second["segmentation_id"] == 1
    _, body = cloud("admin", "GET", f"/networks/{net}")
    found = [one["provider:physical_network"] for one in body["network"]["segments"]]
    assert (found, body["network"]["l2_adjacency"]) == (["one", "two"], True)
    subnet = {"network_id": net, "cidr": "10.0.0.0/24", "ip_version": 4}
    made = cloud.make("admin", "subnet", segment_id=second["id"], **subnet)
    path = f"/segments/{second['id']}"
    status, body = cloud("admin", "DELETE", path)
    assert (status, body["NeutronError"]["type"]) == (409, "SegmentInUse")
    other = {**subnet, "cidr": "10.1.0.0/24"}
    status, body = cloud("admin", "POST", "/subnets", {"subnet": other})
    assert (status, body["NeutronError"]["type"]) == (400, "SubnetsNotAllAssociatedWithSegments")
    port = cloud.make("admin", "port", network_id=net)
    assert (port["fixed_ips"], port["ip_allocation"]) == ([], "deferred")
    cloud("admin", "DELETE", f"/subnets/{made['id']}")
    assert cloud("admin", "DELETE", path)[0] == 204
    assert cloud("member", "GET", "/segments") == (200, {"segments": []})


def test_trunks(cloud):
    net = cloud.make("member", "network")["id"]
    parent, *others = [cloud.make("member", "port", network_id=net)["id"] for _ in range(4)]
    parts = [
        {"port_id": port, "segmentation_type": "vlan", "segmentation_id": vlan}
        for vlan, port in enumerate(others, 101)
    ]
    trunk = cloud.make("member", "trunk", port_id=parent, sub_ports=parts[:1])
    path = f"/trunks/{trunk['id']}"
    add, remove = f"{path}/add_subports", f"{path}/remove_subports"

    def kind(method, address, body):
        status, answer = cloud("member", method, address, body)
        return status, answer["NeutronError"]["type"]

    status, added = cloud("member", "PUT", add, {"sub_ports": parts[1:2]})
    assert (status, added["sub_ports"]) == (200, parts[:2])
    same = {**parts[2], "segmentation_id": 101}
    assert kind("PUT", add, {"sub_ports": [same]}) == (409, "DuplicateSubPort")
    again = {**parts[0], "segmentation_id": 110}
    assert kind("PUT", add, {"sub_ports": [again]}) == (409, "TrunkPortInUse")
    own = {**again, "port_id": parent}
    assert kind("PUT", add, {"sub_ports": [own]}) == (409, "ParentPortInUse")
    wide = {**parts[2], "segmentation_id": 5000}
    assert kind("PUT", add, {"sub_ports": [wide]}) == (400, "InvalidInput")
    _, body = cloud("member", "GET", f"/ports/{parent}")
    shown = body["port"]["trunk_details"]["sub_ports"]
    assert [one["port_id"] for one in shown] == others[:2]
    assert kind("DELETE", f"/ports/{parent}", None) == (409, "PortInUseAsTrunkParent")
    assert kind("DELETE", f"/ports/{others[0]}", None) == (409, "PortInUseAsSubPort")
    gone = {"sub_ports": [{"port_id": others[1]}]}
    assert cloud("member", "PUT", remove, gone)[1]["sub_ports"] == parts[:1]
    assert kind("PUT", remove, gone) == (404, "SubPortNotFound")
    assert cloud("member", "GET", f"{path}/get_subports") == (200, {"sub_ports": parts[:1]})
    cloud("admin", "PUT", f"/ports/{parent}", {"port": {"binding:host_id": "h"}})
    assert cloud("member", "GET", path)[1]["trunk"]["status"] == "ACTIVE"
    assert kind("DELETE", path, None) == (409, "TrunkInUse")
    cloud("admin", "PUT", f"/ports/{parent}", {"port": {"binding:host_id": ""}})
    cloud("member", "PUT", path, {"trunk": {"admin_state_up": False}})
    assert kind("DELETE", path, None) == (409, "TrunkDisabled")
    cloud("member", "PUT", path, {"trunk": {"admin_state_up": True}})
    assert cloud("member", "DELETE", path)[0] == 204
    assert cloud("member", "DELETE", f"/ports/{parent}")[0] == 204


def test_nodes_with_ports_have_agents():
    api = Api()
    api.enrol("without")
    node = api.enrol("n")
    for number, physical_network in enumerate(["one", None]):
        port = {"node_uuid": node, "address": f"52:54:00:00:00:0{number}"}
        api("POST", "/v1/ports", {**port, "physical_network": physical_network})
    status, body = api("GET", "/networking/v2.0/agents")
    (agent,) = body["agents"]
    assert (agent["host"], agent["agent_type"], agent["alive"]) == (node, "Baremetal Node", True)
    assert agent["configurations"]["bridge_mappings"] == {"one": "yes"}
    path = f"/networking/v2.0/agents/{agent['id']}"
    status, body = api("PUT", path, {"agent": {"admin_state_up": False}})
    assert (status, body["agent"]["admin_state_up"]) == (200, False)
    assert api("GET", path)[1]["agent"]["admin_state_up"] is False
    assert api("DELETE", path)[0] == 204
    assert api("GET", path)[1]["agent"]["admin_state_up"] is True
    assert api("GET", "/networking/v2.0/agents?host=nobody") == (200, {"agents": []})
    assert api("GET", "/networking/v2.0/agents/bogus")[0] == 404
