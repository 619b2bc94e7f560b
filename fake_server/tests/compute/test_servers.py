"""Servers: how they come to nodes, and leave them again."""

from __future__ import annotations

import pytest

from fake_server.block_storage.tables import attachments
from fake_server.tests.compute.conftest import Cloud
from fake_server.tests.compute.test_attach_modes import IMAGE, running

STOCK = {"VCPU": {"total": 8}, "CUSTOM_GOLD": {"total": 1}}


def test_a_server_boots_from_a_volume_and_leaves_nothing_behind(cloud):
    node, flavor, volume = cloud.node(), cloud.flavor(), cloud.volume()
    server = cloud.booted(flavor, volume)
    assert (server["status"], server["image"]) == ("ACTIVE", "")
    assert server["OS-EXT-SRV-ATTR:hypervisor_hostname"] == node
    found = cloud.ironic("GET", f"/nodes/{node}")
    assert (found["provision_state"], found["instance_uuid"]) == ("active", server["id"])
    (attachment,) = cloud.attachments()
    assert (attachment["instance"], attachment["status"]) == (server["id"], "attached")
    (target,) = cloud.targets()
    assert (target["volume_id"], target["boot_index"], target["node_uuid"]) == (volume, 0, node)
    assert target["volume_type"] == "iscsi"
    assert "driver_volume_type" not in target["properties"]
    allocations = cloud.get("placement", f"/allocations/{server['id']}")
    assert allocations["allocations"][node]["resources"] == {"CUSTOM_GOLD": 1}
    assert allocations["consumer_type"] == "INSTANCE"
    cloud.delete_without_a_trace(server)
    assert cloud("GET", f"/servers/{server['id']}")[0] == 404


def test_a_server_boots_from_an_image_and_keeps_its_flavor(cloud):
    node, flavor = cloud.node(), cloud.flavor()
    server = cloud.booted(flavor, imageRef=IMAGE)
    assert server["image"]["id"] == IMAGE
    info = cloud.ironic("GET", f"/nodes/{node}")["instance_info"]
    assert info["image_source"] == IMAGE
    assert (info["root_gb"], info["memory_mb"], info["vcpus"]) == ("10", "1024", "1")
    assert (info["display_name"], info["flavor_name"]) == ("s", "gold")
    assert info["nova_host_id"] == server["OS-EXT-SRV-ATTR:host"]
    cloud("DELETE", f"/flavors/{flavor}")
    found = cloud.server(server["id"])["flavor"]
    assert found["original_name"] == "gold"
    assert found["extra_specs"] == {"resources:CUSTOM_GOLD": "1"}


def test_traits_and_capabilities_of_the_flavor_reach_the_node(cloud):
    plain = cloud.node("plain")
    fast = cloud.node("fast", traits=["CUSTOM_FAST", "CUSTOM_OTHER"])
    gold = {"resources__CUSTOM_GOLD": "1"}
    flavor = cloud.flavor(**gold, trait__CUSTOM_FAST="required", capabilities__boot_mode="uefi")
    server = cloud.booted(flavor, imageRef=IMAGE)
    assert server["OS-EXT-SRV-ATTR:hypervisor_hostname"] == fast
    info = cloud.ironic("GET", f"/nodes/{fast}")["instance_info"]
    assert info["traits"] == ["CUSTOM_FAST"]
    assert info["capabilities"] == '{"boot_mode": "uefi"}'
    cloud.delete_without_a_trace(server)
    server = cloud.booted(
        cloud.flavor("slow", **gold, trait__CUSTOM_FAST="forbidden"), imageRef=IMAGE
    )
    assert server["OS-EXT-SRV-ATTR:hypervisor_hostname"] == plain


@pytest.mark.parametrize("reason", ["class", "trait", "maintenance", "taken", "virtual"])
def test_without_a_node_that_suits_a_server_fails(cloud, reason):
    node = cloud.node(resource_class="silver" if reason == "class" else "gold")
    cloud.node("other", "bronze", ["CUSTOM_FAST"])
    flavor = cloud.flavor(resources__CUSTOM_GOLD="1")
    if reason == "trait":
        flavor = cloud.flavor("fast", resources__CUSTOM_GOLD="1", trait__CUSTOM_FAST="required")
    elif reason == "virtual":
        flavor = cloud.flavor("virtual", hw__cpu_policy="shared")
    elif reason == "maintenance":
        cloud.ironic("PUT", f"/nodes/{node}/maintenance", {})
    elif reason == "taken":
        cloud.booted(flavor, imageRef=IMAGE, name="first")
    volume = cloud.volume()
    server = cloud.booted(flavor, volume)
    assert server["status"] == "ERROR"
    assert server["fault"]["message"].startswith("No valid host was found.")
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204


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


def test_a_server_is_pinned_to_its_zone(cloud):
    server = running(cloud)

    def pin(zone, version="2.105"):
        body = {"server": {"pinned_availability_zone": zone}}
        status, answer = cloud("PUT", f"/servers/{server}", body, version)
        return answer["server"]["pinned_availability_zone"] if status == 200 else status

    assert pin("nova", "2.103") == 400
    assert [pin("other"), pin("nova"), pin("nova"), pin("other")] == [409, "nova", "nova", 409]
    assert [pin(None), pin(None)] == [None, None]


def test_a_server_that_boots_from_a_volume_cannot_be_rebuilt(cloud):
    cloud.node()
    server = cloud.booted(cloud.flavor(), cloud.volume())
    assert cloud.act(server["id"], "rebuild", {"imageRef": IMAGE})[0] == 202
    found = cloud.server(server["id"])
    text = "Ironic doesn't support rebuilding volume backed instances."
    assert (found["status"], found["fault"]["message"]) == ("ERROR", text)
    cloud.delete_without_a_trace(server)


@pytest.mark.parametrize(
    ("connectors", "presented"),
    [
        ([("iqn", "iqn.x:1"), ("iqn", "iqn.x:2")], {"initiator": "iqn.x:1", "host": "s"}),
        (
            [("iqn", "iqn.x:1"), ("ip", "192.0.2.7")],
            {"initiator": "iqn.x:1", "ip": "192.0.2.7", "host": "192.0.2.7"},
        ),
        (
            [("wwpn", "p1"), ("wwpn", "p2"), ("wwnn", "n1")],
            {"wwpns": ["p1", "p2"], "wwnns": ["n1"], "host": "s"},
        ),
    ],
)
def test_what_the_node_presents_reaches_cinder(cloud, connectors, presented):
    node = cloud.node(connected=False, properties={"cpu_arch": "x86_64"})
    for kind, ident in connectors:
        body = {"node_uuid": node, "type": kind, "connector_id": ident}
        cloud.ironic("POST", "/volume/connectors", body)
    volume = cloud.volume()
    assert cloud.booted(cloud.flavor(), volume)["status"] == "ACTIVE"
    with cloud.app.store.transaction(write=False) as tx:
        connector = tx.get(attachments, volume_id=volume)["connector"]
    assert connector == {
        **presented,
        "platform": "x86_64",
        "os_type": "baremetal",
        "multipath": False,
        "mode": "rw",
        "mountpoint": "/dev/sda",
    }


def test_nova_works_with_the_ironic_of_the_documents():
    cloud = Cloud(dialect="spec")
    cloud.node()
    volume = cloud.volume()
    server = cloud.booted(cloud.flavor(), volume)
    assert server["status"] == "ACTIVE"
    path = "/volume/targets?detail=True"
    (target,) = cloud.get("baremetal", path)["volume_targets"]
    assert target["volume_id"] == volume
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    assert cloud.get("baremetal", path)["volume_targets"] == []
    assert cloud.attachments() == []


def test_projects_have_servers_of_their_own():
    cloud = Cloud(auth="keystone")
    cloud.log_in("admin", "admin")
    flavor = cloud.flavor()
    cloud.log_in("project-member", "demo")
    server = cloud.booted(flavor, imageRef=IMAGE)
    assert "OS-EXT-SRV-ATTR:host" not in server
    cloud.log_in("other-member", "other")
    assert cloud.servers() == []
    assert cloud("GET", "/servers/detail?all_tenants=1")[0] == 403
    cloud.log_in("admin", "admin")
    assert cloud.servers() == []
    (found,) = cloud.get("compute", "/servers/detail?all_tenants=1")["servers"]
    assert found["OS-EXT-STS:vm_state"] == "error"


def test_nodes_are_hypervisors(cloud):
    node = cloud.node(properties={"memory_mb": 4096, "cpus": 4, "local_gb": 50})
    (found,) = cloud.get("compute", "/os-hypervisors/detail")["hypervisors"]
    assert (found["id"], found["hypervisor_type"]) == (node, "ironic")
    assert cloud.get("compute", f"/os-hypervisors/{node}")["hypervisor"] == found
    old = cloud("GET", "/os-hypervisors/detail", version="2.1")[1]["hypervisors"][0]
    assert (old["id"], old["memory_mb"], old["memory_mb_used"]) == (1, 0, 512)


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        *[("min_count", "9" * 5000, 400), ("min_count", "0", 400), ("max_count", 0, 400)],
        ("min_count", "1001", 403),
    ],
)
def test_numbers_of_servers_have_bounds(cloud, field, value, status):
    flavor = cloud.flavor()
    answered, body = cloud.boot(flavor, imageRef=IMAGE, **{field: value})
    assert answered == status, body
    if status == 403:
        assert body["forbidden"]["message"].startswith("Quota exceeded for instances: Requested 1")
    assert cloud("GET", "/servers")[1] == {"servers": []}


@pytest.mark.parametrize("ram", ["0", 0, "9" * 5000, 2**31, "²"])
def test_sizes_of_flavors_have_bounds(cloud, ram):
    body = {"name": "f", "ram": ram, "vcpus": 1, "disk": 1}
    status, answer = cloud("POST", "/flavors", {"flavor": body})
    assert (status, answer.keys()) == (400, {"badRequest"})
    assert "ram" in answer["badRequest"]["message"]


def test_a_server_keeps_the_key_of_a_key_pair_that_is_deleted(cloud):
    node, flavor = cloud.node(deploy_interface="fake"), cloud.flavor()
    pair = {"name": "k", "type": "ssh", "public_key": "ssh-rsa AAAAB3NzaC1yc2E= x"}
    assert cloud("POST", "/os-keypairs", {"keypair": pair})[0] == 201
    server = cloud.booted(flavor, imageRef=IMAGE, key_name="k", config_drive=True)
    assert cloud("DELETE", "/os-keypairs/k")[0] == 204
    assert cloud.act(server["id"], "rebuild", {"imageRef": IMAGE})[0] == 202
    assert cloud.ironic("GET", f"/nodes/{node}")["provision_state"] == "active"
    assert cloud.server(server["id"])["key_name"] == "k"
    wrong = {"imageRef": IMAGE, "key_name": "k"}
    status, body = cloud.act(server["id"], "rebuild", wrong)
    assert (status, body["badRequest"]["message"]) == (400, "Invalid key_name provided.")
