"""What tempest asks of servers: what is kept of them, what changes show, what lists find."""

from __future__ import annotations

import pytest

from fake_server.image.tables import images
from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import running

ADDRESSES = {"accessIPv4": "1.2.3.4", "accessIPv6": "0:0:0:0:0:babe:220.12.22.2"}


@pytest.fixture
def server(cloud):
    return running(cloud)


def test_addresses_and_the_disk_config_are_kept(cloud, server):
    wanted = {**ADDRESSES, "OS-DCF:diskConfig": "AUTO"}
    shown = cloud("PUT", f"/servers/{server}", {"server": wanted})[1]["server"]
    kept = {"accessIPv4": "1.2.3.4", "accessIPv6": "::babe:dc0c:1602", "OS-DCF:diskConfig": "AUTO"}
    assert {name: shown[name] for name in kept} == kept
    assert {name: cloud.server(server)[name] for name in kept} == kept


@pytest.mark.parametrize(("version", "whole"), [("2.74", False), ("2.75", True)])
def test_a_change_shows_all_of_a_server_since_a_version(cloud, server, version, whole):
    body = cloud("PUT", f"/servers/{server}", {"server": {"name": "n"}}, version)[1]
    for name in ("key_name", "OS-EXT-STS:vm_state", "config_drive", "OS-SRV-USG:launched_at"):
        assert (name in body["server"]) == whole
    assert body["server"]["tags"] == []


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("2.53", set()),
        ("2.54", {"key_name"}),
        ("2.57", {"key_name", "user_data"}),
        ("2.75", {"key_name", "user_data", "OS-EXT-STS:vm_state"}),
    ],
)
def test_a_rebuild_shows_more_in_newer_versions(version, names):
    cloud = Cloud()
    cloud.node(deploy_interface="fake", network_interface="noop")
    image = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
    ident = cloud.booted(cloud.flavor(), imageRef=image)["id"]
    rebuilt = {"rebuild": {"imageRef": image, "adminPass": "p"}}
    status, body = cloud("POST", f"/servers/{ident}/action", rebuilt, version)
    shown = body["server"]
    assert (status, shown["adminPass"]) == (202, "p")
    assert {"key_name", "user_data", "OS-EXT-STS:vm_state"} & shown.keys() == names
    assert "OS-EXT-SRV-ATTR:user_data" not in shown
    assert cloud.headers["Location"].endswith(f"/servers/{ident}")


def test_a_stopped_server_is_stopped_after_it_was_rebuilt():
    cloud = Cloud()
    cloud.node(deploy_interface="fake", network_interface="noop")
    image = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
    ident = cloud.booted(cloud.flavor(), imageRef=image)["id"]
    cloud.act(ident, "os-stop")
    cloud.clock.advance(100)
    assert cloud.act(ident, "rebuild", {"imageRef": image})[0] == 202
    cloud.clock.advance(100)
    cloud.server(ident)
    cloud.clock.advance(100)
    assert cloud.server(ident)["status"] == "SHUTOFF"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("changes-since=2023-11-14T00:00:00Z", True),
        ("changes-since=2033-01-01T00:00:00Z", False),
        ("changes-before=2033-01-01T00:00:00Z", True),
        ("changes-before=2013-01-01T00:00:00", False),
        ("locked=false", True),
        ("locked=true", False),
        ("host=elsewhere", False),
        ("ip=10.", False),
        ("limit=0", False),
        ("limit=1", True),
    ],
)
def test_lists_find_servers(cloud, server, query, found):
    rows = cloud("GET", f"/servers?{query}")[1]["servers"]
    assert [row["id"] for row in rows] == ([server] if found else [])


def test_lists_find_servers_by_their_host(cloud, server):
    host = cloud.server(server)["OS-EXT-SRV-ATTR:host"]
    assert len(cloud("GET", f"/servers?host={host}")[1]["servers"]) == 1


@pytest.mark.parametrize("name", ["changes-since", "changes-before"])
def test_what_is_no_moment_is_refused(cloud, name):
    assert cloud("GET", f"/servers?{name}=2011/01/01")[0] == 400


def test_an_empty_argument_asks_for_the_servers_of_all_projects():
    cloud = Cloud(auth="keystone")
    cloud.log_in("admin", "admin")
    cloud.node(network_interface="noop")
    flavor = cloud.flavor()
    cloud.log_in("project-member")
    cloud.boot(flavor, imageRef="3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11")
    assert cloud("GET", "/servers?all_tenants=")[0] == 403
    cloud.log_in("admin", "admin")
    assert [
        len(cloud("GET", path)[1]["servers"]) for path in ("/servers?all_tenants=", "/servers")
    ] == [
        1,
        0,
    ]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"min_ram": 2048}, "Flavor's memory is too small for requested image."),
        ({"min_disk": 20}, "Flavor's disk is smaller than the minimum size specified in image"),
        ({}, "is not active."),
    ],
)
def test_an_image_that_a_flavor_cannot_boot_is_refused(cloud, values, sentence):
    common = {"name": "a", "disk_format": "raw", "container_format": "bare"}
    ident = cloud.send("image", "POST", "/images", {**common, **values})[1]["id"]
    if values:
        with cloud.app.store.transaction(write=True) as tx:
            tx.update_row(images, ident, {"status": "active"})
    answer = cloud.boot(cloud.flavor(), imageRef=ident)
    assert answer[0] == 400
    assert sentence in message(answer)


def test_diagnostics_are_not_to_be_had_of_nodes(cloud, server):
    path = f"/servers/{server}/diagnostics"
    cloud.act(server, "os-stop")
    cloud.clock.advance(100)
    assert cloud("GET", path)[0] == 409
    cloud.act(server, "os-start")
    cloud.clock.advance(100)
    cloud.server(server)
    assert cloud("GET", path)[0] == 501


def test_a_server_has_told_no_password(cloud, server):
    path = f"/servers/{server}/os-server-password"
    assert cloud("GET", path) == (200, {"password": ""})
    assert cloud("DELETE", path)[0] == 204


@pytest.mark.parametrize(
    ("action", "status"), [("injectNetworkInfo", 202), ("resetNetwork", 410), ("restore", 409)]
)
def test_actions_that_have_nothing_to_do(cloud, server, action, status):
    assert cloud.act(server, action)[0] == status


def test_one_extra_spec_of_a_flavor_is_set(cloud):
    path = f"/flavors/{cloud.flavor()}/os-extra_specs"
    assert cloud("PUT", f"{path}/a", {"a": "b"}) == (200, {"a": "b"})
    assert cloud("GET", path)[1]["extra_specs"]["a"] == "b"
    assert cloud("PUT", f"{path}/a", {"b": "b"})[0] == 400
    assert cloud("PUT", f"{path}/a", {"a": "b", "c": "d"})[0] == 400


def test_limits_of_lists_are_numbers(cloud):
    for path in ("/os-server-groups", "/servers", "/os-keypairs"):
        assert cloud("GET", f"{path}?limit=x")[0] == 400


@pytest.mark.parametrize("ident", ["-1", "7"])
def test_no_aggregate_has_such_a_number(cloud, ident):
    assert cloud("GET", f"/os-aggregates/{ident}")[0] == 404
    assert cloud("GET", "/os-aggregates/x")[0] == 400


def test_a_flavor_keeps_the_factor_of_its_network(cloud):
    wanted = {"name": "f", "ram": 1, "vcpus": 1, "disk": 1, "rxtx_factor": "1.5"}
    made = cloud("POST", "/flavors", {"flavor": wanted}, "2.101")[1]["flavor"]
    assert made["rxtx_factor"] == 1.5
    assert "rxtx_factor" not in cloud("GET", f"/flavors/{made['id']}", version="2.102")[1]["flavor"]


@pytest.mark.parametrize(
    ("kind", "version", "status"),
    [("novnc", "2.6", 501), ("novnc", "2.5", 404), ("paper", "2.6", 400)],
)
def test_there_are_no_consoles(cloud, server, kind, version, status):
    wanted = {"remote_console": {"protocol": "vnc", "type": kind}}
    assert cloud("POST", f"/servers/{server}/remote-consoles", wanted, version)[0] == status


def test_a_volume_to_boot_from_takes_the_place_of_an_image(cloud):
    cloud.node()
    image = "3a8b6a6b-0b2d-4d7c-9b8b-6f9c0a5c1d11"
    flavor = cloud.flavor()
    assert cloud.booted(flavor, cloud.volume(), imageRef=image)["status"] == "ACTIVE"
    legacy = [{"volume_id": cloud.volume(), "device_name": "sdb"}]
    answer = cloud.boot(flavor, imageRef=image, block_device_mapping=legacy)
    assert answer[0] == 400
    assert "Boot sequence" in message(answer)
