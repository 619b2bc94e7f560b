"""Lists of nodes: filters, fields, order and pages."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api

OWNER = "project-1"


@pytest.fixture(scope="module")
def api():
    api = Api()
    api("POST", "/v1/chassis", {"uuid": "5a7f6ac9-d840-4dc2-b18c-9bb8777484b5"})
    api.enrol("a", resource_class="large", shard="s1", description="first rack")
    api.enrol("b", resource_class="large", chassis_uuid="5a7f6ac9-d840-4dc2-b18c-9bb8777484b5")
    api.enrol("c", maintenance=True, shard="s2")
    api.enrol("d", instance_uuid="1e413b35-e653-4ada-8b7f-1deb84503353", retired=True)
    api.patch("owner", OWNER, "a")
    api.patch("lessee", OWNER, "b")
    api.provision("manage", ident="b")
    return api


def names(answer):
    status, body = answer
    assert status == 200, body
    return "".join(node["name"] for node in body["nodes"])


def test_a_page_goes_on_after_its_marker(api):
    first = api("GET", "/v1/nodes?limit=3&sort_key=maintenance")
    assert names(first) == "abd"
    path = first[1]["next"].removeprefix("http://fake")
    assert path.startswith("/v1/nodes?sort_key=maintenance&sort_dir=asc&fields=instance_uuid,")
    assert names(api("GET", path)) == "c"


def test_a_list_shows_six_fields_unless_asked_for_others(api):
    _, body = api("GET", "/v1/nodes")
    short = {"instance_uuid", "maintenance", "power_state", "provision_state", "uuid", "name"}
    assert set(body["nodes"][0]) == short | {"links"}
    _, body = api("GET", "/v1/nodes?fields=driver,traits")
    assert set(body["nodes"][0]) == {"driver", "traits", "links"}
    _, body = api("GET", "/v1/nodes?detail=True")
    assert body["nodes"][0] == api.node("a")


def test_fields_that_are_given_one_by_one_are_taken_as_they_are_written(api):
    _, found = api("GET", "/v1/nodes?fields=uuid&fields=name")
    assert {*found["nodes"][0]} == {"uuid", "name", "links"}
    refused = (400, "Field NAME is not a valid field of a list.")
    assert api("GET", "/v1/nodes?fields=uuid&fields=NAME") == refused
    assert api("GET", "/v1/nodes?fields=uuid,NAME")[0] == 200


def test_the_nodes_of_a_chassis(api):
    chassis = "5a7f6ac9-d840-4dc2-b18c-9bb8777484b5"
    assert names(api("GET", f"/v1/chassis/{chassis}/nodes")) == "b"
    assert api("GET", "/v1/chassis/nodes") == (400, "Chassis id not specified.")
    unknown = "1e413b35-e653-4ada-8b7f-1deb84503353"
    message = f"Chassis {unknown} could not be found."
    assert api("GET", f"/v1/chassis/{unknown}/nodes") == (404, message)
    assert api("GET", f"/v1/chassis/{chassis}/nodes/a")[0] == 400
