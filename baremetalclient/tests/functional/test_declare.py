"""Labs declared in files, on both servers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from baremetalclient import declare
from baremetalclient.microversion import Version
from baremetalclient.tests.functional.cli import BOTH_PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from baremetalclient.tests.functional.cli import Cli
    from baremetalclient.v1.client import Client

    LabOf = Callable[..., dict[str, Any]]

STATES = ("enroll", "manageable", "available", "active")


#: The versions that labs need for kinds of resources.
SINCE = {"runbooks": Version(1, 112), "inspection_rules": Version(1, 96)}


@pytest.fixture
def name(client: Client, newest: Version) -> Iterator[str]:
    """The beginning of the names of what a test makes, which is gone after it."""
    prefix = f"test-{uuid4().hex[:8]}"
    yield prefix
    for node in client.node.select(f"name~={prefix}.*"):
        found = client.node.get(node.uuid)
        if found.provision_state == "active":
            client.node.update(node.uuid, [{"op": "add", "path": "/protected", "value": False}])
            client.node.set_provision_state(node.uuid, "deleted")
            client.node.wait_for_provision_state(
                node.uuid, "available", timeout=60, poll_interval=0.1
            )
        client.node.set_maintenance(node.uuid, True)
        client.node.delete(node.uuid)
    for chassis in client.chassis.list():
        if (chassis.description or "").startswith(prefix):
            client.chassis.delete(chassis.uuid)
    for template in client.deploy_template.list():
        if template.name.startswith("CUSTOM_TEST_"):
            client.deploy_template.delete(template.uuid)
    if newest >= SINCE["runbooks"]:
        for runbook in client.runbook.list():
            if runbook.name.startswith("CUSTOM_TEST_"):
                client.runbook.delete(runbook.uuid)
    if newest >= SINCE["inspection_rules"]:
        for rule in client.inspection_rule.list():
            if (rule.description or "").startswith(prefix):
                client.inspection_rule.delete(rule.uuid)


@pytest.fixture
def lab_of(newest: Version) -> LabOf:
    """Return a function that makes a lab, of what the Ironic under test knows."""

    def make(name: str, **fields: Any) -> dict[str, Any]:
        lab = whole_lab(name, **fields)
        return {kind: items for kind, items in lab.items() if newest >= SINCE.get(kind, newest)}

    return make


def whole_lab(name: str, **fields: Any) -> dict[str, Any]:
    step = {"interface": "bios", "step": "factory_reset", "args": {}}
    node = {
        "name": f"{name}-{{index}}",
        "count": 2,
        "driver": "fake-hardware",
        "conductor_group": None,
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
                "local_link_connection": {
                    "switch_id": "0A:1B:2C:3D:4E:5F",
                    "port_id": "p",
                    "switch_info": "s",
                },
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
        "deploy_templates": [
            {"name": f"CUSTOM_{name.upper().replace('-', '_')}", "steps": [{**step, "priority": 1}]}
        ],
        "runbooks": [
            {
                "name": f"CUSTOM_{name.upper().replace('-', '_')}",
                "steps": [{**step, "order": 1}],
                "traits": ["CUSTOM_A"],
            }
        ],
        "inspection_rules": [
            {"description": name, "actions": [{"op": "fail", "args": {"msg": "m"}}], "priority": 1}
        ],
    }


def apply(client: Client, lab: dict[str, Any]) -> None:
    """Apply a lab, and check that nothing is left to do."""
    results = declare.plan(client, lab).apply(timeout=120, parallel=2)
    assert [one for one in results if one.result != "done"] == []
    assert declare.plan(client, lab).steps == []


@pytest.mark.parametrize("state", STATES)
def test_a_lab_is_as_declared_when_it_was_applied(
    client: Client, name: str, state: str, lab_of: LabOf
) -> None:
    apply(client, lab_of(name, provision_state=state))
    nodes = client.node.select(f"name~={name}.*", fields=("provision_state",))
    assert [node.provision_state for node in nodes] == [state] * 2


@pytest.mark.parametrize("state", STATES[1:])
def test_changes_get_around_what_the_state_refuses(
    client: Client, name: str, state: str, lab_of: LabOf
) -> None:
    apply(client, lab_of(name, provision_state=state))
    changed = lab_of(name, extra={"rack": None, "with.dot": 2}, traits=["CUSTOM_B"], owner="me")
    changed["nodes"][0]["portgroups"][0]["mode"] = "active-backup"
    port = changed["nodes"][0]["ports"][0]
    port |= {"pxe_enabled": False, "portgroup": None, "extra": {"a": 1}}
    if state != "active":
        changed["nodes"][0]["resource_class"] = "silver"
        changed["nodes"][0]["volume_targets"][0]["volume_id"] = "w"
    apply(client, changed)
    for node in client.node.select(f"name~={name}.*", fields=("provision_state", "maintenance")):
        assert (node.provision_state, node.maintenance) == (state, False)


@pytest.mark.parametrize("after", STATES[1:])
@pytest.mark.parametrize("before", STATES[1:])
def test_provision_states(client: Client, name: str, before: str, after: str) -> None:
    lab = {"nodes": [{"name": name, "driver": "fake-hardware", "provision_state": before}]}
    apply(client, lab)
    lab["nodes"][0] |= {"provision_state": after, "instance_info": {"a": 1}, "extra": {"b": 1}}
    apply(client, lab)


def test_pruning(client: Client, name: str, lab_of: LabOf) -> None:
    lab = lab_of(name)
    apply(client, lab)
    # The documents let connectors be deleted only while the power is off.
    nodes = client.node.select(f"name~={name}.*")
    assert all(one.error is None for one in client.node.act_on(nodes, "power off", wait=True))
    lab["nodes"][0]["count"] = 1
    lab["nodes"][0]["ports"] = lab["nodes"][0]["ports"][:1]
    lab["nodes"][0]["volume_connectors"] = []
    plan = declare.plan(client, lab, prune=f"name~={name}.*")
    assert [(step.kind, step.action) for step in plan.steps] == [
        ("port", "remove"),
        ("volume connector", "remove"),
        ("node", "remove"),
    ]
    assert {one.result for one in plan.apply()} == {"done"}
    assert declare.plan(client, lab, prune=f"name~={name}.*").steps == []


@BOTH_PROGRAMS
def test_the_commands(cli: Cli, name: str, lab_of: LabOf, tmp_path: Any, program: str) -> None:
    path = tmp_path / "lab.json"
    path.write_text(json.dumps(lab_of(name, provision_state="available")))
    done = cli.run("diff", str(path), "-f", "json")
    assert done.code == 2, done
    assert {change["action"] for change in done.json["changes"]} == {"create"}
    assert "secret-" not in done.out
    applied = cli("apply", str(path), "--wait", "120", "-f", "json", "--parallel", "2")
    assert {change["result"] for change in applied.json["changes"]} == {"done"}
    assert cli("diff", str(path), "-f", "json").json == {"changes": []}
