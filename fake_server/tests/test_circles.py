"""What was stored in a circle, before that was refused, can be read and mended."""

from __future__ import annotations

import json

import pytest

from fake_server.app import Application
from fake_server.identity import tables as identity
from fake_server.placement import tables as placement
from fake_server.settings import Settings
from fake_server.tests import databases
from fake_server.tests.wsgi import request

VERSION = {"HTTP_OPENSTACK_API_VERSION": "placement 1.37"}


class Cloud:
    """A server, asked as its administrator."""

    def __init__(self):
        self.app = Application(Settings(auth="keystone"), db=databases.new())
        user = {"name": "admin", "password": "secret", "domain": {"id": "default"}}
        proof = {"methods": ["password"], "password": {"user": user}}
        project = {"name": "admin", "domain": {"id": "default"}}
        body = {"auth": {"identity": proof, "scope": {"project": project}}}
        found = self.app.answer(request("POST", "/identity/v3/auth/tokens", body))
        self.token = dict(found.headers)["X-Subject-Token"]

    def ask(self, method, path, body=None, **environ):
        found = self.app.answer(
            request(method, path, body, HTTP_X_AUTH_TOKEN=self.token, **environ)
        )
        return found.status, json.loads(found.body) if found.body else None

    def make(self, kind, **values):
        status, found = self.ask("POST", f"/identity/v3/{kind}s", {kind: values})
        assert status == 201, found
        return found[kind]["id"]

    def store(self, table, ident, **values):
        with self.app.store.transaction() as tx:
            assert tx.update(table, [table.c.id == ident], values)


@pytest.fixture(scope="module")
def cloud():
    return Cloud()


@pytest.mark.parametrize("length", [1, 2, 3])
def test_projects(cloud, length):
    idents = [cloud.make("project", name=f"circle {length} {n}") for n in range(length)]
    for ident, parent in zip(idents, [*idents[1:], idents[0]], strict=True):
        cloud.store(identity.projects, ident, parent_id=parent)
    user = cloud.make("user", name=f"circle {length}", password="pw")
    roles = cloud.ask("GET", "/identity/v3/roles?name=reader")[1]["roles"]
    path = f"projects/{idents[0]}/users/{user}/roles/{roles[0]['id']}/inherited_to_projects"
    assert cloud.ask("PUT", f"/identity/v3/OS-INHERIT/{path}")[0] == 204
    assert cloud.ask("GET", "/identity/v3/projects")[0] == 200
    assert cloud.ask("GET", "/identity/v3/role_assignments?effective")[0] == 200
    assert cloud.ask("GET", f"/identity/v3/users/{user}/projects")[0] == 200
    for ident in idents:
        found = cloud.ask("GET", f"/identity/v3/projects/{ident}?parents_as_ids&subtree_as_ids")
        assert found[0] == 200
    for ident in idents:
        assert cloud.ask("DELETE", f"/identity/v3/projects/{ident}")[0] == 204


@pytest.mark.parametrize("length", [1, 2, 3])
def test_regions(cloud, length):
    idents = [cloud.make("region", id=f"circle-{length}-{n}") for n in range(length)]
    for ident, parent in zip(idents, [*idents[1:], idents[0]], strict=True):
        cloud.store(identity.regions, ident, parent_region_id=parent)
    assert cloud.ask("GET", "/identity/v3/regions")[0] == 200
    below = {"region": {"parent_region_id": idents[0]}}
    assert cloud.ask("POST", "/identity/v3/regions", below)[0] == 201
    mended = {"region": {"parent_region_id": None}}
    assert cloud.ask("PATCH", f"/identity/v3/regions/{idents[-1]}", mended)[0] == 200
    assert cloud.ask("DELETE", f"/identity/v3/regions/{idents[-1]}")[0] == 204


@pytest.mark.parametrize("length", [1, 2, 3])
def test_providers(cloud, length):
    idents = [
        cloud.ask("POST", "/placement/resource_providers", {"name": f"{length} {n}"}, **VERSION)[1][
            "uuid"
        ]
        for n in range(length)
    ]
    table = placement.providers
    inventory = {"inventories": {"VCPU": {"total": 1}}, "resource_provider_generation": 0}
    for ident, parent in zip(idents, [*idents[1:], idents[0]], strict=True):
        path = f"/placement/resource_providers/{ident}/inventories"
        assert cloud.ask("PUT", path, inventory, **VERSION)[0] == 200
        with cloud.app.store.transaction() as tx:
            values = {"parent_uuid": parent, "root_uuid": idents[0]}
            tx.update(table, [table.c.uuid == ident], values)
    assert cloud.ask("GET", "/placement/resource_providers", **VERSION)[0] == 200
    query = "resources_A=VCPU:1&resources_B=VCPU:1&group_policy=none&same_subtree=_A,_B"
    found = cloud.ask("GET", f"/placement/allocation_candidates?{query}", **VERSION)
    assert found[0] == 200
    new = {"name": f"outside {length}"}
    outside = cloud.ask("POST", "/placement/resource_providers", new, **VERSION)[1]["uuid"]
    for parent in (outside, None):
        for ident in idents:
            mended = {"name": f"mended {ident}", "parent_provider_uuid": parent}
            path = f"/placement/resource_providers/{ident}"
            assert cloud.ask("PUT", path, mended, **VERSION)[0] == 200
            root = cloud.ask("GET", path, **VERSION)[1]["root_provider_uuid"]
            assert root == (parent or ident)


@pytest.mark.parametrize("action", ["power on", "power off"])
def test_nodes(action):
    app = Application(Settings(), db=databases.new())
    version = {"HTTP_X_OPENSTACK_IRONIC_API_VERSION": "1.99"}

    def ask(method, path, body=None):
        found = app.answer(request(method, f"/v1/nodes{path}", body, **version))
        assert found.status < 300, found.body
        return json.loads(found.body) if found.body else None

    one, two = (ask("POST", "", {"driver": "fake-hardware"})["uuid"] for _ in range(2))
    for node, parent in ((one, two), (two, one)):
        ask("PATCH", f"/{node}", [{"op": "add", "path": "/parent_node", "value": parent}])
        ask("PUT", f"/{node}/states/provision", {"target": "manage"})
    ask("PUT", f"/{one}/states/power", {"target": action})
    # What Ironic 39 says of both.
    relation = {"power on": "parent_node", "power off": "child_node"}[action]
    reason = (
        f"Failed to change power state to '{action}' by '{action}': Node {two} {relation} {one} is "
        "presently locked and we are unable to perform any action on it at this time. Please retry "
        "after the current operation is completed."
    )
    assert [ask("GET", f"/{node}")["last_error"] for node in (one, two)] == [reason] * 2
    ask("PUT", f"/{one}/states/power", {"target": "rebooting"})
    assert ask("GET", f"/{one}")["power_state"] == "power on"
    ask("PATCH", f"/{one}", [{"op": "remove", "path": "/parent_node"}])
    ask("PUT", f"/{two}/states/power", {"target": "power on"})
    assert ask("GET", f"/{two}")["power_state"] == "power on"
    ask("DELETE", f"/{one}")
