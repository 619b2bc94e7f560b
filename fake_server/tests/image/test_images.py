"""The Image API, as far as clients need it to find images."""

from __future__ import annotations

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.compute.conftest import Cloud

ROOT = "/image/v2/images"


@pytest.fixture
def api():
    return Api()


def create(api, **fields):
    status, image = api("POST", ROOT, {"name": "linux", "disk_format": "qcow2", **fields})
    assert status == 201, image
    return image


def test_versions_are_discovered(api):
    status, body = api("GET", "/image/")
    assert status == 300
    assert body["versions"][0]["links"] == [{"rel": "self", "href": "http://fake/image/v2/"}]


def test_images_are_found_by_name(api):
    for name in ("a", "b", "b"):
        create(api, name=name)
    assert len(api("GET", ROOT)[1]["images"]) == 3
    found = api("GET", f"{ROOT}?name=b")[1]["images"]
    assert [image["name"] for image in found] == ["b", "b"]
    ids = ",".join(image["id"] for image in found)
    assert api("GET", f"{ROOT}?id=in:{ids}")[1]["images"] == found
    page = api("GET", f"{ROOT}?limit=1")[1]["images"]
    rest = api("GET", f"{ROOT}?marker={page[0]['id']}")[1]["images"]
    assert len(page + rest) == 3
    assert api("GET", f"{ROOT}?marker=x")[0] == 400


def test_a_project_sees_its_own_and_public_ones():
    cloud = Cloud(auth="keystone")
    ids = {}
    cloud.log_in("other-member", "other")
    for visibility in ("private", "public"):
        body = {"name": visibility, "visibility": visibility}
        ids[visibility] = cloud.send("image", "POST", "/images", body)[1]["id"]
    cloud.log_in("project-member", "demo")
    assert [image["name"] for image in cloud.get("image", "/images")["images"]] == ["public"]
    assert cloud.send("image", "GET", f"/images/{ids['private']}")[0] == 404
    assert cloud.send("image", "DELETE", f"/images/{ids['public']}")[0] == 403
    cloud.log_in("project-reader", "demo")
    assert cloud.send("image", "POST", "/images", {"name": "x"})[0] == 403
    cloud.log_in("admin", "admin")
    assert len(cloud.get("image", "/images")["images"]) == 2
