"""Attachments, in the newer way and in the older one."""

from __future__ import annotations

import pytest

from fake_server.tests.block_storage.conftest import server

ISCSI = {"initiator": "iqn.2026-11.com.example:n", "ip": "192.0.2.1", "host": "n"}
FIBRE_CHANNEL = {"wwpns": ["5001438000000001", "5001438000000002"], "wwnns": ["5001438000000000"]}


def test_connections_over_iscsi(api):
    volume = api.volume()
    attachment = api.attach(volume, "server", connector=ISCSI)[1]["attachment"]
    assert attachment["status"] == "attaching"
    assert attachment["connection_info"]["target_iqn"].endswith(volume["id"])
    connector = {**ISCSI, "multipath": True}
    attachment = api.attach(api.volume(), "s", connector=connector)[1]["attachment"]
    info = attachment["connection_info"]
    assert len(info["target_iqns"]) == len(info["target_portals"]) == len(info["target_luns"]) == 2


def test_connections_over_fibre_channel(api):
    attachment = api.attach(api.volume(), "s", connector=FIBRE_CHANNEL)[1]["attachment"]
    info = attachment["connection_info"]
    assert info["driver_volume_type"] == "fibre_channel"
    assert info["target_lun"] == 1
    assert set(info["initiator_target_map"]) == set(FIBRE_CHANNEL["wwpns"])
    assert "auth_password" not in info


@pytest.mark.parametrize(
    ("protocol", "used", "lacking", "name"),
    [("FC", "fibre_channel", ISCSI, "wwpns"), ("iSCSI", "iscsi", FIBRE_CHANNEL, "initiator")],
)
def test_a_type_may_ask_for_a_protocol(api, protocol, used, lacking, name):
    kind = {"name": "kind", "extra_specs": {"storage_protocol": protocol}}
    assert api("POST", "/types", {"volume_type": kind})[0] == 200
    volume = api.volume(volume_type="kind")
    status, body = api.attach(volume, "s", connector=lacking)
    assert status == 400
    assert body["badRequest"]["message"].endswith(f"required information: {name}")
    assert api.status(volume) == "available"
    both = {**ISCSI, **FIBRE_CHANNEL}
    attachment = api.attach(volume, "s", connector=both)[1]["attachment"]
    assert attachment["connection_info"]["driver_volume_type"] == used


def test_the_mode_is_in_the_connector_or_beside_it(api):
    # volume-multiattach-enhancements: "the attach mode is specified in the host connector
    # parameter to POST /attachments and PUT /attachments/{id}"
    read_only = {**ISCSI, "mode": "ro"}
    attachment = api.attach(api.volume(), "s", connector=read_only)[1]["attachment"]
    assert attachment["attach_mode"] == "ro"
    assert attachment["connection_info"]["access_mode"] == "ro"
    attachment = api.attach(api.volume(), "s", mode="ro")[1]["attachment"]
    path = f"/attachments/{attachment['id']}"
    body = api("PUT", path, {"attachment": {"connector": ISCSI}})[1]
    assert body["attachment"]["attach_mode"] == "ro"
    assert api.attach(api.volume(), "s", mode="wo")[0] == 400
    wanted = {"volume_uuid": api.volume()["id"], "mode": "ro"}
    assert api("POST", "/attachments", {"attachment": wanted}, version="3.53")[0] == 400


def test_only_a_shared_volume_has_several_attachments(api):
    single, shared = api.volume(), api.volume(volume_type="multiattach")
    assert api.attach(single, "a")[0] == 200
    status, body = api.attach(single, "b")
    assert status == 400
    assert "status must be available" in body["badRequest"]["message"]
    # volume-multiattach-enhancements: bug 1747985, "adding “reserved” to the list of acceptable
    # states for a multiattach volume"
    made = [api.attach(shared, name)[1]["attachment"]["id"] for name in "abc"]
    assert api.status(shared) == "reserved"
    for ident in made:
        connector = {"connector": {**ISCSI, "mode": "ro"}}
        assert api("PUT", f"/attachments/{ident}", {"attachment": connector})[0] == 200
        assert api("POST", f"/attachments/{ident}/action", {"os-complete": None})[0] == 204
    assert api.status(shared) == "in-use"
    status, left = api("DELETE", f"/attachments/{made[0]}")
    assert (status, [item["id"] for item in left["attachments"]]) == (200, made[1:])
    assert api.status(shared) == "in-use"
    listed = api("GET", f"/attachments?volume_id={shared['id']}")[1]["attachments"]
    assert [item["instance"] for item in listed] == [server("c"), server("b")]
    for name in ("instance_id", "instance_uuid"):
        assert len(api("GET", f"/attachments/detail?{name}={server('b')}")[1]["attachments"]) == 1
