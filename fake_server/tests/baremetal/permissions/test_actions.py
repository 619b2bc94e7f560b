"""What each role may do with nodes and what belongs to them, as Ironic 39 answered."""

from __future__ import annotations

import pytest

_ADMINS = {"system-admin"}
_MEMBERS = {"system-admin", "system-member"}
_READERS = {*_MEMBERS, "system-reader"}
_DEMO = {"project-admin", "project-member", "project-reader"}
_DEMO_MEMBERS = {"project-admin", "project-member"}
_ACCOUNTS = [*sorted(_READERS | _DEMO), "admin", "nova", "other-member"]
_STEPS = [{"interface": "bios", "step": "x", "args": {}, "order": 1}]

#: Requests about a node, with who may send them if the project owns it, and if it leases it.
_OF_NODES = [
    ("GET", "", None, _READERS | _DEMO, _READERS | _DEMO),
    ("GET", "/states", None, _READERS | _DEMO, _READERS | _DEMO),
    ("GET", "/traits", None, _READERS | _DEMO, _READERS | _DEMO),
    ("GET", "/vifs", None, _READERS | _DEMO, _READERS | _DEMO),
    ("GET", "/history", None, _READERS | _DEMO, _READERS),
    ("GET", "/management/boot_device", None, _MEMBERS | {"project-admin"}, _MEMBERS),
    ("GET", "/vendor_passthru/methods", None, _ADMINS, _ADMINS),
    ("PUT", "/traits", {"traits": []}, _MEMBERS | {"project-admin"}, _MEMBERS),
    ("PUT", "/maintenance", {}, _MEMBERS | _DEMO_MEMBERS, _MEMBERS | {"project-admin"}),
    ("PUT", "/states/power", {"target": "bogus"}, _MEMBERS | _DEMO_MEMBERS, None),
    (
        "PUT",
        "/states/provision",
        {"target": "bogus"},
        _MEMBERS | _DEMO_MEMBERS,
        _MEMBERS | {"project-admin"},
    ),
    ("PUT", "/states/raid", {}, _MEMBERS | _DEMO_MEMBERS, _MEMBERS),
]
_PATCHES = [
    ("/extra/a", 1, _MEMBERS | _DEMO_MEMBERS, None),
    ("/instance_info/a", 1, _MEMBERS | _DEMO_MEMBERS, _MEMBERS | {"project-admin"}),
    ("/properties/a", 1, _MEMBERS | _DEMO_MEMBERS, _MEMBERS),
    ("/driver_info/a", 1, _MEMBERS | _DEMO_MEMBERS, _MEMBERS),
    ("/bios_interface", "fake", _MEMBERS | {"project-admin"}, _MEMBERS),
    ("/automated_clean", False, _ADMINS, _ADMINS),
    ("/automated_clean", True, _MEMBERS | _DEMO_MEMBERS, None),
    ("/description", "d", _MEMBERS | _DEMO_MEMBERS, None),
    ("/conductor_group", "g", _MEMBERS, _MEMBERS),
    ("/shard", "s", _ADMINS, _ADMINS),
]


def outcome(answer):
    """Return whether a request was let through, refused, or its node hidden."""
    if answer.status_code == 403:
        assert "Access was denied to the following resource: baremetal:" in answer.text
        return "refused"
    if answer.status_code == 404 and "could not be found" in answer.text:
        return "hidden"
    return "done"


def expected(account, allowed):
    if account in allowed:
        return "done"
    return "refused" if account in _READERS | _DEMO else "hidden"


@pytest.mark.parametrize("account", _ACCOUNTS)
def test_nodes(call, account):
    for method, path, body, owning, leasing in _OF_NODES:
        for node, allowed in (("owned", owning), ("leased", leasing or owning)):
            answer = call(account, method, f"/v1/nodes/{node}{path}", json=body)
            assert outcome(answer) == expected(account, allowed), (method, path, node)


@pytest.mark.parametrize("account", _ACCOUNTS)
def test_patches(call, account):
    for path, value, owning, leasing in _PATCHES:
        for node, allowed in (("owned", owning), ("leased", leasing or owning)):
            patch = [{"op": "add", "path": path, "value": value}]
            answer = call(account, "PATCH", f"/v1/nodes/{node}", json=patch)
            assert outcome(answer) == expected(account, allowed), (path, node)


def test_a_patch_needs_the_rights_for_all_that_it_changes(call):
    patch = [
        {"op": "add", "path": "/extra/a", "value": 1},
        {"op": "add", "path": "/shard", "value": "s"},
    ]
    answer = call("project-admin", "PATCH", "/v1/nodes/owned", json=patch)
    assert "resource: baremetal:node:update:shard" in answer.text


def test_lessees_do_not_see_what_is_inside(call):
    shown = call("project-member", "GET", "/v1/nodes/leased").json()
    for name in ("last_error", "reservation"):
        assert f"baremetal:node:get:{name} permission" in shown[name]
    for name in ("driver_info", "driver_internal_info"):
        assert f"baremetal:node:get:{name} permission" in shown[name]["content"]
    assert call("project-reader", "GET", "/v1/nodes/owned").json()["last_error"] is None


@pytest.mark.parametrize(
    ("resource", "body", "creators", "changers"),
    [
        (
            "ports",
            {"address": "52:54:00:00:00:01"},
            _ADMINS | {"project-admin"},
            _MEMBERS | {"project-admin"},
        ),
        ("portgroups", {}, _ADMINS | {"project-admin"}, _MEMBERS | {"project-admin"}),
        (
            "volume/connectors",
            {"type": "iqn", "connector_id": "iqn.1"},
            _MEMBERS | {"project-admin"},
            _MEMBERS | _DEMO_MEMBERS,
        ),
    ],
)
def test_what_belongs_to_nodes(call, resource, body, creators, changers):
    node = call("system-admin", "GET", "/v1/nodes/owned").json()["uuid"]
    power = {"target": "power off"}
    call("system-admin", "PUT", "/v1/nodes/owned/states/power", json=power)
    for account in _ACCOUNTS:
        answer = call(account, "POST", f"/v1/{resource}", json={**body, "node_uuid": node})
        assert (answer.status_code == 201) is (account in creators), (account, answer.text)
        if account in creators:
            path = f"/v1/{resource}/{answer.json()['uuid']}"
            assert call(account, "DELETE", path).status_code == 204
        else:
            assert answer.status_code == 403
    made = call("system-admin", "POST", f"/v1/{resource}", json={**body, "node_uuid": node})
    uuid = made.json()["uuid"]
    for account in _ACCOUNTS:
        patch = [{"op": "add", "path": "/extra/a", "value": 1}]
        answer = call(account, "PATCH", f"/v1/{resource}/{uuid}", json=patch)
        assert outcome(answer) == expected(account, changers), account
        listed = call(account, "GET", f"/v1/{resource}").json()[resource.split("/")[-1]]
        seen = [uuid] if account in _READERS | _DEMO else []
        assert [item["uuid"] for item in listed] == seen, account


def test_properties_of_targets_are_for_admins(call):
    node = call("system-admin", "GET", "/v1/nodes/owned").json()["uuid"]
    power = {"target": "power off"}
    call("system-admin", "PUT", "/v1/nodes/owned/states/power", json=power)
    target = {
        "node_uuid": node,
        "volume_type": "iscsi",
        "volume_id": "v",
        "boot_index": 0,
        "properties": {"target_iqn": "iqn.1"},
    }
    call("system-admin", "POST", "/v1/volume/targets", json=target)
    for account in _READERS | _DEMO:
        (shown,) = call(account, "GET", "/v1/volume/targets?detail=true").json()["targets"]
        whole = account in _READERS | {"project-admin"}
        assert (shown["properties"] == {"target_iqn": "iqn.1"}) is whole, account


@pytest.mark.parametrize(
    "path",
    [
        "/v1/chassis",
        "/v1/drivers",
        "/v1/conductors",
        "/v1/shards",
        "/v1/volume",
        "/v1/deploy_templates",
        "/v1/inspection_rules",
    ],
)
def test_the_system_is_for_those_of_the_system(call, path):
    for account in _ACCOUNTS:
        status = 200 if account in _READERS else 403
        assert call(account, "GET", path).status_code == status, account


def test_allocations_belong_to_projects(call):
    demo, other = call.project("project-member"), call.project("other-member")
    created = {}
    for account in _ACCOUNTS:
        body = {"resource_class": "gold", "name": account}
        answer = call(account, "POST", "/v1/allocations", json=body)
        may = account in {*_MEMBERS, *_DEMO_MEMBERS, "admin", "other-member"}
        assert (answer.status_code == 201) is may, (account, answer.text)
        if may:
            created[account] = answer.json()["owner"]
    assert created["project-member"] == demo
    assert created["other-member"] == other
    assert created["system-member"] is None
    body = {"resource_class": "gold", "owner": other}
    answer = call("project-member", "POST", "/v1/allocations", json=body)
    assert "Policy baremetal:allocation:create_restricted" in answer.text
    assert call("project-reader", "GET", "/v1/allocations/other-member").status_code == 404
    listed = call("project-reader", "GET", "/v1/allocations").json()["allocations"]
    assert {item["name"] for item in listed} == _DEMO_MEMBERS
    assert call("project-reader", "DELETE", "/v1/allocations/project-member").status_code == 403
    for account in created:
        assert call("system-admin", "DELETE", f"/v1/allocations/{account}").status_code == 204


def test_runbooks_are_shown_to_their_project_or_all(call):
    demo = call.project("project-member")
    for name, more in {"demo": {"owner": demo}, "none": {}, "public": {"public": True}}.items():
        body = {"name": name, "steps": _STEPS, **more}
        assert call("system-admin", "POST", "/v1/runbooks", json=body).status_code == 201
    listed = call("project-reader", "GET", "/v1/runbooks").json()["runbooks"]
    assert [item["name"] for item in listed] == ["demo", "public"]
    assert call("project-reader", "GET", "/v1/runbooks/none").status_code == 403
    patch = [{"op": "add", "path": "/extra/a", "value": 1}]
    for account, status in {"project-admin": 200, "project-member": 403, "nova": 200}.items():
        assert call(account, "PATCH", "/v1/runbooks/demo", json=patch).status_code == status
    for name in ("demo", "none", "public"):
        call("system-admin", "DELETE", f"/v1/runbooks/{name}")
