"""The Image API, as far as clients need it to find images."""

from __future__ import annotations

from fake_server.tests.baremetal.api import Api
from fake_server.tests.compute.conftest import Cloud


def test_versions_are_discovered():
    status, body = Api()("GET", "/image/")
    assert status == 300
    assert body["versions"][0]["links"] == [{"rel": "self", "href": "http://fake/image/v2/"}]


def test_a_project_sees_its_own_and_public_ones():
    cloud = Cloud(auth="keystone")
    ids = {}
    for visibility, account, project in (
        ("private", "other-member", "other"),
        ("public", "admin", "admin"),
    ):
        cloud.log_in(account, project)
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


def test_lists_are_cut_by_a_limit_and_name_the_next_page():
    cloud = Cloud()
    for number in range(3):
        cloud.send("image", "POST", "/images", {"name": f"i{number}", "visibility": "public"})
    path, found = "/images?limit=2&visibility=public", []
    while path:
        body = cloud.get("image", path)
        assert body["first"] == "/v2/images?limit=2&visibility=public"
        found += [image["name"] for image in body["images"]]
        path = body.get("next", "").removeprefix("/v2")
    assert sorted(found) == ["i0", "i1", "i2"]
    assert cloud.send("image", "GET", "/images?limit=%C2%B2")[0] == 400
