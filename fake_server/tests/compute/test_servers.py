"""Servers: how they come to nodes, and leave them again."""

from __future__ import annotations

import pytest

from fake_server.block_storage.tables import attachments
from fake_server.tests.compute.conftest import Cloud

IMAGE = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"


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
    assert cloud("DELETE", f"/servers/{server['id']}") == (204, None)
    assert cloud("GET", f"/servers/{server['id']}")[0] == 404
    cloud.assert_nothing_left()


def test_a_server_boots_from_an_image(cloud):
    node, flavor = cloud.node(), cloud.flavor()
    server = cloud.booted(flavor, imageRef=IMAGE)
    assert server["image"]["id"] == IMAGE
    info = cloud.ironic("GET", f"/nodes/{node}")["instance_info"]
    assert info["image_source"] == IMAGE
    assert (info["root_gb"], info["memory_mb"], info["vcpus"]) == ("10", "1024", "1")
    assert (info["display_name"], info["flavor_name"]) == ("s", "gold")
    assert info["nova_host_id"] == server["OS-EXT-SRV-ATTR:host"]


def test_traits_and_capabilities_of_the_flavor_reach_the_node(cloud):
    cloud.node("plain")
    fast = cloud.node("fast", traits=["CUSTOM_FAST", "CUSTOM_OTHER"])
    flavor = cloud.flavor(
        resources__CUSTOM_GOLD="1", trait__CUSTOM_FAST="required", capabilities__boot_mode="uefi"
    )
    server = cloud.booted(flavor, imageRef=IMAGE)
    assert server["OS-EXT-SRV-ATTR:hypervisor_hostname"] == fast
    info = cloud.ironic("GET", f"/nodes/{fast}")["instance_info"]
    assert info["traits"] == ["CUSTOM_FAST"]
    assert info["capabilities"] == '{"boot_mode": "uefi"}'


def test_a_forbidden_trait_keeps_a_node_away(cloud):
    plain = cloud.node("plain")
    cloud.node("fast", traits=["CUSTOM_FAST"])
    flavor = cloud.flavor(resources__CUSTOM_GOLD="1", trait__CUSTOM_FAST="forbidden")
    server = cloud.booted(flavor, imageRef=IMAGE)
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


def test_a_server_is_pinned_to_its_zone(cloud):
    cloud.node()
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)["id"]

    def pin(zone, version="2.105"):
        body = {"server": {"pinned_availability_zone": zone}}
        status, answer = cloud("PUT", f"/servers/{server}", body, version)
        return answer["server"]["pinned_availability_zone"] if status == 200 else status

    assert pin("nova", "2.103") == 400
    assert [pin("other"), pin("nova"), pin("nova"), pin("other")] == [409, "nova", "nova", 409]
    assert [pin(None), pin(None)] == [None, None]


def test_a_server_that_boots_from_a_volume_cannot_be_rebuilt(cloud):
    cloud.node()
    server = cloud.booted(cloud.flavor(), cloud.volume())["id"]
    assert cloud.act(server, "rebuild", {"imageRef": IMAGE})[0] == 202
    found = cloud.server(server)
    assert found["status"] == "ERROR"
    assert found["fault"]["message"] == (
        "Ironic doesn't support rebuilding volume backed instances."
    )
    assert cloud("DELETE", f"/servers/{server}")[0] == 204
    cloud.assert_nothing_left()


def test_a_deployment_that_fails_is_told_and_cleaned_up(cloud):
    cloud.node(deploy_interface="direct")
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["status"] == "ERROR"
    assert f"Image {IMAGE} could not be found" in server["fault"]["message"]
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


def test_a_volume_that_cannot_be_connected_fails_the_server(cloud):
    cloud.node(connected=False)
    server = cloud.booted(cloud.flavor(), cloud.volume())
    assert server["status"] == "ERROR"
    assert "can't be connected to node" in server["fault"]["message"]
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


def test_servers_are_found_by_what_they_are(cloud):
    for number in range(3):
        cloud.node(f"n{number}")
    flavor = cloud.flavor()
    for name in ("web", "db"):
        cloud.booted(flavor, imageRef=IMAGE, name=name)

    def found(query):
        return [one["name"] for one in cloud.get("compute", f"/servers?{query}")["servers"]]

    assert found("") == ["db", "web"]
    assert found("name=^w") == ["web"]
    assert found("status=ACTIVE") == ["db", "web"]
    assert found("status=ERROR") == []
    assert found("sort_key=display_name&sort_dir=desc") == ["web", "db"]
    page = cloud.get("compute", "/servers?limit=1")
    assert [one["name"] for one in page["servers"]] == ["db"]
    (link,) = page["servers_links"]
    assert found(link["href"].partition("?")[2]) == ["web"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "*/states/provision"),
        ("POST", "*/volume/targets"),
        ("PATCH", "*/v1/nodes/*"),
        ("PUT", "*/volume/v3/attachments/*"),
        ("PUT", "*/placement/allocations/*"),
        ("GET", "*/placement/allocation_candidates"),
        ("GET", "*/validate"),
    ],
)
@pytest.mark.parametrize("do", [{"status": 500}, {"drop": "before"}, {"drop": "after"}])
def test_a_service_that_fails_does_not_leave_a_server_half_built(cloud, method, path, do):
    cloud.node()
    cloud.app.control.faults.add({"method": method, "path": path}, do, 1)
    server = cloud.booted(cloud.flavor(), cloud.volume())
    assert server["status"] == "ERROR"
    assert cloud("DELETE", f"/servers/{server['id']}")[0] == 204
    cloud.assert_nothing_left()


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
