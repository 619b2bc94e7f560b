"""What older versions of Nova pass on to Neutron, Glance and Cinder."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import message

OLD = "2.35"
GROUPS = "/os-security-groups"
RULES = "/os-security-group-rules"


@pytest.fixture
def network(cloud):
    """Return the id of a network with addresses, which leads outside."""
    ident = cloud.network()
    subnet = {"network_id": ident, "cidr": "10.0.0.0/24", "ip_version": 4}
    made = cloud.send("network", "POST", "/subnets", {"subnet": subnet})[1]["subnet"]["id"]
    outside = {"name": "public", "router:external": True}
    public = cloud.send("network", "POST", "/networks", {"network": outside})[1]["network"]["id"]
    pool = {"network_id": public, "cidr": "172.24.0.0/24", "ip_version": 4}
    assert cloud.send("network", "POST", "/subnets", {"subnet": pool})[0] == 201
    router = {"external_gateway_info": {"network_id": public}}
    path = cloud.send("network", "POST", "/routers", {"router": router})[1]["router"]["id"]
    added = {"subnet_id": made}
    assert cloud.send("network", "PUT", f"/routers/{path}/add_router_interface", added)[0] == 200
    return ident


@pytest.fixture
def server(cloud, network):
    cloud.node(network_interface="noop")
    return cloud.booted(cloud.flavor(), cloud.volume(), networks=[{"uuid": network}])["id"]


@pytest.fixture
def group(cloud):
    wanted = {"security_group": {"name": "web", "description": "x"}}
    return cloud("POST", GROUPS, wanted, OLD)[1]["security_group"]["id"]


def rule(group, **values):
    wanted = {"ip_protocol": "tcp", "from_port": 80, "to_port": 80, **values}
    return {"security_group_rule": {"parent_group_id": group, **wanted}}


def test_networks_are_listed_with_little(cloud, network):
    shown = cloud("GET", f"/os-networks/{network}", version=OLD)[1]["network"]
    assert (shown["label"], shown["cidr"]) == ("private", None)
    assert shown in cloud("GET", "/os-networks", version=OLD)[1]["networks"]
    short = cloud("GET", f"/os-tenant-networks/{network}", version=OLD)[1]["network"]
    assert short == {"id": network, "label": "private", "cidr": "None"}
    assert short in cloud("GET", "/os-tenant-networks", version=OLD)[1]["networks"]
    answer = cloud("GET", "/os-networks/x", version=OLD)
    assert (answer[0], message(answer)) == (404, "Network not found")


@pytest.mark.parametrize(
    "path",
    ["/os-networks", "/os-floating-ips", GROUPS, "/images", "/os-volumes", "/os-snapshots"],
)
def test_newer_versions_pass_nothing_on(cloud, path):
    assert cloud("GET", path, version=OLD)[0] == 200
    assert cloud("GET", path, version="2.36")[0] == 404


def test_a_floating_ip_leads_to_a_server(cloud, server):
    status, body = cloud("POST", "/os-floating-ips", {"pool": "public"}, OLD)
    made = body["floating_ip"]
    assert (status, made["pool"], made["instance_id"]) == (200, "public", None)
    add = {"addFloatingIp": {"address": made["ip"]}}
    path = f"/servers/{server}/action"
    assert cloud("POST", path, add, "2.43")[0] == 202
    shown = cloud.server(server)["addresses"]["private"]
    assert [one["OS-EXT-IPS:type"] for one in shown] == ["fixed", "floating"]
    assert shown[1]["addr"] == made["ip"]
    (listed,) = cloud("GET", "/os-floating-ips", version=OLD)[1]["floating_ips"]
    assert (listed["instance_id"], listed["fixed_ip"]) == (server, shown[0]["addr"])
    removal = {"removeFloatingIp": {"address": made["ip"]}}
    assert cloud("POST", path, removal, "2.44")[0] == 404
    assert cloud("POST", path, removal, "2.43")[0] == 202
    assert cloud("POST", path, removal, "2.43")[0] == 409
    assert len(cloud.server(server)["addresses"]["private"]) == 1
    ident = f"/os-floating-ips/{made['id']}"
    assert cloud("DELETE", ident, version=OLD)[0] == 202
    assert cloud("GET", ident, version=OLD)[0] == 404
    assert cloud("POST", path, add, "2.43")[0] == 404


def test_a_floating_ip_needs_an_address_of_the_server(cloud, server):
    made = cloud("POST", "/os-floating-ips", {}, OLD)[1]["floating_ip"]["ip"]
    add = {"addFloatingIp": {"address": made, "fixed_address": "10.0.0.250"}}
    answer = cloud("POST", f"/servers/{server}/action", add, "2.43")
    sentence = "Specified fixed address not assigned to instance"
    assert (answer[0], message(answer)) == (400, sentence)
    assert cloud("POST", "/os-floating-ips", {"pool": "no"}, OLD)[0] == 404


def test_security_groups_are_those_of_neutron(cloud, group):
    path = f"{GROUPS}/{group}"
    changed = {"security_group": {"name": "db", "description": "y"}}
    assert cloud("PUT", path, changed, OLD)[1]["security_group"]["name"] == "db"
    shown = cloud("GET", path, version=OLD)[1]["security_group"]
    assert (shown["description"], shown["rules"]) == ("y", [])
    names = [one["name"] for one in cloud("GET", GROUPS, version=OLD)[1]["security_groups"]]
    assert names == ["db", "default"] or names == ["default", "db"]
    assert cloud("DELETE", path, version=OLD)[0] == 202
    assert cloud("GET", path, version=OLD)[0] == 404


def test_rules_of_security_groups(cloud, group):
    made = cloud("POST", RULES, rule(group, cidr="10.2.3.4/24"), OLD)[1]["security_group_rule"]
    assert (made["from_port"], made["ip_range"], made["group"]) == (80, {"cidr": "10.2.3.4/24"}, {})
    assert cloud("POST", RULES, rule(group, cidr="10.2.3.4/24"), OLD)[0] == 400
    wanted = rule(group, group_id=group, from_port=None, to_port=None)
    of_group = cloud("POST", RULES, wanted, OLD)[1]["security_group_rule"]
    assert (of_group["to_port"], of_group["group"]["name"]) == (65535, "web")
    shown = cloud("GET", f"{GROUPS}/{group}", version=OLD)[1]["security_group"]["rules"]
    assert len(shown) == 2
    assert cloud("DELETE", f"{RULES}/{made['id']}", version=OLD)[0] == 202
    assert cloud("DELETE", f"{RULES}/{made['id']}", version=OLD)[0] == 404


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"ip_protocol": "sctp"}, "Invalid IP protocol sctp."),
        ({"from_port": 90}, "Invalid port range 90:80."),
        ({"to_port": 65536}, "Invalid port range 80:65536."),
        ({"from_port": "x"}, "Invalid input received: To and From ports must be integers"),
        ({"from_port": None}, "Not enough parameters to build a valid rule."),
        ({"cidr": "x"}, "x is not a valid IP network."),
        ({"ip_protocol": "icmp", "to_port": 256}, "Invalid port range 80:256."),
    ],
)
def test_rules_that_make_no_sense_are_refused(cloud, group, values, sentence):
    answer = cloud("POST", RULES, rule(group, **values), OLD)
    assert (answer[0], message(answer)) == (400, sentence)


def test_a_rule_for_all_of_icmp_names_no_type(cloud, group):
    wanted = rule(group, ip_protocol="icmp", from_port=-1, to_port=-1)
    made = cloud("POST", RULES, wanted, OLD)[1]["security_group_rule"]
    assert (made["from_port"], made["to_port"]) == (-1, -1)


def test_servers_are_given_security_groups_and_lose_them(cloud, server, group):
    def names():
        return [one["name"] for one in cloud.server(server).get("security_groups", ())]

    assert names() == ["default"]
    assert cloud.act(server, "addSecurityGroup", {"name": "web"})[0] == 202
    assert sorted(names()) == ["default", "web"]
    status, body = cloud("GET", f"/servers/{server}/os-security-groups")
    assert (status, len(body["security_groups"])) == (200, 2)
    for name in ("web", "default"):
        assert cloud.act(server, "removeSecurityGroup", {"name": name})[0] == 202
    assert names() == []
    assert "security_groups" not in cloud.server(server)
    assert cloud.act(server, "removeSecurityGroup", {"name": "web"})[0] == 404
    assert cloud.act(server, "addSecurityGroup", {"name": "none"})[0] == 404


def test_a_server_asks_for_security_groups(cloud, network, group):
    cloud.node(network_interface="noop")
    flavor = cloud.flavor()
    values = {"networks": [{"uuid": network}], "security_groups": [{"name": "web"}]}
    status, body = cloud.boot(flavor, cloud.volume(), **values)
    assert (status, body["server"]["security_groups"]) == (202, [{"name": "web"}])
    assert cloud.server(body["server"]["id"])["security_groups"] == [{"name": "web"}]
    answer = cloud.boot(flavor, cloud.volume(), security_groups=[{"name": "none"}])
    sentence = "Unable to find security_group with name or id 'none'"
    assert (answer[0], message(answer)) == (400, sentence)


def test_images_are_those_of_glance(cloud):
    wanted = {"name": "a", "disk_format": "raw", "container_format": "bare", "color": "red"}
    ident = cloud.send("image", "POST", "/images", wanted)[1]["id"]
    path = f"/images/{ident}"
    shown = cloud("GET", path, version=OLD)[1]["image"]
    found = [shown[name] for name in ("status", "progress", "metadata")]
    assert found == ["SAVING", 25, {"color": "red"}]
    assert cloud("GET", "/images/detail?name=a", version=OLD)[1]["images"] == [shown]
    for query, count in (("name=a", 1), ("name=b", 0), ("status=ACTIVE", 0), ("minRam=1", 0)):
        assert len(cloud("GET", f"/images?{query}", version=OLD)[1]["images"]) == count
    assert cloud("DELETE", path, version=OLD)[0] == 204
    answer = cloud("GET", path, version=OLD)
    assert (answer[0], message(answer)) == (404, "Image not found.")


def test_images_are_listed_in_pages(cloud):
    for name in ("a", "b"):
        assert cloud.send("image", "POST", "/images", {"name": name})[0] == 201
    page = cloud("GET", "/images?limit=1", version=OLD)[1]
    query = page["images_links"][0]["href"].partition("?")[2]
    rest = cloud("GET", f"/images?{query}", version=OLD)[1]
    assert {page["images"][0]["name"], rest["images"][0]["name"]} == {"a", "b"}


def test_the_metadata_of_images(cloud):
    ident = cloud.send("image", "POST", "/images", {"name": "a", "color": "red"})[1]["id"]
    path, version = f"/images/{ident}/metadata", "2.38"
    added = cloud("POST", path, {"metadata": {"shape": "round"}}, version)[1]
    assert added == {"metadata": {"color": "red", "shape": "round"}}
    assert cloud("PUT", f"{path}/color", {"meta": {"color": "blue"}}, version)[0] == 200
    assert cloud("GET", f"{path}/color", version=version)[1] == {"meta": {"color": "blue"}}
    assert cloud("PUT", f"{path}/color", {"meta": {"shape": "x"}}, version)[0] == 400
    assert cloud("DELETE", f"{path}/color", version=version)[0] == 204
    assert cloud("DELETE", f"{path}/color", version=version)[0] == 404
    assert cloud("GET", f"{path}/color", version=version)[0] == 404
    assert cloud("PUT", path, {"metadata": {"a": "b"}}, version)[1] == {"metadata": {"a": "b"}}
    assert cloud("GET", path, version=version)[1] == {"metadata": {"a": "b"}}
    assert cloud("GET", path, version="2.39")[0] == 404


def test_metadata_of_any_name_is_replaced(cloud):
    metadata = {"a/b": "1", "c~d": "2"}
    ident = cloud.send("image", "POST", "/images", {"name": "a", **metadata})[1]["id"]
    path, version = f"/images/{ident}/metadata", "2.38"
    assert cloud("GET", path, version=version)[1] == {"metadata": metadata}
    assert cloud("PUT", path, {"metadata": {}}, version)[0] == 200
    assert cloud("GET", path, version=version)[1] == {"metadata": {}}


@pytest.mark.parametrize("ident", ["%E6%97%A5", "%C3%A9", "%25", "x%2Fy", "a%20b"])
@pytest.mark.parametrize(
    "kind",
    [
        *("os-networks", "os-tenant-networks", "os-floating-ips", "os-security-groups"),
        *("images", "os-volumes", "os-snapshots"),
    ],
)
def test_what_has_an_odd_name_is_not_there(cloud, kind, ident):
    assert cloud("GET", f"/{kind}/{ident}", version=OLD)[0] == 404


def test_a_name_is_no_query(cloud, network):
    assert cloud("GET", f"/os-networks/{network}?x=y", version=OLD)[0] == 200
    assert cloud("GET", f"/os-networks/{network}%3Fx=y", version=OLD)[0] == 404


def test_volumes_are_those_of_cinder(cloud):
    wanted = {"volume": {"size": "1", "display_name": "v", "metadata": {"a": "b"}}}
    status, body = cloud("POST", "/os-volumes", wanted, OLD)
    assert (status, body["volume"]["displayName"]) == (200, "v")
    path = f"/os-volumes/{body['volume']['id']}"
    shown = cloud("GET", path, version=OLD)[1]["volume"]
    assert (shown["status"], shown["attachments"]) == ("available", [{}])
    assert cloud("GET", "/os-volumes/detail?limit=1", version=OLD)[1]["volumes"] == [shown]
    snapshot = {"snapshot": {"volume_id": shown["id"], "display_name": "s"}}
    made = cloud("POST", "/os-snapshots", snapshot, OLD)[1]["snapshot"]
    one = f"/os-snapshots/{made['id']}"
    assert cloud("GET", one, version=OLD)[1]["snapshot"]["volumeId"] == shown["id"]
    assert len(cloud("GET", "/os-snapshots/detail", version=OLD)[1]["snapshots"]) == 1
    assert cloud("DELETE", one, version=OLD)[0] == 202
    assert cloud("DELETE", path, version=OLD)[0] == 202
    answer = cloud("GET", path, version=OLD)
    assert (answer[0], message(answer)) == (404, f"Volume {shown['id']} could not be found.")
    for size in (0, "9" * 5000):
        assert cloud("POST", "/os-volumes", {"volume": {"size": size}}, OLD)[0] == 400


def test_an_attached_volume_shows_its_server(cloud):
    cloud.node()
    volume = cloud.volume()
    server = cloud.booted(cloud.flavor(), volume)
    (found,) = cloud("GET", f"/os-volumes/{volume}", version=OLD)[1]["volume"]["attachments"]
    assert (found["serverId"], found["volumeId"]) == (server["id"], volume)
