"""Quotas, limits and usage of projects."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message
from fake_server.tests.compute.test_attach_modes import IMAGE, running

_PATH = "/os-quota-sets/admin"
_CLASS = "/os-quota-class-sets/default"


def limit(cloud, **limits):
    return cloud("PUT", _PATH, {"quota_set": limits})


def test_quotas_are_set_and_reset(cloud):
    status, body = limit(cloud, instances=2, ram="4096")
    assert (status, body["quota_set"]["instances"], body["quota_set"]["ram"]) == (200, 2, 4096)
    assert "id" not in body["quota_set"]
    shown = cloud.get("compute", _PATH)["quota_set"]
    assert (shown["id"], shown["instances"], shown["cores"]) == ("admin", 2, -1)
    assert cloud.get("compute", f"{_PATH}/defaults")["quota_set"]["instances"] == -1
    assert cloud("PUT", _CLASS, {"quota_class_set": {"instances": 5, "cores": 5}})[0] == 200
    shown = cloud.get("compute", _PATH)["quota_set"]
    assert (shown["instances"], shown["cores"]) == (2, 5)
    assert cloud("DELETE", _PATH) == (202, None)
    assert cloud.get("compute", _PATH)["quota_set"]["instances"] == 5
    assert cloud.get("compute", _CLASS)["quota_class_set"]["instances"] == 5


@pytest.mark.parametrize(
    ("path", "version", "count"),
    [
        (_PATH, "2.35", 14),
        (_PATH, "2.36", 10),
        (_PATH, "2.57", 7),
        (_CLASS, "2.49", 12),
        (_CLASS, "2.50", 10),
        (_CLASS, "2.57", 7),
    ],
)
def test_versions_have_fewer_quotas(cloud, path, version, count):
    (shown,) = cloud("GET", path, version=version)[1].values()
    assert len(shown) == count + 1


def test_servers_count_against_quotas(cloud):
    running(cloud)
    details = cloud.get("compute", f"{_PATH}/detail")["quota_set"]
    assert details["instances"] == {"limit": -1, "in_use": 1, "reserved": 0}
    assert (details["cores"]["in_use"], details["ram"]["in_use"]) == (1, 1024)
    answer = limit(cloud, cores=0)
    text = "Quota limit 0 for cores must be greater than or equal to already used and reserved 1."
    assert (answer[0], message(answer)) == (400, text)
    assert limit(cloud, cores=0, force=True)[0] == 200
    limit(cloud, instances=2)
    flavor = cloud.get("compute", "/flavors")["flavors"][0]["id"]
    answer = cloud.boot(flavor, imageRef=IMAGE, max_count=2)
    assert (answer[0], message(answer)) == (
        403,
        "Quota exceeded for cores, instances: Requested 2, 1-2, but already used 1, 1 of 0, 2 "
        "cores, instances",
    )
    absolute = cloud.get("compute", "/limits")["limits"]["absolute"]
    assert (absolute["maxTotalInstances"], absolute["totalInstancesUsed"]) == (2, 1)


def test_what_projects_have_is_their_own():
    cloud = Cloud(auth="keystone")
    project = cloud.log_in("project-member")["project"]["id"]
    assert cloud("GET", f"/os-quota-sets/{project}")[0] == 200
    for path in ("/os-quota-sets/x", "/os-quota-sets/x/detail", "/limits?tenant_id=x", _CLASS):
        assert cloud("GET", path)[0] == 403
    assert cloud("GET", "/os-simple-tenant-usage")[0] == 403
    assert cloud("PUT", f"/os-quota-sets/{project}", {"quota_set": {"cores": 1}})[0] == 403


def test_usage_is_counted_in_hours(cloud):
    path = "/os-simple-tenant-usage"
    assert cloud.get("compute", f"{path}/admin?start=2020-01-01T00:00:00") == {"tenant_usage": {}}
    server = running(cloud)
    cloud.clock.advance(7200)
    usage = cloud.get("compute", f"{path}/admin?start=2020-01-01T00:00:00")["tenant_usage"]
    assert (usage["total_hours"], usage["total_memory_mb_usage"]) == (2, 2048)
    (one,) = usage["server_usages"]
    assert (one["instance_id"], one["uptime"], one["state"]) == (server, 7200, "active")
    listed = cloud.get("compute", f"{path}?start=2020-01-01T00:00:00.5")["tenant_usages"]
    assert [(found["tenant_id"], found["total_hours"]) for found in listed] == [("admin", 2)]
    assert "server_usages" not in listed[0]
    listed = cloud.get("compute", f"{path}?start=2020-01-01T00:00:00&detailed=1")["tenant_usages"]
    assert len(listed[0]["server_usages"]) == 1
    for query in ("start=2020-01-01", "start=2021-01-01T00:00:00&end=2020-01-01T00:00:00"):
        assert cloud("GET", f"{path}/admin?{query}")[0] == 400
