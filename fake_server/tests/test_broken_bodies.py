"""Every address of every service refuses a body that is no JSON, in its own words."""

from __future__ import annotations

import json

import pytest

from fake_server.control import services
from fake_server.networking.kinds import KINDS
from fake_server.tests.filled_cloud import Filled
from fake_server.tests.test_hostile_requests import ROUTES
from fake_server.tests.wsgi import request

WRITING = ("POST", "PUT", "PATCH")
#: What the paths of each service begin with.
PREFIXES = {
    "volume": "/volume/v3",
    "compute": "/compute/v2.1",
    "identity": "/identity",
    "image": "/image",
    "networking": "/networking",
    "object-store": "/object-store",
    "placement": "/placement",
}
#: The member of an answer in which each service says what is wrong with a request.
SAID = {
    **dict.fromkeys(("volume", "compute"), "badRequest"),
    **{"identity": "error", "image": "code", "networking": "NeutronError", "placement": "errors"},
    "baremetal": "error_message",
}
#: What Ironic says before it looks at the address.
EARLY = "Request body JSON is nested too deeply"
HEADERS = {
    "HTTP_OPENSTACK_API_VERSION": "compute 2.105, volume 3.71, placement 1.39",
    "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.115",
}
BROKEN = (b"[", b"{", b'{"a":', b"\xff", b"nul", b"[" * 5000, b'{"a":' * 500)
#: What refuses with 400, at the least, of what reads a body: the others aren't there, are gone, or
#: have no body.
ALSO = (201, 202, 204, 401, 403, 404, 405, 406, 409, 410, 411, 412, 415)


@pytest.fixture(scope="module")
def filled():
    filled = Filled("keystone")
    filled.log_in("admin", "admin")
    filled.cloud.app.control.snapshots.take("filled")
    return filled


def send(filled, method, path, data=None):
    headers = {**HEADERS, "HTTP_X_AUTH_TOKEN": filled.cloud.token}
    if data is not None:
        patch = "application/openstack-images-v2.1-json-patch"
        is_patch = method == "PATCH" and path.startswith("/image/")
        headers["CONTENT_TYPE"] = patch if is_patch else "application/json"
    return filled.cloud.app.answer(request(method, path, data, **headers))


def filled_in(filled, prefix, address):
    """Return a path in which the first item of its collection stands for each placeholder."""
    path = prefix
    for segment in address.strip("/").split("/"):
        path += f"/{first(filled, path) if segment.startswith('{') else segment}"
    return path


def first(filled, path):
    try:
        answer = json.loads(send(filled, "GET", path).body)
    except ValueError:
        return "x"
    lists = [one for one in answer.values() if isinstance(one, list) and one]
    item = lists[0][0] if lists else "x"
    if not isinstance(item, dict):
        return item
    item = item.get("keypair", item)
    return next((item[name] for name in ("id", "uuid", "name", "namespace") if item.get(name)), "x")


def asked(filled, service):
    """Yield method and path of all requests to a service that may have a body."""
    if service == "baremetal":
        for method, route in ROUTES:
            if method in WRITING:
                yield method, filled_in(filled, "", route)
        return
    for address, methods in services.addresses(service).items():
        kinds = [kind.replace("_", "-") for kind in KINDS] if "{kind}" in address else [""]
        for path in [address.replace("{kind}", kind) for kind in kinds]:
            for method in sorted(methods.intersection(WRITING)):
                yield method, filled_in(filled, PREFIXES[service], path)


@pytest.mark.parametrize("service", SAID)
def test_a_body_that_is_no_json_is_refused(filled, caplog, service):
    refused, problems, number = 0, [], 0
    for method, path in list(asked(filled, service)):
        filled.restore()
        for body in BROKEN:
            answer = send(filled, method, path, body)
            number += 1
            told = json.loads(answer.body or b"{}")
            early = service == "baremetal" and EARLY in told.get("faultstring", "")
            as_said = answer.status == 400 and (SAID[service] in told or early)
            refused += as_said
            if not (as_said or answer.status in ALSO) or caplog.records:
                problems.append(f"{answer.status} {method} {path} {body[:10]}: {answer.body[:99]}")
                caplog.clear()
    assert problems == [], "\n".join(problems)
    assert refused > number / 3


def test_an_object_may_have_any_content(filled):
    token = send(filled, "GET", "/identity/v3/auth/projects")
    account = f"/object-store/v1/AUTH_{json.loads(token.body)['projects'][0]['id']}"
    for body in BROKEN:
        for path in (f"{account}/c", f"{account}/c/o"):
            assert send(filled, "PUT", path, body).status in (201, 202)
        assert send(filled, "GET", f"{account}/c/o").body == body
