"""Quotas, default types, access to types, QoS specs, and the parts of the storage."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud


def test_quotas_hold_with_keystone():
    cloud = Cloud(auth="keystone")
    project = cloud.log_in("project-member", "demo")["project"]["id"]
    cloud.log_in("admin", "admin")
    path, body = f"/os-quota-sets/{project}", {"quota_set": {"volumes": 1, "gigabytes": 5}}
    assert cloud.send("volume", "PUT", path, body)[1]["quota_set"]["volumes"] == 1
    bad = {"quota_set": {"bananas": 1}}
    assert cloud.send("volume", "PUT", path, bad)[0] == 400
    cloud.log_in("project-member", "demo")
    body = {"volume": {"size": 2}}
    volume = cloud.send("volume", "POST", "/volumes", body)[1]["volume"]["id"]
    status, answer = cloud.send("volume", "POST", "/volumes", body)
    assert (status, "VolumeLimitExceeded" in answer["overLimit"]["message"]) == (413, True)
    action = {"os-extend": {"new_size": 9}}
    assert cloud.send("volume", "POST", f"/volumes/{volume}/action", action)[0] == 413
    shown = cloud.get("volume", f"{path}?usage=True")["quota_set"]
    assert shown["volumes"] == {"limit": 1, "in_use": 1, "reserved": 0}
    absolute = cloud.get("volume", "/limits")["limits"]["absolute"]
    assert (absolute["maxTotalVolumeGigabytes"], absolute["totalGigabytesUsed"]) == (5, 2)
    cloud.log_in("admin", "admin")
    assert cloud.send("volume", "DELETE", path)[0] == 200
    assert cloud.get("volume", path)["quota_set"]["volumes"] == 10


def test_a_private_type_is_for_its_projects():
    cloud = Cloud(auth="keystone")
    project = cloud.log_in("project-member", "demo")["project"]["id"]
    cloud.log_in("admin", "admin")
    body = {"volume_type": {"name": "gold", "os-volume-type-access:is_public": False}}
    gold = cloud.send("volume", "POST", "/types", body)[1]["volume_type"]["id"]

    def is_seen():
        cloud.log_in("project-member", "demo")
        seen = cloud.send("volume", "GET", f"/types/{gold}")[0] == 200
        cloud.log_in("admin", "admin")
        return seen

    assert not is_seen()
    path, access = f"/types/{gold}/action", {"project": project}
    assert cloud.send("volume", "POST", path, {"addProjectAccess": access})[0] == 202
    assert cloud.send("volume", "POST", path, {"addProjectAccess": access})[0] == 409
    assert is_seen()
    rows = cloud.get("volume", f"/types/{gold}/os-volume-type-access")["volume_type_access"]
    assert rows == [{"volume_type_id": gold, "project_id": project}]
    assert cloud.send("volume", "POST", path, {"removeProjectAccess": access})[0] == 202
    assert not is_seen()


def test_a_project_has_a_default_type(api):
    body = {"default_type": {"volume_type": "multiattach"}}
    assert api("PUT", "/default-types/admin", body, "3.61")[0] == 404
    assert api("PUT", "/default-types/admin", body)[0] == 200
    assert api.volume()["volume_type"] == "multiattach"
    assert api("GET", "/types/default")[1]["volume_type"]["name"] == "multiattach"
    assert api("DELETE", "/default-types/admin")[0] == 204
    assert api("GET", "/default-types/admin")[0] == 404


def test_types_have_qos_specs(api):
    body = {"qos_specs": {"name": "fast", "consumer": "both", "iops": "5"}}
    specs = api("POST", "/qos-specs", body)[1]["qos_specs"]
    path = f"/qos-specs/{specs['id']}"
    assert api("POST", "/qos-specs", body)[0] == 409
    gold = api("POST", "/types", {"volume_type": {"name": "gold"}})[1]["volume_type"]["id"]
    assert api("GET", f"{path}/associate?vol_type_id={gold}")[0] == 202
    assert api("GET", f"/types/{gold}")[1]["volume_type"]["qos_specs_id"] == specs["id"]
    assert api("DELETE", path)[0] == 400
    assert api("GET", f"{path}/disassociate_all")[0] == 202
    assert api("PUT", f"{path}/delete_keys", {"keys": ["iops"]})[0] == 202
    assert api("GET", path)[1]["qos_specs"]["specs"] == {}
    assert api("DELETE", path)[0] == 202


def test_connections_are_of_the_protocol_of_the_connector(api):
    for connector, kind in (
        ({"initiator": "iqn.a"}, "iscsi"),
        ({"wwpns": ["5" * 16]}, "fibre_channel"),
        ({"nqn": "nqn.a"}, "nvmeof"),
    ):
        shown = api.attach(api.volume(), connector=connector)[1]["attachment"]
        assert shown["connection_info"]["driver_volume_type"] == kind
    assert shown["connection_info"]["target_nqn"].startswith("nqn.2010-10.org.openstack:")
    assert api.attach(api.volume(), connector={"host": "h"})[0] == 400


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("/os-services", "services"),
        ("/os-availability-zone", "availabilityZoneInfo"),
        ("/os-hosts", "hosts"),
        ("/scheduler-stats/get_pools?detail=True", "pools"),
        ("/capabilities/fake@storage", "namespace"),
        ("/resource_filters", "resource_filters"),
        ("/volumes/summary", "volume-summary"),
        ("/os-quota-class-sets/default", "quota_class_set"),
        *((f"/{kind}", kind) for kind in ("groups", "group_types", "messages", "clusters")),
    ],
)
def test_the_parts_of_the_storage_are_listed(api, path, key):
    status, body = api("GET", path)
    assert (status, key in body) == (200, True)


def test_a_volume_changes_its_type_and_what_is_known_of_its_image(api):
    volume = api.volume()
    path = f"/volumes/{volume['id']}/action"
    assert api("POST", path, {"os-retype": {"new_type": "multiattach"}})[0] == 202
    assert api("POST", path, {"os-retype": {"new_type": "multiattach"}})[0] == 400
    assert api("GET", f"/volumes/{volume['id']}")[1]["volume"]["multiattach"] is True
    body = {"os-set_image_metadata": {"metadata": {"os": "linux"}}}
    assert api("POST", path, body)[1] == {"metadata": {"os": "linux"}}
    shown = api("GET", f"/volumes/{volume['id']}")[1]["volume"]
    assert shown["volume_image_metadata"] == {"os": "linux"}
    assert api("POST", path, {"os-unset_image_metadata": {"key": "os"}})[0] == 200
    assert api("POST", path, {"os-unset_image_metadata": {"key": "os"}})[0] == 404
