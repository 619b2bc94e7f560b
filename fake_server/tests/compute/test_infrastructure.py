"""Services, hosts and hypervisors of Nova."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud, message

HYPERVISORS = "/os-hypervisors"


def compute_service(cloud, version=None):
    services = cloud("GET", "/os-services?binary=nova-compute", version=version)[1]["services"]
    return services[0]


@pytest.fixture
def service(cloud):
    return f"/os-services/{compute_service(cloud)['id']}"


def test_a_disabled_service_takes_no_servers(cloud, service):
    cloud.node()
    disabled = {"status": "disabled", "disabled_reason": "moved"}
    status, body = cloud("PUT", service, disabled)
    shown = body["service"]
    assert (status, shown["status"], shown["disabled_reason"]) == (200, "disabled", "moved")
    failed = cloud.booted(cloud.flavor(), cloud.volume())
    assert (failed["status"], failed["fault"]["code"]) == ("ERROR", 500)
    assert cloud("GET", HYPERVISORS)[1]["hypervisors"][0]["status"] == "disabled"
    assert cloud("PUT", service, {"status": "enabled"})[0] == 200
    assert cloud.booted(cloud.flavor("other"), cloud.volume())["status"] != "ERROR"


def test_a_service_that_is_forced_down_takes_no_servers(cloud, service):
    cloud.node()
    assert cloud("PUT", service, {"forced_down": True})[1]["service"]["state"] == "down"
    assert cloud.booted(cloud.flavor(), cloud.volume())["status"] == "ERROR"
    assert cloud("GET", HYPERVISORS)[1]["hypervisors"][0]["state"] == "down"
    details = cloud("GET", "/os-availability-zone/detail")[1]["availabilityZoneInfo"]
    (zone,) = (one for one in details if one["zoneName"] == "nova")
    assert not next(iter(zone["hosts"].values()))["nova-compute"]["available"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            {"status": "enabled", "disabled_reason": "x"},
            "Specifying 'disabled_reason' with status 'enabled' is invalid.",
        ),
        (
            {"disabled_reason": "x"},
            "No updates were requested. Fields 'status' or 'forced_down' should be specified.",
        ),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(cloud, service, body, sentence):
    answer = cloud("PUT", service, body)
    assert (answer[0], message(answer)) == (400, sentence)


def test_the_other_services_cannot_be_changed(cloud):
    services = cloud("GET", "/os-services")[1]["services"]
    (other,) = (one["id"] for one in services if one["binary"] == "nova-scheduler")
    status, _ = answer = cloud("PUT", f"/os-services/{other}", {"status": "disabled"})
    assert status == 400
    assert message(answer).startswith("Updating a nova-scheduler service is not supported.")
    unknown = "/os-services/00000000-0000-0000-0000-000000000000"
    assert cloud("PUT", unknown, {"status": "disabled"})[0] == 404
    assert cloud("PUT", "/os-services/1", {"status": "disabled"})[0] == 400


@pytest.mark.parametrize(
    ("action", "more", "version", "shown"),
    [
        ("disable", {}, "2.1", {"status": "disabled"}),
        (
            "disable-log-reason",
            {"disabled_reason": "x"},
            "2.52",
            {"status": "disabled", "disabled_reason": "x"},
        ),
        ("enable", {}, "2.11", {"status": "enabled"}),
        ("force-down", {"forced_down": "true"}, "2.11", {"forced_down": True}),
    ],
)
def test_older_versions_name_the_action_in_the_path(cloud, action, more, version, shown):
    named = {"host": compute_service(cloud)["host"], "binary": "nova-compute"}
    status, body = cloud("PUT", f"/os-services/{action}", {**named, **more}, version)
    assert (status, body) == (200, {"service": {**named, **shown}})
    changed = compute_service(cloud, "2.52")
    assert {name: changed[name] for name in shown} == shown


@pytest.mark.parametrize(
    ("action", "host", "version", "status"),
    [
        ("force-down", "", "2.11", 400),
        ("disable-log-reason", "", "2.1", 400),
        ("destroy", "", "2.11", 404),
        ("disable", "elsewhere", "2.11", 404),
    ],
)
def test_older_versions_refuse_other_actions(cloud, action, host, version, status):
    named = {"host": host or compute_service(cloud)["host"], "binary": "nova-compute"}
    assert cloud("PUT", f"/os-services/{action}", named, version)[0] == status


def test_hypervisors_are_found_by_a_part_of_their_name(cloud):
    node = cloud.node()
    cloud.node("other")
    part = node[:13]
    for path, version in (
        (f"{HYPERVISORS}?hypervisor_hostname_pattern={part}", "2.53"),
        (f"{HYPERVISORS}/{part}/search", "2.52"),
    ):
        (found,) = cloud("GET", path, version=version)[1]["hypervisors"]
        assert found["hypervisor_hostname"] == node
        assert cloud("GET", path.replace(part, "x" * 13), version=version)[0] == 404
    assert cloud("GET", f"{HYPERVISORS}/{part}/search", version="2.53")[0] == 404
    assert cloud("GET", f"{HYPERVISORS}?hypervisor_hostname_pattern=x&limit=1")[0] == 400


def test_hypervisors_are_listed_in_pages(cloud):
    cloud.node()
    cloud.node("other")
    first = cloud("GET", f"{HYPERVISORS}?limit=1", version="2.33")[1]
    assert [one["id"] for one in first["hypervisors"]] == [1]
    assert first["hypervisors_links"][0]["rel"] == "next"
    rest = cloud("GET", f"{HYPERVISORS}?marker=1", version="2.33")[1]
    assert [one["id"] for one in rest["hypervisors"]] == [2]


@pytest.mark.parametrize("version", ["2.52", "2.53"])
def test_hypervisors_are_shown_with_the_servers_of_their_host(cloud, version):
    node, flavor = cloud.node(), cloud.flavor()
    path = f"{HYPERVISORS}/{node}"
    path = f"{path}/servers" if version == "2.52" else f"{path}?with_servers=true"

    def shown():
        body = cloud("GET", path, version=version)[1]
        return body["hypervisors"][0] if "hypervisors" in body else body["hypervisor"]

    assert "servers" not in shown()
    server = cloud.booted(flavor, cloud.volume())
    assert [one["uuid"] for one in shown()["servers"]] == [server["id"]]


def test_statistics_add_up_what_nodes_have(cloud):
    for name in ("a", "b"):
        cloud.node(name, properties={"cpus": 4, "memory_mb": 1024, "local_gb": 10})
    status, body = cloud("GET", f"{HYPERVISORS}/statistics", version="2.87")
    found = body["hypervisor_statistics"]
    shown = [found[name] for name in ("count", "vcpus", "free_ram_mb", "local_gb", "running_vms")]
    assert (status, shown) == (200, [2, 0, -1024, 0, 0])
    assert cloud("GET", f"{HYPERVISORS}/statistics", version="2.88")[0] == 404


def test_the_driver_knows_no_uptime(cloud):
    path = f"{HYPERVISORS}/{cloud.node()}/uptime"
    assert cloud("GET", path, version="2.87")[0] == 501
    assert cloud("GET", path, version="2.88")[0] == 404


def test_hosts_are_listed_by_zone_in_older_versions(cloud):
    found = cloud("GET", "/os-hosts?zone=nova", version="2.42")[1]["hosts"]
    assert [one["service"] for one in found] == ["compute"]
    assert len(cloud("GET", "/os-hosts", version="2.42")[1]["hosts"]) == 3
    assert cloud("GET", "/os-hosts", version="2.43")[0] == 404


def test_a_host_shows_its_first_node_and_what_servers_have(cloud):
    cloud.node(properties={"cpus": 4, "memory_mb": 1024, "local_gb": 10})
    server = cloud.booted(cloud.flavor(), cloud.volume())
    path = f"/os-hosts/{compute_service(cloud)['host']}"
    rows = [one["resource"] for one in cloud("GET", path, version="2.42")[1]["host"]]
    found = {row["project"]: (row["cpu"], row["memory_mb"], row["disk_gb"]) for row in rows}
    assert found == {
        "(total)": (0, 0, 0),
        "(used_now)": (1, 1536, 0),
        "(used_max)": (1, 1024, 10),
        server["tenant_id"]: (1, 1024, 10),
    }
    assert cloud("GET", "/os-hosts/elsewhere", version="2.42")[0] == 404


def test_the_driver_cannot_change_hosts(cloud):
    path = f"/os-hosts/{compute_service(cloud)['host']}"
    for action in ("startup", "shutdown", "reboot"):
        assert cloud("GET", f"{path}/{action}", version="2.42")[0] == 501
    assert cloud("PUT", path, {"status": "disable"}, "2.42")[0] == 501
    assert cloud("PUT", path, {"status": "off"}, "2.42")[0] == 400
    assert cloud("PUT", path, {}, "2.42")[0] == 400


def test_services_are_for_administrators():
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-member")
    for path in ("/os-services", HYPERVISORS):
        assert cloud("GET", path)[0] == 403
