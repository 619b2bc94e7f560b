"""Who sees and removes whose nodes, as Ironic 39 answered on the same Keystone."""

from __future__ import annotations

import pytest

_ALL = {"owned", "leased", "others", "nobodys"}
_SEEN = {
    "system-admin": _ALL,
    "system-member": _ALL,
    "system-reader": _ALL,
    "admin": set(),
    "nova": set(),
    "other-member": {"others"},
    "project-admin": {"owned", "leased"},
    "project-member": {"owned", "leased"},
    "project-reader": {"owned", "leased"},
}
_REMOVED = {"system-admin": _ALL, "project-admin": {"owned"}}


@pytest.mark.parametrize("account", _SEEN)
@pytest.mark.parametrize("path", ["/v1/nodes", "/v1/nodes/detail"])
def test_lists_what_the_caller_may_see(call, account, path):
    answer = call(account, "GET", path).json()
    assert {node["name"] for node in answer["nodes"]} == _SEEN[account]


@pytest.mark.parametrize("account", _SEEN)
@pytest.mark.parametrize("name", sorted(_ALL))
def test_hides_and_keeps_nodes(call, account, name):
    seen = name in _SEEN[account]
    shown = call(account, "GET", f"/v1/nodes/{name}")
    assert shown.status_code == (200 if seen else 404)
    removed = call(account, "DELETE", f"/v1/nodes/{name}")
    if name in _REMOVED.get(account, ()):
        assert removed.status_code == 204
    elif seen:
        assert removed.status_code == 403
        assert "resource: baremetal:node:delete:self_owned_node" in removed.text
    else:
        assert removed.status_code == 404
        assert f"Node {name} could not be found." in removed.text


@pytest.mark.parametrize("account", ["admin", "nova", "project-reader"])
def test_refuses_the_list_of_another_project(call, account):
    path = f"/v1/nodes?project={call.project('other-member')}"
    answer = call(account, "GET", path)
    assert answer.status_code == 403
    assert "resource: baremetal:node:list_all" in answer.text


@pytest.mark.parametrize(
    ("account", "status", "owned"),
    [
        ("system-admin", 201, False),
        ("system-member", 403, None),
        ("system-reader", 403, None),
        ("admin", 201, True),
        ("project-admin", 201, True),
        ("project-member", 403, None),
        ("project-reader", 403, None),
        ("other-member", 403, None),
        ("nova", 201, True),
    ],
)
def test_creates_nodes_of_the_callers_project(call, account, status, owned):
    answer = call(account, "POST", "/v1/nodes", json={"driver": "fake-hardware", "name": "new"})
    assert answer.status_code == status
    if status == 403:
        assert "resource: baremetal:node:create" in answer.text
        return
    project = call.project(account)
    assert answer.json()["owner"] == (project if owned else None)
    if owned:
        node = {"driver": "fake-hardware", "owner": call.project("other-member")}
        refused = call(account, "POST", "/v1/nodes", json=node)
        assert refused.status_code == 400
        assert "with an owner other than your own project" in refused.text
    assert call("system-admin", "DELETE", "/v1/nodes/new").status_code == 204


def test_what_is_below_a_hidden_node_is_hidden(call):
    for path in ("states", "traits", "vifs", "validate?node=others", "volume/targets"):
        answer = call("project-member", "GET", f"/v1/nodes/others/{path}")
        assert answer.status_code in (400, 404), path
    body = {"target": "manage"}
    answer = call("project-admin", "PUT", "/v1/nodes/others/states/provision", json=body)
    assert answer.status_code == 404
