"""What requests about servers may ask for, and what they show."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from fake_server.common.wsgi import Request
from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE, attach, listed, running

STOCK = {"VCPU": {"total": 8}, "CUSTOM_GOLD": {"total": 1}}


# Block devices


@pytest.mark.parametrize("index", [{}, {"boot_index": -1}, {"boot_index": None}, {"boot_index": 1}])
def test_a_volume_beside_an_image_is_the_second_disk(cloud, index):
    node, volume = cloud.node(), cloud.volume()
    device = {"uuid": volume, "source_type": "volume", "destination_type": "volume", **index}
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=[device])
    assert server["image"]["id"] == IMAGE
    assert [(one["volumeId"], one["device"]) for one in listed(cloud, server["id"])] == [
        (volume, "/dev/sdb")
    ]
    assert [target["boot_index"] for target in cloud.targets()] == [1]
    assert cloud.get("baremetal", f"/nodes/{node}")["instance_info"]["image_source"] == IMAGE


@pytest.mark.parametrize("index", [-1, None, 1])
def test_a_volume_beside_a_root_volume_is_the_second_disk(cloud, index):
    cloud.node()
    kind = {"source_type": "volume", "destination_type": "volume"}
    mapping = [
        {"uuid": cloud.volume(), "boot_index": 0, **kind},
        {"uuid": cloud.volume(), "boot_index": index, **kind},
    ]
    server = cloud.booted(cloud.flavor(), block_device_mapping_v2=mapping)
    found = [(one["volumeId"], one["device"]) for one in listed(cloud, server["id"])]
    assert found == [(mapping[0]["uuid"], "/dev/sda"), (mapping[1]["uuid"], "/dev/sdb")]
    assert sorted(target["boot_index"] for target in cloud.targets()) == [0, 1]


def test_an_image_that_is_mapped_is_the_first_disk(cloud):
    cloud.node()
    mapping = [
        {
            **{"uuid": IMAGE, "source_type": "image", "destination_type": "local"},
            "boot_index": 0,
        },
        {"uuid": cloud.volume(), "source_type": "volume", "boot_index": 1},
    ]
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=mapping)
    devices = cloud.block_devices(server["id"])
    found = [(device["source_type"], device["device_name"]) for device in devices]
    assert found == [("image", "/dev/sda"), ("volume", "/dev/sdb")]


@pytest.mark.parametrize("name", [None, "/dev/sda", "/dev/sdb"])
def test_the_name_of_a_device_is_the_first_that_is_free(cloud, name):
    server = running(cloud)
    volumes = [cloud.volume() for _ in range(2)]
    attach(cloud, server, volumes[0], **({} if name is None else {"device": name}))
    attach(cloud, server, volumes[1])
    found = [one["device"] for one in listed(cloud, server)]
    assert (
        found
        == {
            None: ["/dev/sdb", "/dev/sdc"],
            "/dev/sda": ["/dev/sda", "/dev/sdb"],
            "/dev/sdb": ["/dev/sdb", "/dev/sdc"],
        }[name]
    )


@pytest.mark.parametrize(
    ("device", "shown"),
    [
        (
            {"source_type": "image", "uuid": "IMAGE", "volume_size": 3, "boot_index": 0},
            {"size": 3, "volume_type": "__DEFAULT__", "bootable": "true"},
        ),
        (
            {"source_type": "blank", "volume_size": 2, "volume_type": "fast"},
            {"size": 2, "volume_type": "fast", "bootable": "false"},
        ),
    ],
)
def test_volumes_are_made_as_asked(cloud, device, shown):
    cloud.node()
    _, image = cloud.send("image", "POST", "/images", {"name": "i"})
    assert cloud.send("volume", "POST", "/types", {"volume_type": {"name": "fast"}})[0] == 200
    device = {"destination_type": "volume", **device}
    values = {"imageRef": IMAGE}
    if device.get("uuid") == "IMAGE":
        device["uuid"], values = image["id"], {}
    server = cloud.booted(cloud.flavor(), block_device_mapping_v2=[device], **values)
    (volume,) = server["os-extended-volumes:volumes_attached"]
    found = cloud.get("volume", f"/volumes/{volume['id']}")["volume"]
    assert found == {**found, **shown}
    info = found.get("volume_image_metadata", {})
    assert info.get("image_id") == (None if values else image["id"])


@pytest.mark.parametrize(
    ("version", "keys"),
    [
        ("2.1", {"id", "volumeId", "serverId", "device"}),
        ("2.69", {"id", "volumeId", "serverId", "device"}),
        ("2.70", {"id", "volumeId", "serverId", "device", "tag"}),
        ("2.79", {"id", "volumeId", "serverId", "device", "tag", "delete_on_termination"}),
    ],
)
def test_what_versions_answer_to_attaching(cloud, version, keys):
    server, volume = running(cloud), cloud.volume()
    status, body = attach(cloud, server, volume, version)
    assert (status, set(body["volumeAttachment"])) == (200, keys)
    # The same is shown afterwards.
    assert listed(cloud, server, version) == [body["volumeAttachment"]]


@pytest.mark.parametrize(
    ("query", "version", "found"),
    [
        ("limit=1", "2.105", [0]),
        ("limit=2&offset=1", "2.105", [1, 2]),
        ("offset=2", "2.105", [2]),
        ("offset=3", "2.105", []),
        ("moon=1", "2.74", [0, 1, 2]),
    ],
)
def test_pages_of_volumes(cloud, query, version, found):
    server, volumes = running(cloud), [cloud.volume() for _ in range(3)]
    for volume in volumes:
        attach(cloud, server, volume)
    status, body = cloud("GET", f"/servers/{server}/os-volume_attachments?{query}", None, version)
    assert status == 200
    assert [volumes.index(one["volumeId"]) for one in body["volumeAttachments"]] == found


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("limit=x", "Invalid input for query parameters limit. Value: x."),
        ("offset=-1", "Invalid input for query parameters offset. Value: -1."),
        ("moon=1", "Additional properties are not allowed ('moon' was unexpected)"),
    ],
)
def test_pages_of_volumes_that_cannot_be(cloud, query, text):
    answer = cloud("GET", f"/servers/{running(cloud)}/os-volume_attachments?{query}")
    assert (answer[0], message(answer)) == (400, text)


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


# While something is under way


def slow(**delays):
    """Return a cloud with a node whose further transitions take time."""
    cloud = Cloud()
    cloud.node()
    cloud.app.control.delays.set(**(delays or {"default": 10}))
    return cloud


def test_a_server_whose_node_is_taken_away_while_it_is_built_fails():
    cloud = slow()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["OS-EXT-STS:task_state"] == "spawning"
    match = {"method": "GET", "path": f"*/nodes/{server['OS-EXT-SRV-ATTR:hypervisor_hostname']}"}
    cloud.app.control.faults.add(match, {"status": 404}, 1)
    for _ in range(2):
        found = cloud.server(server["id"])
        assert (found["status"], found["OS-EXT-STS:task_state"]) == ("ERROR", None)
        assert found["fault"]["message"] == f"Instance {server['id']} could not be found."
    # The node is deployed still, and is left once that is over.
    for _ in range(6):
        assert len(cloud.left().allocations) in (0, 1)
        cloud.clock.advance(20)
    found = cloud.server(server["id"])
    assert found["OS-EXT-SRV-ATTR:hypervisor_hostname"] is None
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


def test_a_server_whose_node_is_free_again_fails():
    cloud = slow()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    path = f"/nodes/{server['OS-EXT-SRV-ATTR:hypervisor_hostname']}"
    cloud.clock.advance(10)
    assert cloud.ironic("GET", path)["provision_state"] == "active"
    cloud.app.control.delays.set()
    cloud.ironic("PUT", f"{path}/states/provision", {"target": "deleted"})
    assert cloud.ironic("GET", path)["provision_state"] == "available"
    patch = [{"op": "add", "path": "/instance_uuid", "value": server["id"]}]
    cloud.ironic("PATCH", path, patch)
    found = cloud.server(server["id"])
    assert found["status"] == "ERROR"
    assert found["fault"]["message"] == f"Instance {server['id']} could not be found."
    assert cloud.ironic("GET", path)["instance_uuid"] is None


def test_a_server_is_stopped_once_its_node_is_off():
    cloud = slow()
    cloud.app.control.delays.set()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    cloud.app.control.delays.set(default=10)
    assert cloud.act(server, "os-stop")[0] == 202
    for _ in range(2):
        found = cloud.server(server)
        assert (found["status"], found["OS-EXT-STS:task_state"]) == ("ACTIVE", "powering-off")
    cloud.clock.advance(10)
    found = cloud.server(server)
    assert (found["status"], found["OS-EXT-STS:task_state"]) == ("SHUTOFF", None)


def test_a_node_that_is_being_switched_on_is_switched_on_once():
    cloud = slow()
    node = cloud.get("baremetal", "/nodes")["nodes"][0]["uuid"]
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]
    for _ in range(12):
        cloud.clock.advance(3)
        found = cloud.server(server)
    assert (found["status"], found["OS-EXT-STS:power_state"]) == ("ACTIVE", 1)
    path = f"/baremetal/v1/nodes/{node}/states/power"
    asked = cloud.app.control.requests.find(method="PUT", path=path)
    assert [one.json()["target"] for one in asked] == ["power on"]


def test_a_volume_of_a_deleted_server_is_free_once_its_node_is_cleaned():
    cloud = slow()
    cloud.app.control.delays.set()
    volume = cloud.volume()
    server = cloud.booted(cloud.flavor(), volume)["id"]
    cloud.app.control.delays.set(default=10)
    assert cloud("DELETE", f"/servers/{server}") == (204, None)
    seen = []
    for _ in range(7):
        status, _ = cloud("GET", f"/servers/{server}")
        (node,) = cloud.get("baremetal", "/nodes")["nodes"]
        seen.append((status, node["provision_state"], len(cloud.targets())))
        cloud.clock.advance(5)
    assert seen == [
        (200, "deleting", 1),
        (200, "deleting", 1),
        (200, "cleaning", 1),
        (200, "cleaning", 1),
        # The node is being switched off, so that its target can be deleted.
        (200, "available", 1),
        (200, "available", 1),
        (404, "available", 0),
    ]
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"
    cloud.assert_nothing_left()


def test_a_server_that_is_being_scheduled_is_deleted_afterwards(cloud):
    cloud.node()
    flavor = cloud.flavor()
    match = {"method": "PUT", "path": "*/placement/allocations/*"}
    cloud.app.control.faults.add(match, {"delay": 0.3}, 1)
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(cloud.boot, flavor, imageRef=IMAGE)
        while not (found := cloud.servers()):
            pass
        assert found[0]["OS-EXT-STS:task_state"] == "scheduling"
        assert cloud("DELETE", f"/servers/{found[0]['id']}") == (204, None)
        assert made.result()[0] == 202
    cloud.assert_nothing_left()


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


def test_volumes_that_were_reserved_are_given_back_where_another_cannot_be(cloud):
    cloud.node()
    free, taken = cloud.volume(), cloud.volume()
    body = {"attachment": {"volume_uuid": taken, "instance_uuid": IMAGE}}
    assert cloud.send("volume", "POST", "/attachments", body)[0] == 200
    mapping = [
        {"uuid": ident, "source_type": "volume", "destination_type": "volume"}
        for ident in (free, taken)
    ]
    answer = cloud.boot(cloud.flavor(), imageRef=IMAGE, block_device_mapping_v2=mapping)
    assert answer[0] == 400
    assert message(answer).startswith("Invalid volume: ")
    assert cloud.servers() == []
    assert cloud.get("volume", f"/volumes/{free}")["volume"]["status"] == "available"
    assert [one["volume_id"] for one in cloud.attachments()] == [taken]
