"""What each role may do with nodes and what belongs to them, as Ironic 39 answered."""

from __future__ import annotations

import pytest

_MEMBERS = {"system-admin", "system-member"}
_READERS = {*_MEMBERS, "system-reader"}
_DEMO = {"project-admin", "project-member", "project-reader"}
_DEMO_MEMBERS = {"project-admin", "project-member"}
_ACCOUNTS = [*sorted(_READERS | _DEMO), "admin", "nova", "other-member"]
_STEPS = [{"interface": "bios", "step": "x", "args": {}, "order": 1}]


@pytest.mark.parametrize("account", ["system-admin", "system-member", "project-admin"])
@pytest.mark.parametrize("clean", [True, False])
def test_only_admins_of_the_system_turn_cleaning_off(call, account, clean):
    patch = [{"op": "add", "path": "/automated_clean", "value": clean}]
    answer = call(account, "PATCH", "/v1/nodes/owned", json=patch)
    if clean or account == "system-admin":
        assert answer.status_code == 200
    else:
        assert answer.status_code == 403
        assert "Access was denied to the following resource: baremetal:" in answer.text


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


def test_the_system_is_for_those_of_the_system(call):
    system = ("chassis", "drivers", "conductors", "shards", "volume", "deploy_templates")
    for kind in (*system, "inspection_rules"):
        for account in _ACCOUNTS:
            status = 200 if account in _READERS else 403
            assert call(account, "GET", f"/v1/{kind}").status_code == status, (kind, account)


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
