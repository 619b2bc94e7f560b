"""Labs declared in files, on both servers."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from baremetalclient import declare
from baremetalclient.microversion import Version
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS

#: The versions that labs need for kinds of resources.
SINCE = {"runbooks": Version(1, 112), "inspection_rules": Version(1, 96)}


@pytest.fixture
def name(client, newest):
    """The beginning of the names of what a test makes, which is gone after it."""
    prefix = f"test-{uuid4().hex[:8]}"
    yield prefix
    for node in client.node.select(f"name~={prefix}.*"):
        if client.node.get(node.uuid).provision_state == "active":
            client.node.set_provision_state(node.uuid, "deleted")
            client.node.wait_for_provision_state(node.uuid, "available", timeout=60)
        client.node.set_maintenance(node.uuid, True)
        client.node.delete(node.uuid)
    for kind in ("chassis", "deploy_template", "runbook", "inspection_rule"):
        if newest >= SINCE.get(f"{kind}s", newest):
            manager = getattr(client, kind)
            for one in manager.list():
                if (one.to_dict().get("name") or one.description or "").startswith(
                    (prefix, "CUSTOM_TEST_")
                ):
                    manager.delete(one.uuid)


@pytest.fixture
def lab_of(newest):
    """Return a function that makes a lab, of what the Ironic under test knows."""

    def make(name, **fields):
        lab = whole_lab(name, **fields)
        return {kind: items for kind, items in lab.items() if newest >= SINCE.get(kind, newest)}

    return make


def whole_lab(name, **fields):
    step = {"interface": "bios", "step": "factory_reset", "args": {}}
    switch = {"switch_id": "0A:1B:2C:3D:4E:5F", "port_id": "p", "switch_info": "s"}
    custom = f"CUSTOM_{name.upper().replace('-', '_')}"
    action = {"op": "fail", "args": {"msg": "m"}}
    node = {
        "name": f"{name}-{{index}}",
        "count": 2,
        "driver": "fake-hardware",
        "description": "declared",
        "extra": {"rack": 1, "with.dot": [1, {"a": None}]},
        "properties": {"memory_mb": 1024},
        "driver_info": {"ipmi_password": "secret-one", "x": "y"},
        "resource_class": "gold",
        "traits": ["CUSTOM_A", "HW_CPU_X86_VMX"],
        "portgroups": [{"name": f"{name}-{{index}}", "mode": "802.3ad"}],
        "ports": [
            {
                "address": f"52:54:{name[5:7]}:{{index:mac}}",
                "portgroup": f"{name}-{{index}}",
                "pxe_enabled": True,
                "local_link_connection": switch,
            },
            {"address": f"52:55:{name[5:7]}:{{index:mac}}"},
        ],
        "volume_connectors": [{"type": "iqn", "connector_id": f"{name}-{{index}}"}],
        "volume_targets": [
            {
                "volume_type": "iscsi",
                "volume_id": "v",
                "boot_index": 0,
                "properties": {"auth_password": "secret-two", "target_lun": 1},
            }
        ],
        **fields,
    }
    return {
        "chassis": [{"description": name, "extra": {"a": 1}}],
        "nodes": [node],
        "deploy_templates": [{"name": custom, "steps": [{**step, "priority": 1}]}],
        "runbooks": [{"name": custom, "steps": [{**step, "order": 1}], "traits": ["CUSTOM_A"]}],
        "inspection_rules": [{"description": name, "actions": [action], "priority": 1}],
    }


def apply(client, lab):
    """Apply a lab, and check that nothing is left to do."""
    results = declare.plan(client, lab).apply(timeout=120, parallel=2)
    assert [one for one in results if one.result != "done"] == []
    assert declare.plan(client, lab).steps == []


@pytest.mark.parametrize("state", ["enroll", "manageable", "available", "active"])
def test_a_lab_is_as_declared_when_it_was_applied_and_changed(client, name, state, lab_of):
    def states():
        nodes = client.node.select(f"name~={name}.*", fields=("provision_state", "maintenance"))
        return [(node.provision_state, node.maintenance) for node in nodes]

    apply(client, lab_of(name, provision_state=state))
    assert states() == [(state, False)] * 2
    changed = lab_of(name, extra={"rack": None, "with.dot": 2}, traits=["CUSTOM_B"], owner="me")
    node = changed["nodes"][0]
    node["portgroups"][0]["mode"] = "active-backup"
    node["ports"][0] |= {"pxe_enabled": False, "portgroup": None, "extra": {"a": 1}}
    if state not in ("enroll", "active"):
        node["resource_class"] = "silver"
        node["volume_targets"][0]["volume_id"] = "w"
    apply(client, changed)
    assert states() == [(state, False)] * 2


@BOTH_PROGRAMS
def test_the_commands(cli, name, lab_of, tmp_path):
    path = tmp_path / "lab.json"
    path.write_text(json.dumps(lab_of(name, provision_state="available")))
    done = cli.run("diff", str(path), "-f", "json")
    assert done.code == 2, done
    assert {change["action"] for change in done.json["changes"]} == {"create"}
    assert "secret-" not in done.out
    applied = cli("apply", str(path), "--wait", "120", "-f", "json", "--parallel", "2")
    assert {change["result"] for change in applied.json["changes"]} == {"done"}
    assert cli("diff", str(path), "-f", "json").json == {"changes": []}
