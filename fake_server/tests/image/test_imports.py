"""Images that are filled from elsewhere on this machine, as openstacksdk and others ask for it."""

from __future__ import annotations

import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import openstack
import pytest

from fake_server.image import downloads
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.compute.conftest import Cloud

FORMATS = {"disk_format": "raw", "container_format": "bare"}


@contextmanager
def web(answer):
    """Serve on the loopback interface what a function does; yield the URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            answer(self)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def sends(data, length=None):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data) if length is None else length))
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def imported(cloud, url):
    """Import an image; return it and its task as they are afterwards."""
    ident = cloud.send("image", "POST", "/images", {"name": "i", **FORMATS})[1]["id"]
    body = {"method": {"name": "web-download", "uri": url}}
    status, found = cloud.send("image", "POST", f"/images/{ident}/import", body)
    assert status == 202, found
    image = cloud.get("image", f"/images/{ident}")
    (task,) = cloud.get("image", f"/images/{ident}/tasks")["tasks"]
    return image, task


def test_an_image_is_filled_with_what_a_url_leads_to():
    with web(sends(b"hello")) as url:
        image, task = imported(Cloud(), f"{url}/i.raw")
    # As Glance 33 answered with enabled_import_methods = [glance-direct,web-download].
    assert image["status"] == "active"
    assert (image["size"], image["virtual_size"]) == (5, 5)
    assert image["checksum"] == "5d41402abc4b2a76b9719d911017c592"
    assert image["os_glance_importing_to_stores"] == image["os_glance_failed_import"] == ""
    assert "os_glance_import_task" not in image
    assert (task["status"], task["message"]) == ("success", "Copied 0 MiB")
    assert task["type"] == "api_image_import"
    assert task["result"] == {"image_id": image["id"]}
    assert task["input"] == {
        "image_id": image["id"],
        "import_req": {"method": {"name": "web-download", "uri": f"{url}/i.raw"}},
        "backend": [None],
    }


def not_found(handler):
    handler.send_error(404)


def elsewhere(handler):
    handler.send_response(302)
    handler.send_header("Location", "http://192.0.2.1/i")
    handler.end_headers()


def nothing(handler):
    handler.connection.close()


@pytest.mark.parametrize(
    "answer", [not_found, elsewhere, nothing, sends(b"hel", 5), sends(b"x" * 200)]
)
def test_an_image_stays_queued_where_a_download_fails(answer, monkeypatch):
    monkeypatch.setattr(downloads, "LARGEST", 100)
    cloud = Cloud()
    with web(answer) as url:
        image, task = imported(cloud, url)
    assert (image["status"], image["size"]) == ("queued", None)
    assert (task["status"], task["result"]) == ("failure", None)
    assert task["message"] == "Task failed due to Internal Error"
    with web(sends(b"hello")) as url:
        body = {"method": {"name": "web-download", "uri": url}}
        path = f"/images/{image['id']}"
        assert cloud.send("image", "POST", f"{path}/import", body)[0] == 202
        assert cloud.get("image", path)["status"] == "active"
        assert len(cloud.get("image", f"{path}/tasks")["tasks"]) == 2


@pytest.fixture
def glance():
    """The proxy of openstacksdk for the Image API of a server that listens."""
    with FakeServer(Settings(auth="keystone")) as server:
        yield openstack.connect(
            auth_url=f"{server.url}/identity/v3",
            username="project-member",
            password="secret",
            project_name="demo",
            user_domain_id="default",
            project_domain_id="default",
        ).image


def made(glance):
    ident = glance.post("/images", json={"name": "i", **FORMATS}).json()["id"]
    return glance.get_image(ident)


def ended(glance, image):
    """Return an image when nothing fills it any more."""
    for _ in range(100):
        found = glance.get_image(image)
        if found.status != "importing":
            return found
        time.sleep(0.05)
    raise AssertionError("the import does not end")


def test_openstacksdk_imports_an_image(glance):
    image = made(glance)
    assert "web-download" in glance.get_import_info().import_methods["value"]
    with web(sends(b"hello")) as url:
        glance.import_image(image, method="web-download", uri=url)
        found = ended(glance, image)
    assert (found.status, found.size) == ("active", 5)
    assert [task.status for task in glance.image_tasks(image)] == ["success"]
    assert glance.download_image(image).content == b"hello"


def test_what_is_downloaded_can_ask_this_server(glance):
    first, second = made(glance), made(glance)
    seen = []

    def answer(handler):
        seen.append(glance.get_image(second).status)
        sends(b"hello")(handler)

    with web(answer) as url:
        glance.import_image(second, method="web-download", uri=url)
        assert ended(glance, second).status == "active"
    assert seen == ["importing"]
    assert glance.get_image(first).status == "queued"


def test_an_image_that_is_removed_during_its_download_is_gone(glance):
    image = made(glance)

    def answer(handler):
        glance.delete_image(image)
        sends(b"hello")(handler)

    with web(answer) as url:
        glance.import_image(image, method="web-download", uri=url)
        with pytest.raises(openstack.exceptions.NotFoundException):
            ended(glance, image)
    assert list(glance.images()) == []
