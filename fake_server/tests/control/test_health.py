"""Whether the server is well: Ironic's ``/healthcheck``, and ``/_fake/health``."""

from __future__ import annotations

import pytest
import requests

from fake_server.server import FakeServer
from fake_server.settings import Settings

TEXT = ("text/plain; charset=UTF-8", "0")
HTML = ("text/html; charset=UTF-8", "211")
JSON = ("application/json", "44")


@pytest.fixture(scope="module")
def url():
    with FakeServer(Settings(healthcheck=True, auth="keystone")) as server:
        yield server.url


def test_what_a_real_ironic_answers(url):
    for accept, expected in {
        **dict.fromkeys((None, "*/*", "text/plain", "text/*", "application/xml"), TEXT),
        **dict.fromkeys(("bogus", "image/png", "application/json;q=0.3,text/plain"), TEXT),
        **dict.fromkeys(("text/html", "text/html,application/json;q=0.5"), HTML),
        "application/json": JSON,
    }.items():
        answer = requests.get(f"{url}/healthcheck", headers={"Accept": accept}, timeout=9)
        assert answer.status_code == 200
        headers = answer.headers
        assert (headers["Content-Type"], headers["Content-Length"]) == expected, accept
        assert headers["openstack-request-id"] == headers["x-openstack-request-id"]


def test_methods_and_paths(url):
    for methods, path, status in (
        ("HEAD", "/healthcheck", 204),
        ("POST PUT PATCH DELETE OPTIONS", "/healthcheck", 200),
        ("GET", "/healthcheck/", 200),
        ("GET", "/healthcheck/x", 200),
        ("GET", "/healthchecks", 401),
        ("GET", "/v1/healthcheck", 401),
    ):
        for method in methods.split():
            answer = requests.request(method, url + path, timeout=9)
            assert answer.status_code == status, (method, path)


@pytest.mark.parametrize("token", [None, "secret"])
def test_the_health_of_the_fake_needs_no_token(token):
    with FakeServer(Settings(control_token=token, auth="http_basic")) as server:
        answer = requests.get(
            f"{server.url}/_fake/health", headers={"Host": "fake.example.com"}, timeout=9
        )
        assert answer.status_code == 200
        assert answer.json() == {"ready": True, "database": "reachable"}
        assert requests.head(f"{server.url}/_fake/health", timeout=9).status_code == 200
        assert requests.post(f"{server.url}/_fake/health", timeout=9).status_code in (403, 415)


def test_a_database_that_can_not_be_reached(tmp_path):
    path = tmp_path / "ironic.db"
    with FakeServer(db=f"sqlite:///{path}") as server:
        server.app.store.engine.dispose()
        for file in tmp_path.iterdir():
            file.write_bytes(b"no database" * 1000)
        answer = requests.get(f"{server.url}/_fake/health", timeout=9)
    assert answer.status_code == 503
    assert answer.json() == {
        "ready": False,
        "database": "unreachable",
        "error": "The database can't be reached.",
    }
