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


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        (None, TEXT),
        ("*/*", TEXT),
        ("text/plain", TEXT),
        ("text/*", TEXT),
        ("application/xml", TEXT),
        ("bogus", TEXT),
        ("image/png", TEXT),
        ("application/json;q=0.3,text/plain", TEXT),
        ("text/html", HTML),
        ("text/html,application/json;q=0.5", HTML),
        ("application/json", JSON),
    ],
)
def test_what_a_real_ironic_answers(url, accept, expected):
    answer = requests.get(f"{url}/healthcheck", headers={"Accept": accept}, timeout=9)
    assert answer.status_code == 200
    assert (answer.headers["Content-Type"], answer.headers["Content-Length"]) == expected
    assert answer.headers["openstack-request-id"] == answer.headers["x-openstack-request-id"]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/healthcheck", 204),
        *(
            (method, "/healthcheck", 200)
            for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS")
        ),
        ("GET", "/healthcheck/", 200),
        ("GET", "/healthcheck/x", 200),
        ("GET", "/healthchecks", 401),
        ("GET", "/v1/healthcheck", 401),
    ],
)
def test_methods_and_paths(url, method, path, status):
    assert requests.request(method, url + path, timeout=9).status_code == status


@pytest.mark.parametrize("token", [None, "secret"])
def test_the_health_of_the_fake_needs_no_token(token):
    with FakeServer(Settings(control_token=token, auth="http_basic")) as server:
        answer = requests.get(
            f"{server.url}/_fake/health", headers={"Host": "fake.example.com"}, timeout=9
        )
        assert (answer.status_code, answer.json()) == (
            200,
            {"ready": True, "database": "reachable"},
        )
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
