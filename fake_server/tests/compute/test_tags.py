"""Tags and metadata of servers."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import message
from fake_server.tests.compute.test_attach_modes import IMAGE, running

_TAGS = {"a": ["x", "y"], "b": ["y"], "c": []}


@pytest.fixture
def server(cloud):
    return running(cloud)


def test_tags_come_and_go(cloud, server):
    path = f"/servers/{server}/tags"
    assert cloud("PUT", path, {"tags": ["a", "b", "a"]}) == (200, {"tags": ["a", "b"]})
    assert cloud("PUT", f"{path}/b") == (204, None)
    assert cloud("PUT", f"{path}/c") == (201, None)
    assert cloud.headers["Location"].endswith(f"{path}/c")
    assert cloud("DELETE", f"{path}/a") == (204, None)
    assert cloud("GET", path) == (200, {"tags": ["b", "c"]})
    assert cloud("GET", f"{path}/b") == (204, None)
    answers = [cloud(method, f"{path}/a") for method in ("GET", "DELETE")]
    assert [status for status, _ in answers] == [404, 404]
    assert message(answers[0]) == f"Server {server} has no tag 'a'"
    assert message(answers[1]) == f"Instance {server} has no tag 'a'"
    assert cloud.server(server)["tags"] == ["b", "c"]
    assert cloud("DELETE", path) == (204, None)
    assert cloud("GET", path) == (200, {"tags": []})
    assert cloud("GET", path, version="2.25")[0] == 404


def test_tags_have_a_form_and_a_number(cloud, server):
    path = f"/servers/{server}/tags"
    answer = cloud("PUT", f"{path}/a,b")
    assert answer[0] == 400
    assert message(answer).startswith("Tag 'a,b' is invalid. It must be a non empty string")
    assert cloud("PUT", path, {"tags": [f"t{number}" for number in range(50)]})[0] == 200
    answer = cloud("PUT", f"{path}/more")
    assert message(answer) == "The number of tags exceeded the per-server limit 50"


def test_a_broken_server_is_not_tagged(cloud):
    server = cloud.booted(cloud.flavor(), imageRef=IMAGE)
    assert server["status"] == "ERROR"
    answer = cloud("PUT", f"/servers/{server['id']}/tags/a")
    text = f"Cannot 'update tag' instance {server['id']} while it is in vm_state error"
    assert (answer[0], message(answer)) == (409, text)


@pytest.mark.parametrize(
    ("query", "names"),
    [("tags=x,y", "a"), ("tags-any=x,y", "ab"), ("not-tags=x,y", "bc"), ("not-tags-any=x,y", "c")],
)
def test_servers_are_filtered_by_tags(cloud, query, names):
    flavor = cloud.flavor()
    for name, tags in _TAGS.items():
        cloud.boot(flavor, imageRef=IMAGE, name=name, tags=tags)
    found = cloud.get("compute", f"/servers?{query}")["servers"]
    assert sorted(one["name"] for one in found) == list(names)
    # Older versions don't know the filter.
    assert len(cloud("GET", f"/servers?{query}", version="2.25")[1]["servers"]) == 3


def test_metadata_is_set_key_by_key(cloud, server):
    path = f"/servers/{server}/metadata"
    assert cloud("PUT", f"{path}/a", {"meta": {"a": "1"}}) == (200, {"meta": {"a": "1"}})
    assert cloud("POST", path, {"metadata": {"b": "2"}})[1] == {"metadata": {"a": "1", "b": "2"}}
    assert cloud("GET", f"{path}/b") == (200, {"meta": {"b": "2"}})
    answer = cloud("PUT", f"{path}/a", {"meta": {"b": "1"}})
    assert (answer[0], message(answer)) == (400, "Request body and URI mismatch")
    assert cloud("DELETE", f"{path}/a") == (204, None)
    answer = cloud("GET", f"{path}/a")
    assert (answer[0], message(answer)) == (404, "Metadata item was not found")
