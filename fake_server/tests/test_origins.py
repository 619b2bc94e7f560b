"""Pages of other sites change nothing: in what they send, browsers name the origin of the page."""

from __future__ import annotations

import json

import pytest

from fake_server.app import Application
from fake_server.settings import Settings
from fake_server.tests.wsgi import request

FORM = {"CONTENT_TYPE": "text/plain"}
NODE = json.dumps({"driver": "fake-hardware"}).encode()
FOREIGN = ("http://evil.example", "http://fake:1", "https://fake.evil.example", "null")
#: A path of each service that takes a POST.
PATHS = (
    *("/v1/nodes", "/baremetal/v1/nodes", "/identity/v3/users", "/networking/v2.0/networks"),
    *("/compute/v2.1/servers", "/image/v2/images", "/volume/v3/volumes", "/placement/traits/T"),
    "/object-store/v1/AUTH_x",
)


def create(app, path="/v1/nodes", **headers):
    return app.answer(request("POST", path, NODE, **FORM, **headers))


def nodes_of(app):
    shown = app.answer(request("GET", "/v1/nodes", HTTP_ORIGIN="http://evil.example"))
    assert shown.status == 200
    return [node["uuid"] for node in json.loads(shown.body)["nodes"]]


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_changes_nothing(origin):
    app = Application()
    refused = create(app, HTTP_ORIGIN=origin)
    assert refused.status == 403
    assert f"--allowed-origins {origin}" in refused.body.decode()
    assert nodes_of(app) == []


@pytest.mark.parametrize("path", PATHS)
def test_no_service_takes_it(path):
    app = Application(Settings(auth="keystone"))
    assert create(app, path, HTTP_ORIGIN="http://evil.example").status == 403
    assert create(app, path).status != 403


@pytest.mark.parametrize("origin", ["http://fake", "https://fake", None])
def test_others_are_served(origin):
    app = Application()
    headers = {} if origin is None else {"HTTP_ORIGIN": origin}
    assert create(app, **headers).status == 201
    assert len(nodes_of(app)) == 1


@pytest.mark.parametrize("allowed", ["http://app.example", "*"])
def test_a_server_can_be_started_for_a_page(allowed):
    app = Application(Settings(allowed_origins=(allowed,)))
    assert create(app, HTTP_ORIGIN="http://app.example").status == 201
    others = create(app, HTTP_ORIGIN="http://evil.example")
    assert others.status == (201 if allowed == "*" else 403)


def test_what_is_kept_is_no_page_of_the_server():
    app = Application()
    account = "/object-store/v1/AUTH_x"
    for path, body in ((f"{account}/c", b""), (f"{account}/c/o", b"<script>")):
        put = request("PUT", path, body, CONTENT_TYPE="text/html")
        assert app.answer(put).status == 201
    policies = {}
    for kind in ("document", "iframe", "empty", None):
        headers = {} if kind is None else {"HTTP_SEC_FETCH_DEST": kind}
        shown = app.answer(request("GET", f"{account}/c/o", **headers))
        assert shown.body == b"<script>"
        policies[kind] = dict(shown.headers).get("Content-Security-Policy")
    assert policies == {"document": "sandbox", "iframe": "sandbox", "empty": None, None: None}
    asked = {"HTTP_HOST": "localhost", "HTTP_SEC_FETCH_DEST": "document"}
    page = app.answer(request("GET", "/_fake/", **asked))
    assert "sandbox" not in dict(page.headers).get("Content-Security-Policy", "")
