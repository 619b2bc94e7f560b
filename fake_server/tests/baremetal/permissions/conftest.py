"""A cloud with nodes of several projects, and the accounts that have roles there."""

from __future__ import annotations

import pytest
import requests
from keystoneauth1 import session as sessions
from keystoneauth1.identity import v3

from fake_server.adapter import InProcessAdapter
from fake_server.app import Application
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.baremetal.api import LATEST

_PROJECTS = {"admin": "admin", "nova": "service", "other-member": "other"}
_NODES = ("owned", "leased", "others", "nobodys")


_URL = "http://fake"


@pytest.fixture(scope="module")
def call():
    """Send a request as an account: return its status and answer."""
    app = Application(Settings(auth="keystone"), db=databases.new())
    client = requests.Session()
    client.mount(_URL, InProcessAdapter(app))
    tokens = {}

    def send(account, method, path, **options):
        if account not in tokens:
            scope = (
                {"system_scope": "all"}
                if account.startswith("system-")
                else {
                    "project_name": _PROJECTS.get(account, "demo"),
                    "project_domain_id": "default",
                }
            )
            auth = v3.Password(
                f"{_URL}/identity/v3",
                username=account.replace("system-admin", "admin"),
                password="secret",
                user_domain_name="Default",
                **scope,
            )
            tokens[account] = auth.get_access(sessions.Session(session=client))
        headers = {
            "X-Auth-Token": tokens[account].auth_token,
            "X-OpenStack-Ironic-API-Version": LATEST,
        }
        return client.request(method, _URL + path, headers=headers, **options)

    send.project = lambda account: (send(account, "GET", "/v1"), tokens[account].project_id)[1]
    yield send
    app.close()


@pytest.fixture(autouse=True)
def nodes(call):
    for name, whose in {
        "owned": {"owner": call.project("project-admin")},
        "leased": {"lessee": call.project("project-admin")},
        "others": {"owner": call.project("other-member")},
        "nobodys": {},
    }.items():
        node = {"driver": "fake-hardware", "name": name}
        assert call("system-admin", "POST", "/v1/nodes", json=node).status_code == 201
        patch = [{"op": "add", "path": f"/{key}", "value": to} for key, to in whose.items()]
        if patch:
            path = f"/v1/nodes/{name}"
            assert call("system-admin", "PATCH", path, json=patch).status_code == 200
    yield
    for name in _NODES:
        call("system-admin", "DELETE", f"/v1/nodes/{name}")
