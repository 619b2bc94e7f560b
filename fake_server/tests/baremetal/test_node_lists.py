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


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", "abcd"),
        ("resource_class=large", "ab"),
        ("maintenance=true", "c"),
        ("maintenance=no", "abd"),
        ("associated=true", "d"),
        ("associated=false", "abc"),
        ("instance_uuid=1e413b35-e653-4ada-8b7f-1deb84503353", "d"),
        ("provision_state=manageable", "b"),
        ("driver=fake-hardware", "abcd"),
        ("driver=ipmi", ""),
        ("owner=project-1", "a"),
        ("lessee=project-1", "b"),
        ("project=project-1", "ab"),
        ("shard=s1,s2", "ac"),
        ("sharded=false", "bd"),
        ("retired=true", "d"),
        ("description_contains=RACK", "a"),
        ("description_contains=%25st", "a"),
        ("chassis_uuid=5a7f6ac9-d840-4dc2-b18c-9bb8777484b5", "b"),
        ("conductor=localhost", "abcd"),
        ("conductor=elsewhere", ""),
        ("conductor_group=", "abcd"),
        ("fault=power failure", ""),
        ("limit=2", "ab"),
        ("sort_key=name&sort_dir=desc", "dcba"),
        ("sort_key=resource_class", "cdab"),
        ("resource_class=large&maintenance=true", ""),
    ],
)
def test_filters(api, query, found):
    assert names(api("GET", f"/v1/nodes?{query}")) == found
    if "limit" not in query:
        assert names(api("GET", f"/v1/nodes/detail?{query}")) == found


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


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("provision_state=bogus", 'Provision state "bogus" is not valid'),
        ("sort_key=extra", "The sort_key value extra is an invalid field for sorting"),
        ("sort_key=due_at", 'The sort_key value "due_at" is an invalid field for sorting'),
        ("limit=0", "Limit must be positive"),
        ("bogus=1", "Unexpected arguments: bogus"),
        ("fields=bogus", "Field bogus is not a valid field of a list."),
        ("fields=created_at", "Field created_at is not a valid field."),
        ("detail=1&fields=uuid", "Can not specify ?detail=True and fields in the same request."),
    ],
)
def test_queries_that_can_not_be(api, query, message):
    assert api("GET", f"/v1/nodes?{query}") == (400, message)


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
