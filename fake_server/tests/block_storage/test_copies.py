"""Snapshots, backups and transfers of volumes."""

from __future__ import annotations

from fake_server.tests.compute.conftest import Cloud


def snapshot(api, volume, **values):
    wanted = {"volume_id": volume["id"], "name": "s", **values}
    return api("POST", "/snapshots", {"snapshot": wanted})


def test_a_volume_with_snapshots_stays_unless_they_go_with_it(api):
    volume = api.volume(size=3)
    status, body = snapshot(api, volume, metadata={"k": "v"})
    assert (status, body["snapshot"]["status"]) == (202, "creating")
    path = f"/snapshots/{body['snapshot']['id']}"
    shown = api("GET", path)[1]["snapshot"]
    assert (shown["status"], shown["size"], shown["metadata"]) == ("available", 3, {"k": "v"})
    assert api("DELETE", f"/volumes/{volume['id']}")[0] == 400
    assert api("DELETE", f"/volumes/{volume['id']}?cascade=True")[0] == 202
    assert api("GET", path)[0] == 404


def test_a_volume_is_made_of_a_snapshot(api):
    copied = snapshot(api, api.volume(size=3))[1]["snapshot"]
    made = api.volume(size=5, snapshot_id=copied["id"])
    assert (made["size"], made["snapshot_id"]) == (5, copied["id"])
    body = {"volume": {"size": 2, "snapshot_id": copied["id"]}}
    assert api("POST", "/volumes", body)[0] == 400


def test_snapshots_of_volumes_in_use_depend_on_the_version(api):
    volume = api.volume()
    api.attach(volume, connector={"initiator": "iqn.a"})
    api("POST", f"/volumes/{volume['id']}/action", {"os-reset_status": {"status": "in-use"}})
    body = {"snapshot": {"volume_id": volume["id"]}}
    assert api("POST", "/snapshots", body, "3.65")[0] == 400
    assert api("POST", "/snapshots", {"snapshot": {**body["snapshot"], "force": True}}, "3.65")[
        0
    ] == (202)
    assert api("POST", "/snapshots", body, "3.66")[0] == 202


def test_metadata_of_snapshots_is_changed_key_by_key(api):
    path = f"/snapshots/{snapshot(api, api.volume())[1]['snapshot']['id']}/metadata"
    assert api("POST", path, {"metadata": {"a": "1", "b": "2"}})[1]["metadata"]["b"] == "2"
    assert api("PUT", f"{path}/a", {"meta": {"a": "3"}})[1] == {"meta": {"a": "3"}}
    assert api("PUT", f"{path}/a", {"meta": {"b": "3"}})[0] == 400
    assert api("DELETE", f"{path}/b")[0] == 200
    assert api("GET", path)[1] == {"metadata": {"a": "3"}}
    assert api("GET", f"{path}/b")[0] == 404


def test_lists_have_an_order_and_pages(api):
    volume = api.volume()
    for name in "bca":
        snapshot(api, volume, name=name)
    body = api("GET", "/snapshots?sort=name:asc&limit=2")[1]
    assert [row["name"] for row in body["snapshots"]] == ["a", "b"]
    marker = body["snapshots_links"][0]["href"].partition("marker=")[2]
    rest = api("GET", f"/snapshots?sort=name:asc&marker={marker}")[1]["snapshots"]
    assert [row["name"] for row in rest] == ["c"]
    assert api("GET", "/snapshots?sort=color:asc")[0] == 400
    assert api("GET", "/snapshots?marker=nothing")[0] == 404


def test_a_backup_outlives_its_volume(api):
    volume = api.volume(size=2)
    status, body = api("POST", "/backups", {"backup": {"volume_id": volume["id"], "name": "b"}})
    assert status == 202
    api("DELETE", f"/volumes/{volume['id']}")
    status, body = api("POST", f"/backups/{body['backup']['id']}/restore", {"restore": {}})
    restored = api("GET", f"/volumes/{body['restore']['volume_id']}")[1]["volume"]
    assert (status, restored["size"]) == (202, 2)
    again = {"backup": {"volume_id": restored["id"], "incremental": True}}
    assert api("POST", "/backups", again)[0] == 400


def test_a_volume_goes_to_who_has_the_key():
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-member", "demo")
    body = {"volume": {"size": 1}}
    volume = cloud.send("volume", "POST", "/volumes", body)[1]["volume"]["id"]
    body = {"transfer": {"volume_id": volume}}
    offer = cloud.send("volume", "POST", "/volume-transfers", body)[1]["transfer"]
    shown = cloud.get("volume", f"/volumes/{volume}")["volume"]
    assert shown["status"] == "awaiting-transfer"
    cloud.log_in("other-member", "other")
    path = f"/volume-transfers/{offer['id']}"
    assert cloud.send("volume", "GET", path)[0] == 404
    assert cloud.send("volume", "POST", f"{path}/accept", {"accept": {"auth_key": "x"}})[0] == 400
    body = {"accept": {"auth_key": offer["auth_key"]}}
    assert cloud.send("volume", "POST", f"{path}/accept", body)[0] == 202
    assert cloud.get("volume", f"/volumes/{volume}")["volume"]["status"] == "available"
    cloud.log_in("project-member", "demo")
    assert cloud.send("volume", "GET", f"/volumes/{volume}")[0] == 404
