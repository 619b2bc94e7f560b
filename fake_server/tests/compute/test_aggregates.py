"""Host aggregates and availability zones."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import running

_PATH = "/os-aggregates"


def create(cloud, name="a", **values):
    return cloud("POST", _PATH, {"aggregate": {"name": name, **values}})


def act(cloud, number, action, **values):
    return cloud("POST", f"{_PATH}/{number}/action", {action: values})


@pytest.fixture
def host(cloud):
    services = cloud.get("compute", "/os-services?binary=nova-compute")["services"]
    return services[0]["host"]


def test_aggregates_come_change_and_go(cloud):
    status, body = create(cloud, availability_zone="z")
    made = body["aggregate"]
    assert (status, made["name"], made["availability_zone"]) == (200, "a", "z")
    assert "hosts" not in made
    path = f"{_PATH}/{made['id']}"
    shown = {**made, "hosts": [], "metadata": {"availability_zone": "z"}}
    assert cloud.get("compute", path) == {"aggregate": shown}
    assert cloud.get("compute", _PATH) == {"aggregates": [shown]}
    assert "uuid" not in cloud("GET", path, version="2.40")[1]["aggregate"]
    changed = cloud("PUT", path, {"aggregate": {"name": "b"}})[1]["aggregate"]
    assert (changed["name"], changed["availability_zone"]) == ("b", "z")
    assert changed["updated_at"] is not None
    wanted = {"availability_zone": "y", "k": "v"}
    assert act(cloud, made["id"], "set_metadata", metadata=wanted)[0] == 200
    found = act(cloud, made["id"], "set_metadata", metadata={"k": None})[1]["aggregate"]
    assert (found["availability_zone"], found["metadata"]) == ("y", {"availability_zone": "y"})
    assert cloud("DELETE", path)[0] == 200
    answer = cloud("GET", path)
    assert (answer[0], message(answer)) == (404, f"Aggregate {made['id']} could not be found.")
    assert cloud("GET", f"{_PATH}/x")[0] == 400


def test_a_name_is_taken_once(cloud):
    create(cloud)
    answer = create(cloud)
    assert (answer[0], message(answer)) == (409, "Aggregate a already exists.")
    number = create(cloud, "b")[1]["aggregate"]["id"]
    answer = cloud("PUT", f"{_PATH}/{number}", {"aggregate": {"name": "a"}})
    assert (answer[0], message(answer)) == (409, "Aggregate a already exists.")


def test_a_host_takes_its_zone_from_its_aggregate(cloud, host):
    zones = cloud.get("compute", "/os-availability-zone")["availabilityZoneInfo"]
    assert [zone["zoneName"] for zone in zones] == ["nova"]
    number = create(cloud, availability_zone="z")[1]["aggregate"]["id"]
    assert act(cloud, number, "add_host", host=host)[1]["aggregate"]["hosts"] == [host]
    zones = cloud.get("compute", "/os-availability-zone")["availabilityZoneInfo"]
    assert [zone["zoneName"] for zone in zones] == ["z"]
    server = running(cloud)
    assert cloud.server(server)["OS-EXT-AZ:availability_zone"] == "z"
    zones = cloud.get("compute", "/os-availability-zone/detail")["availabilityZoneInfo"]
    assert {zone["zoneName"]: list(zone["hosts"]) for zone in zones}["z"] == [host]
    answer = cloud("PUT", f"{_PATH}/{number}", {"aggregate": {"availability_zone": "y"}})
    text = f"Cannot update aggregate {number}. Reason: One or more hosts contain instances in this"
    assert answer[0] == 400
    assert message(answer).startswith(text)


def test_a_host_is_once_in_an_aggregate_and_in_one_zone(cloud, host):
    first = create(cloud, "a", availability_zone="y")[1]["aggregate"]["id"]
    second = create(cloud, "b", availability_zone="z")[1]["aggregate"]["id"]
    act(cloud, first, "add_host", host=host)
    answers = [
        act(cloud, first, "add_host", host=host),
        act(cloud, second, "add_host", host=host),
        act(cloud, second, "remove_host", host=host),
        act(cloud, second, "add_host", host="moon"),
        cloud("DELETE", f"{_PATH}/{first}"),
    ]
    assert [(answer[0], message(answer)) for answer in answers] == [
        (409, f"Aggregate {first} already has host {host}."),
        (
            409,
            f"Cannot add host to aggregate {second}. Reason: One or more hosts already in "
            "availability zone(s) ['y'].",
        ),
        (404, f"Cannot remove host {host} in aggregate {second}"),
        (404, "Compute host moon could not be found."),
        (
            400,
            f"Cannot remove host from aggregate {first}. Reason: Host aggregate is not empty.",
        ),
    ]
    assert act(cloud, first, "remove_host", host=host)[1]["aggregate"]["hosts"] == []


def test_events_of_other_services_are_taken(cloud):
    server = running(cloud)
    missing = "00000000-0000-0000-0000-000000000000"
    events = [
        {"name": "network-changed", "server_uuid": server},
        {"name": "volume-extended", "server_uuid": server},
        {"name": "network-changed", "server_uuid": missing},
    ]
    path = "/os-server-external-events"
    status, body = cloud("POST", path, {"events": events})
    assert (status, [one["code"] for one in body["events"]]) == (207, [200, 400, 404])
    status, body = cloud("POST", path, {"events": events[:1]})
    assert (status, body["events"][0]["status"]) == (200, "completed")
    assert cloud("POST", path, {"events": events[1:2]}, "2.50")[0] == 400


def test_nothing_migrates(cloud):
    assert cloud.get("compute", "/os-migrations") == {"migrations": []}
