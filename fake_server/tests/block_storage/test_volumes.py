"""Volumes and their types."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from fake_server.common.wsgi import Request
from fake_server.tests.block_storage.conftest import Api, server
from fake_server.tests.compute.conftest import Cloud


@pytest.mark.parametrize("text", ["-" * 5000 + "1", "1+" * 3000 + "1", "{[]: 1}", "(" * 300])
@pytest.mark.parametrize("path", ["/volumes/detail?metadata=", "/types?extra_specs="])
def test_a_filter_that_python_cannot_read_fits_nothing(api, path, text):
    api("POST", "/volumes", {"volume": {"size": 1, "metadata": {"a": "b"}}})
    status, body = api("GET", path + quote(text))
    assert (status, list(body.values())) == (200, [[]])


def test_a_volume_from_start_to_end(api):
    status, body = api("POST", "/volumes", {"volume": {"size": 2, "name": "root"}})
    assert (status, body["volume"]["status"]) == (202, "creating")
    path = f"/volumes/{body['volume']['id']}"
    status, body = api("GET", path)
    assert (status, body["volume"]["status"]) == (200, "available")
    assert body["volume"]["volume_type"] == "__DEFAULT__"
    assert body["volume"]["bootable"] == "false"
    status, body = api("PUT", path, {"volume": {"name": "boot", "metadata": {"a": "b"}}})
    assert (status, body["volume"]["name"], body["volume"]["metadata"]) == (200, "boot", {"a": "b"})
    assert api("DELETE", path) == (202, None)
    status, body = api("GET", path)
    assert status == 404
    assert body["itemNotFound"]["message"].endswith("could not be found.")


def test_a_project_in_the_address_may_be_left_out(api):
    volume = api.volume(name="a")
    for path in ("/volumes", "/admin/volumes", "/admin/volumes/detail"):
        assert [item["id"] for item in api("GET", path)[1]["volumes"]] == [volume["id"]]


def test_without_authentication_a_volume_is_of_the_project_in_the_address(api):
    status, body = api("POST", "/of-them/volumes", {"volume": {"size": 1}})
    assert status == 202, body
    volume = api("GET", f"/volumes/{body['volume']['id']}")[1]["volume"]
    assert volume["os-vol-tenant-attr:tenant_id"] == "of-them"


def test_creating_takes_the_time_that_is_asked_for():
    api = Api(delay=60)
    volume = api.volume()
    assert volume["status"] == "creating"
    assert api("DELETE", f"/volumes/{volume['id']}")[0] == 400
    assert api.attach(volume)[0] == 400
    api.clock.advance(60)
    assert api.status(volume) == "available"
    action = {"os-extend": {"new_size": 5}}
    assert api("POST", f"/volumes/{volume['id']}/action", action)[0] == 202
    assert api.status(volume) == "extending"
    api.clock.advance(60)
    assert api.status(volume) == "available"


@pytest.mark.parametrize("path", ["/volume", "/volume/"])
def test_the_version_is_told(api, path):
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "HTTP_HOST": "fake"}
    answer = api.app.answer(Request({**environ, "wsgi.url_scheme": "http"}))
    (version,) = json.loads(answer.body)["versions"]
    assert (answer.status, version["id"], version["version"]) == (300, "v3.0", "3.71")


@pytest.mark.parametrize(
    ("size", "status"),
    [
        *[("2", 202), (2, 202), ("3", 202), (1, 400), ("1", 400)],
        *[("x", 400), ("²", 400), ("9" * 5000, 400)],
    ],
)
def test_a_copy_is_no_smaller_than_its_source(api, size, status):
    source = api.volume(size=2)["id"]
    answered, body = api("POST", "/volumes", {"volume": {"size": size, "source_volid": source}})
    assert answered == status
    if status == 202:
        assert body["volume"]["size"] == int(size)
    elif size in (1, "1"):
        assert "'1'GB cannot be smaller than" in body["badRequest"]["message"]
    assert len(api("GET", "/volumes")[1]["volumes"]) == (2 if status == 202 else 1)


@pytest.mark.parametrize(
    ("name", "project", "version", "specs"),
    [
        ("admin", "admin", "3.49", {"multiattach": "<is> True"}),
        ("project-member", "demo", "3.50", {"multiattach": "<is> True"}),
        ("project-member", "demo", "3.49", {"multiattach": "<is> True"}),
    ],
)
def test_who_sees_the_extra_specs_of_a_type(name, project, version, specs):
    cloud = Cloud(auth="keystone")
    cloud.log_in(name, project)
    status, body = cloud.send("volume", "GET", "/types", None, version)
    found = {one["name"]: one["extra_specs"] for one in body["volume_types"]}
    assert (status, found["multiattach"]) == (200, specs)


@pytest.mark.parametrize(
    ("name", "project", "version", "status"),
    [
        ("project-member", "demo", "3.30", 200),
        ("project-member", "demo", "3.31", 400),
        ("admin", "admin", "3.31", 200),
    ],
)
def test_unknown_filters_are_refused_since_a_version(name, project, version, status):
    """As the history of Block Storage's versions has it, of 3.31."""
    cloud = Cloud(auth="keystone")
    cloud.log_in(name, project)
    assert cloud.send("volume", "GET", "/volumes?colour=red", None, version)[0] == status


def test_a_project_sees_its_own():
    cloud = Cloud(auth="keystone")
    cloud.log_in("project-member", "demo")
    volume = cloud.volume(bootable=False)
    body = {"attachment": {"volume_uuid": volume, "instance_uuid": server("s")}}
    attachment = cloud.send("volume", "POST", "/attachments", body)[1]["attachment"]["id"]
    cloud.log_in("other-member", "other")
    assert cloud.get("volume", "/volumes") == {"volumes": []}
    assert cloud.send("volume", "GET", f"/volumes/{volume}")[0] == 404
    assert cloud.attachments() == []
    assert cloud.send("volume", "GET", f"/attachments/{attachment}")[0] == 404
    assert cloud.send("volume", "DELETE", f"/attachments/{attachment}")[0] == 404
    for name, project, query in (
        ("project-reader", "demo", ""),
        ("admin", "admin", "?all_tenants=1"),
    ):
        cloud.log_in(name, project)
        found = cloud.get("volume", f"/volumes{query}")["volumes"]
        assert [one["id"] for one in found] == [volume]


@pytest.mark.parametrize("limit", ["²", "x", "9" * 5000])
def test_limits_are_numbers(api, limit):
    status, body = api("GET", f"/volumes?limit={quote(limit)}")
    assert (status, body["badRequest"]["message"]) == (400, "limit param must be an integer")
