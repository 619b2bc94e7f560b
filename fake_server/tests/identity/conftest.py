"""A server with a Keystone, and sessions for its accounts."""

from __future__ import annotations

import pytest
from keystoneauth1 import session as sessions
from keystoneauth1.identity import v3

from fake_server.clock import Clock
from fake_server.server import FakeServer
from fake_server.settings import Settings


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def server(clock):
    with FakeServer(Settings(auth="keystone"), clock=clock) as server:
        yield server


@pytest.fixture
def log_in(server):
    """Make sessions; the scope is the account's project unless another one is given."""

    def make(username="admin", password="secret", **scope):
        if not scope and username.startswith("system-"):
            scope = {"system_scope": "all"}
        elif not scope:
            scope = {"project_name": {"admin": "admin", "nova": "service"}.get(username, "demo")}
        if "project_name" in scope:
            scope["project_domain_id"] = "default"
        auth = v3.Password(
            f"{server.url}/identity/v3",
            username=username,
            password=password,
            user_domain_name="Default",
            **scope,
        )
        return sessions.Session(auth=auth)

    return make
