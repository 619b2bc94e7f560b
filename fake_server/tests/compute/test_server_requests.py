"""What requests about servers may ask for, and what they show."""

from __future__ import annotations

import json

import pytest

from fake_server.common.wsgi import Request
from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running

STOCK = {"VCPU": {"total": 8}, "CUSTOM_GOLD": {"total": 1}}


# Interfaces


@pytest.mark.parametrize(("version", "tagged"), [("2.69", False), ("2.70", True)])
def test_interfaces_have_tags_since_a_version(cloud, version, tagged):
    network = cloud.send("network", "POST", "/networks", {"network": {}})[1]["network"]["id"]
    server = running(cloud, networks=[{"uuid": network, "tag": "nic"}])
    (port,) = cloud.get("network", "/ports")["ports"]
    for path in ("", f"/{port['id']}"):
        _, body = cloud("GET", f"/servers/{server}/os-interface{path}", version=version)
        shown = body.get("interfaceAttachment") or body["interfaceAttachments"][0]
        assert shown.get("tag", "none") == ("nic" if tagged else "none")


# Servers


@pytest.mark.parametrize("path", ["/compute", "/compute/"])
def test_the_versions_are_told(cloud, path):
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_HOST": "fake"}
    answer = cloud.app.answer(Request({**environ, "wsgi.url_scheme": "http"}))
    (version,) = json.loads(answer.body)["versions"]
    assert (version["id"], version["version"], version["min_version"]) == ("v2.1", "2.105", "2.1")
    assert version["links"] == [{"rel": "self", "href": "http://fake/compute/v2.1/"}]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("deleted=true", []),
        ("deleted=false", ["web"]),
        ("all_tenants=1&project_id=other", []),
        ("all_tenants=1&tenant_id=other", []),
        ("name=^w.b$", ["web"]),
        ("sort_key=vm_state&sort_dir=asc", ["web"]),
    ],
)
def test_servers_are_filtered(cloud, query, names):
    running(cloud)
    server = cloud.servers()[0]["id"]
    cloud("PUT", f"/servers/{server}", {"server": {"name": "web"}})
    found = cloud.get("compute", f"/servers?{query}")["servers"]
    assert [one["name"] for one in found] == names


def test_a_pattern_of_names_that_cannot_be(cloud):
    running(cloud)
    answer = cloud("GET", "/servers?name=(")
    assert answer[0] == 400
    assert message(answer).startswith("Invalid filter name: (: ")


def test_metadata_is_added_to_replaced_and_removed(cloud):
    server = running(cloud, metadata={"a": "1"})
    path = f"/servers/{server}/metadata"
    assert cloud("POST", path, {"metadata": {"b": "2"}}) == (
        200,
        {"metadata": {"a": "1", "b": "2"}},
    )
    assert cloud("PUT", path, {"metadata": {"c": "3", "d": "4"}}) == (
        200,
        {"metadata": {"c": "3", "d": "4"}},
    )
    assert cloud("DELETE", f"{path}/c") == (204, None)
    answer = cloud("DELETE", f"{path}/c")
    assert (answer[0], message(answer)) == (404, "Metadata item was not found")
    assert cloud.get("compute", path) == {"metadata": {"d": "4"}}
    assert cloud.server(server)["metadata"] == {"d": "4"}


@pytest.mark.parametrize(("version", "status"), [("2.92", 400), ("2.93", 202)])
def test_servers_that_boot_from_volumes_are_rebuilt_since_a_version(cloud, version, status):
    cloud.node()
    server = cloud.booted(cloud.flavor(), cloud.volume())["id"]
    body = {"rebuild": {"imageRef": IMAGE}}
    answer = cloud("POST", f"/servers/{server}/action", body, version)
    assert answer[0] == status
    if status == 400:
        text = "Unable to rebuild with a different image for a volume-backed server."
        assert message(answer) == text
        assert cloud.server(server)["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("minRam=1", ["large", "small"]),
        ("minRam=2", ["large"]),
        ("minRam=3", []),
        ("minDisk=20", ["large"]),
        ("minRam=1&minDisk=21", []),
    ],
)
def test_flavors_are_filtered_by_size(cloud, query, names):
    for name, ram, disk in (("small", 1, 10), ("large", 2, 20)):
        flavor = {"name": name, "ram": ram, "vcpus": 1, "disk": disk}
        assert cloud("POST", "/flavors", {"flavor": flavor})[0] == 200
    found = cloud.get("compute", f"/flavors?{query}")["flavors"]
    assert sorted(flavor["name"] for flavor in found) == names


def test_the_ephemeral_disk_of_a_flavor_reaches_the_node(cloud):
    node = cloud.node()
    flavor = {"name": "f", "ram": 1, "vcpus": 1, "disk": 1, "OS-FLV-EXT-DATA:ephemeral": 5}
    ident = cloud("POST", "/flavors", {"flavor": flavor})[1]["flavor"]["id"]
    specs = {"extra_specs": {"resources:CUSTOM_GOLD": "1"}}
    cloud("POST", f"/flavors/{ident}/os-extra_specs", specs)
    cloud.booted(ident, imageRef=IMAGE)
    info = cloud.get("baremetal", f"/nodes/{node}")["instance_info"]
    assert info["ephemeral_gb"] == "5"


@pytest.mark.parametrize(
    ("policy", "status"), [({}, "ACTIVE"), ("none", "ACTIVE"), ("isolate", "ERROR")]
)
def test_groups_of_resources_follow_the_policy_of_the_flavor(cloud, policy, status):
    node = cloud.node()
    path = f"/resource_providers/{node}"
    generation = cloud.get("placement", path)["generation"]
    body = {"resource_provider_generation": generation, "inventories": STOCK}
    assert cloud.send("placement", "PUT", f"{path}/inventories", body)[0] == 200
    specs = {"resources1__CUSTOM_GOLD": "1", "resources2__VCPU": "2"}
    if policy:
        specs["group_policy"] = policy
    server = cloud.booted(cloud.flavor(**specs), imageRef=IMAGE)
    assert server["status"] == status
    if status == "ACTIVE":
        found = cloud.get("placement", f"/allocations/{server['id']}")["allocations"]
        assert found[node]["resources"] == {"CUSTOM_GOLD": 1, "VCPU": 2}


@pytest.mark.parametrize(
    ("name", "version", "status"),
    [
        ("project-member", "2.10", 403),
        ("project-member", "2.9", 200),
        ("project-admin", "2.10", 200),
    ],
)
def test_keys_of_others_are_for_administrators(name, version, status):
    cloud = Cloud(auth="keystone")
    other = cloud.log_in("project-reader")["user"]["id"]
    cloud.log_in(name)
    key = {"keypair": {"name": "mine", "public_key": "ssh-rsa AAAA x"}}
    assert cloud("POST", "/os-keypairs", key)[0] < 300
    answer = cloud("GET", f"/os-keypairs?user_id={other}", version=version)
    assert answer[0] == status
    if status == 200:
        names = [one["keypair"]["name"] for one in answer[1]["keypairs"]]
        assert names == (["mine"] if version == "2.9" else [])


def test_the_first_of_repeated_users_counts(cloud):
    key = {"keypair": {"name": "mine", "public_key": "ssh-rsa AAAA x"}}
    assert cloud("POST", "/os-keypairs", key)[0] < 300
    own = cloud("GET", "/os-keypairs/mine")[1]["keypair"]["user_id"]
    for users, number in (((own, "other"), 1), (("other", own), 0)):
        query = "&".join(f"user_id={user}" for user in users)
        _, body = cloud("GET", f"/os-keypairs?{query}", version="2.10")
        assert len(body["keypairs"]) == number


@pytest.mark.parametrize(("image", "refused"), [("x", True), ("", False)])
def test_an_image_is_named_by_its_uuid_or_by_empty_text(cloud, image, refused):
    answer = cloud.boot("no flavor", cloud.volume(), imageRef=image)
    assert answer[0] == 400
    assert message(answer).startswith("Invalid input for field/attribute imageRef") is refused


@pytest.mark.parametrize(("length", "status"), [(255, 409), (256, 400)])
def test_names_of_keys_have_at_most_255_characters(cloud, length, status):
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    rebuild = {"rebuild": {"imageRef": IMAGE, "key_name": "k" * length}}
    assert cloud("POST", f"/servers/{server}/action", rebuild)[0] == status


@pytest.mark.parametrize("network", [{"port": "a/b"}, {"uuid": "a/b"}])
def test_networks_are_named_by_their_uuid(cloud, network):
    answer = cloud.boot(cloud.flavor(), imageRef=IMAGE, networks=[network])
    assert answer[0] == 400
    assert message(answer).startswith("Invalid input for field/attribute")


# What older versions take


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", "", {"server": {"name": "x"}}, 200),
        ("PUT", "", {"server": {"name": "x", "description": "y"}}, 400),
        ("PUT", "", {"server": {"name": "x", "hostname": "yz"}}, 400),
        ("POST", "/action", {"rebuild": {"imageRef": IMAGE, "personality": []}}, 202),
        ("POST", "/action", {"rebuild": {"imageRef": IMAGE, "description": "y"}}, 400),
        ("POST", "/action", {"rebuild": {"imageRef": IMAGE, "key_name": "k"}}, 400),
        ("POST", "/os-interface", {"interfaceAttachment": {"net_id": "NETWORK"}}, 200),
        (
            *("POST", "/os-interface"),
            {"interfaceAttachment": {"net_id": "NETWORK", "tag": "t"}},
            400,
        ),
        ("PUT", "/os-volume_attachments/VOLUME", {"volumeAttachment": {"volumeId": "SPARE"}}, 202),
        (
            *("PUT", "/os-volume_attachments/VOLUME"),
            {"volumeAttachment": {"volumeId": "SPARE", "delete_on_termination": True}},
            400,
        ),
    ],
)
def test_the_first_version_knows_fewer_fields(cloud, method, path, body, status):
    network = cloud.send("network", "POST", "/networks", {"network": {}})[1]["network"]["id"]
    server, volume, spare = running(cloud), cloud.volume(), cloud.volume()
    attach(cloud, server, volume)
    text = json.dumps([path, body])
    for name, ident in (("NETWORK", network), ("VOLUME", volume), ("SPARE", spare)):
        text = text.replace(name, ident)
    path, body = json.loads(text)
    answer = cloud(method, f"/servers/{server}{path}", body, "2.1")
    assert answer[0] == status
    if status == 400:
        assert "Additional properties are not allowed" in message(answer)
    attached = [one["volumeId"] for one in listed(cloud, server)]
    swapped = (status, path.partition("/os-volume")[1]) == (202, "/os-volume")
    assert attached == [spare if swapped else volume]


def test_an_interface_has_the_address_that_is_asked_for(cloud):
    network = cloud.send("network", "POST", "/networks", {"network": {}})[1]["network"]["id"]
    subnet = {"network_id": network, "ip_version": 4, "cidr": "192.0.2.0/24"}
    cloud.send("network", "POST", "/subnets", {"subnet": subnet})
    server = running(cloud)
    wanted = {"net_id": network, "fixed_ips": [{"ip_address": "192.0.2.77"}]}
    status, body = cloud("POST", f"/servers/{server}/os-interface", {"interfaceAttachment": wanted})
    assert status == 200
    (fixed,) = body["interfaceAttachment"]["fixed_ips"]
    assert fixed["ip_address"] == "192.0.2.77"
