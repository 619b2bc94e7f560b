"""What all services share: how routes are found, and what is no request to any of them."""

from __future__ import annotations

import pytest

from fake_server.app import Application
from fake_server.common.rest import Match, Routes
from fake_server.settings import Settings
from fake_server.tests.wsgi import request

PATHS = (
    *("/v1/nodes", "/networking/v2.0/networks", "/volume/v3/volumes", "/compute/v2.1/servers"),
    *("/placement/resource_providers", "/image/v2/images", "/identity/v3/auth/tokens"),
)
#: None is a JSON object in UTF-8.
BODIES = (
    *(b"{", b"[1]", b"5", b'"x"', b"\xff", b'{"a": NaN}', b'{"a": "\\ud800"}', b"{} {}"),
    *(b'{"a": -1e999}', b"[" * 100_000, b'{"a":' * 100_000, b"9" * 5000),
)


def routes():
    found = Routes()
    for address in ("/volumes/{volume_id}", "/volumes/detail"):
        found.add("GET", address)(lambda **_: None)
    return found


def test_an_address_without_placeholders_comes_first():
    assert routes().find("GET", "/volumes/detail/").arguments == {}


def test_a_placeholder_is_an_identifier_like_others():
    found = routes().find("GET", "/volumes/{volume_id}")
    assert isinstance(found, Match)
    assert found.arguments == {"volume_id": "{volume_id}"}


@pytest.mark.parametrize("path", PATHS)
def test_what_can_not_be_read_is_refused(path):
    app = Application(Settings(auth="keystone" if "identity" in path else "none"))
    versions = {"HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.99"}
    answers = {body[:20]: app.answer(request("POST", path, body, **versions)) for body in BODIES}
    versions = {"HTTP_OPENSTACK_API_VERSION": "compute \xff, placement \xff, volume \xff"}
    for more in ({"HTTP_ACCEPT": "\xff"}, {"HTTP_ACCEPT": "a/b;q=x"}, versions):
        assert app.answer(request("GET", path, None, **more)).status < 500, more
    assert app.answer(request("GET", f"{path}/\xed\xa0\x80", None)).status in (400, 404)
    app.close()
    assert {body: answer.status for body, answer in answers.items()} == dict.fromkeys(answers, 400)
