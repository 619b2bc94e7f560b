"""Names and passwords with each request, as Ironic wants them with ``auth_strategy=http_basic``."""

from __future__ import annotations

import base64

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.fixture(scope="module")
def url():
    with FakeServer(Settings(auth="http_basic")) as server:
        yield server.url


def test_a_name_and_its_password(url):
    answer = requests.get(f"{url}/v1/nodes", auth=("admin", "secret"), timeout=5)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("header", "status", "message"),
    [
        (None, 401, "Authorization required"),
        ("Basic", 400, "Could not parse Authorization header"),
        ("Bearer x", 400, 'Unsupported authorization type "Bearer"'),
        ("Basic %%", 400, "Could not decode authorization token"),
        (f"Basic {base64.b64encode(b'admin').decode()}", 400, "Could not decode"),
        (f"Basic {base64.b64encode(b'admin:x').decode()}", 401, "Incorrect username or password"),
        (f"Basic {base64.b64encode(b'who:secret').decode()}", 401, "Incorrect username"),
    ],
)
def test_anything_else(url, header, status, message):
    headers = {} if header is None else {"Authorization": header}
    answer = requests.get(f"{url}/v1/nodes", headers=headers, timeout=5)
    assert answer.status_code == status
    assert answer.json()["error"]["code"] == status
    assert message in answer.json()["error"]["message"]
    asked = 'Basic realm="Baremetal API"' if status == 401 else None
    assert answer.headers.get("WWW-Authenticate") == asked


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/", "/baremetal/v1"])
def test_versions_are_for_everyone(url, path):
    assert requests.get(f"{url}{path}", timeout=5).status_code == 200
