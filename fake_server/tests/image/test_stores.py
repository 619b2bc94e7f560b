"""Several stores; what is expected is what a Glance 33 with two enabled_backends answered."""

from __future__ import annotations

import pytest

from fake_server.tests.compute.conftest import Cloud
from fake_server.tests.wsgi import request

FORMATS = {"disk_format": "raw", "container_format": "bare"}
STORES = ("fast", "cheap")


@pytest.fixture
def cloud():
    return Cloud(image_stores=STORES)


def made(cloud):
    status, image = cloud.send("image", "POST", "/images", {"name": "i", **FORMATS})
    assert status == 201
    return image["id"]


def fill(cloud, ident, part, **headers):
    """Send what an image holds; return the status and the text of the answer."""
    if cloud.token:
        headers["HTTP_X_AUTH_TOKEN"] = cloud.token
    path = f"/image/v2/images/{ident}/{part}"
    binary = {"CONTENT_TYPE": "application/octet-stream"}
    answer = cloud.app.answer(request("PUT", path, b"hello", **binary, **headers))
    return answer.status, answer.body.decode()


def ask(cloud, ident, method, **body):
    """Ask for an import; return the status and what is said."""
    path = f"/images/{ident}/import"
    status, answer = cloud.send("image", "POST", path, {"method": {"name": method}, **body})
    return status, answer and answer["message"].split("<br />")[0]


def held(cloud, ident):
    return cloud.get("image", f"/images/{ident}").get("stores")


def test_stores_are_listed(cloud):
    found = cloud.get("image", "/info/stores")["stores"]
    assert found == [{"id": "fast", "default": "true"}, {"id": "cheap"}]
    details = cloud.get("image", "/info/stores/detail")["stores"]
    assert [one["type"] for one in details] == ["file", "file"]
    made(cloud)
    assert cloud.headers["OpenStack-image-store-ids"] == "fast,cheap"
    assert (
        cloud.headers["OpenStack-image-import-methods"] == "glance-direct,web-download,copy-image"
    )
    methods = cloud.get("image", "/info/import")["import-methods"]["value"]
    assert methods == ["glance-direct", "web-download", "copy-image"]


def test_an_upload_goes_to_the_default_or_the_named_store(cloud):
    first, second = made(cloud), made(cloud)
    assert held(cloud, first) is None
    assert fill(cloud, first, "file")[0] == 204
    status, text = fill(cloud, second, "file", HTTP_X_IMAGE_META_STORE="none")
    assert status == 400
    assert "Store for identifier none not found" in text
    assert fill(cloud, second, "file", HTTP_X_IMAGE_META_STORE="cheap")[0] == 204
    assert (held(cloud, first), held(cloud, second)) == ("fast", "cheap")


@pytest.mark.parametrize(
    ("body", "stores"),
    [
        ({}, "fast"),
        ({"stores": ["cheap"]}, "cheap"),
        ({"stores": ["cheap", "fast"], "all_stores_must_succeed": False}, "cheap,fast"),
        ({"all_stores": True}, "fast,cheap"),
    ],
)
def test_an_import_goes_to_the_stores_that_it_names(cloud, body, stores):
    ident = made(cloud)
    assert fill(cloud, ident, "stage")[0] == 204
    assert ask(cloud, ident, "glance-direct", **body) == (202, None)
    assert held(cloud, ident) == stores
    (task,) = cloud.get("image", f"/images/{ident}/tasks")["tasks"]
    assert task["input"]["backend"] == stores.split(",")


def test_an_import_into_no_store_fails(cloud):
    ident = made(cloud)
    fill(cloud, ident, "stage")
    assert ask(cloud, ident, "glance-direct", stores=[]) == (202, None)
    image = cloud.get("image", f"/images/{ident}")
    assert (image["status"], image["size"]) == ("queued", None)
    (task,) = cloud.get("image", f"/images/{ident}/tasks")["tasks"]
    assert task["status"] == "failure"
    assert fill(cloud, ident, "file")[0] == 204


@pytest.mark.parametrize(
    ("body", "status", "text"),
    [
        ({"stores": ["none"]}, 409, "Store for identifier none not found"),
        ({"stores": [["fast"]]}, 409, "Store for identifier ['fast'] not found"),
        (
            {"stores": ["fast"], "all_stores": True},
            400,
            "All_stores parameter can't be used with x-image-meta-store header or stores parameter",
        ),
        ({"stores": "fast"}, 400, "'stores' must be a list"),
        ({"stores": None}, 400, "'stores' must be a list"),
    ],
)
def test_an_import_that_is_refused_changes_nothing(cloud, body, status, text):
    ident = made(cloud)
    fill(cloud, ident, "stage")
    assert ask(cloud, ident, "glance-direct", **body) == (status, text)
    assert cloud.get("image", f"/images/{ident}")["status"] == "uploading"
    assert cloud.get("image", f"/images/{ident}/tasks")["tasks"] == []


def test_an_image_is_copied_to_stores_that_lack_it(cloud):
    ident = made(cloud)
    problem = "Only images with status active can be targeted for copying"
    assert ask(cloud, ident, "copy-image", stores=["cheap"]) == (409, problem)
    fill(cloud, ident, "file")
    problem = "Image is already present at store 'fast'"
    assert ask(cloud, ident, "copy-image", stores=["fast"]) == (400, problem)
    assert ask(cloud, ident, "copy-image", stores=["cheap"]) == (202, None)
    assert held(cloud, ident) == "fast,cheap"
    assert ask(cloud, ident, "copy-image", all_stores=True) == (202, None)
    assert len(cloud.get("image", f"/images/{ident}/tasks")["tasks"]) == 1


def test_a_store_gives_an_image_up_but_the_last_one_does_not(cloud):
    ident = made(cloud)

    def remove(store, image=ident):
        status, answer = cloud.send("image", "DELETE", f"/stores/{store}/{image}")
        return status, answer and answer["message"].split("<br />")[0]

    assert remove("fast", "nowhere") == (404, "Failed to find image nowhere")
    assert remove("none")[0] == 409
    problem = "It's not allowed to remove image data from store if image status is not 'active'"
    assert remove("fast") == (409, problem)
    fill(cloud, ident, "file")
    problem = "Cannot delete image data from the only store containing it. Consider deleting the"
    assert remove("fast") == (403, f"{problem} image instead.")
    ask(cloud, ident, "copy-image", stores=["cheap"])
    assert remove("fast") == (204, None)
    assert held(cloud, ident) == "cheap"


def test_only_administrators_copy_remove_and_see_details():
    cloud = Cloud(auth="keystone", image_stores=STORES)
    cloud.log_in("project-member")
    ident = made(cloud)
    fill(cloud, ident, "file")
    assert cloud.get("image", "/info/stores")["stores"]
    refused = "You are not authorized to complete {} action."
    assert ask(cloud, ident, "copy-image", stores=["cheap"]) == (403, refused.format("copy_image"))
    status, answer = cloud.send("image", "GET", "/info/stores/detail")
    assert status == 403
    assert "stores_info_detail" in answer["message"]
    assert cloud.send("image", "DELETE", f"/stores/fast/{ident}")[0] == 403
    cloud.log_in("admin", "admin")
    assert ask(cloud, ident, "copy-image", stores=["cheap"]) == (202, None)
    assert cloud.get("image", "/info/stores/detail")["stores"]
    assert cloud.send("image", "DELETE", f"/stores/fast/{ident}")[0] == 204


def test_one_store_has_no_name():
    cloud = Cloud()
    ident = made(cloud)
    fill(cloud, ident, "file")
    assert held(cloud, ident) is None
    for path in ("/info/stores", "/info/stores/detail"):
        assert cloud.send("image", "GET", path)[0] == 404
    assert cloud.send("image", "DELETE", f"/stores/fast/{ident}")[0] == 404
    problem = "Unknown import method name 'copy-image'."
    assert ask(cloud, ident, "copy-image") == (400, problem)
