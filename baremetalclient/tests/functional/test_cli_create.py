"""``baremetal create FILE`` with the lab of another Ironic."""

from __future__ import annotations

from uuid import uuid4

import pytest
import requests
import yaml

from baremetalclient import exc
from fake_server.clients.capture import Source, capture
from fake_server.server import FakeServer

MARK = uuid4().hex[:10]
NAME, TEMPLATE = f"lab-{MARK}", f"CUSTOM_{MARK.upper()}"
KINDS = ("chassis", "deploy_template", "runbook", "inspection_rule")
RACK = str(uuid4())
DRIVER = {"driver": "fake-hardware"}
STEP = {"interface": "bios", "step": "apply_configuration", "args": {"settings": []}}
RULE = {"op": "set-attribute", "args": {"path": "/extra/lab", "value": MARK}}
LAB = {
    "chassis": [{"uuid": RACK, "description": NAME}],
    "nodes": [
        {"name": f"{NAME}-child", "parent_node": NAME, "chassis_uuid": RACK, **DRIVER},
        {
            "name": NAME,
            **DRIVER,
            "provision_state": "active",
            "maintenance": True,
            "traits": ["CUSTOM_A", "HW_CPU_X86_VMX"],
            "properties": {"cpus": 4},
            "instance_info": {"image_source": "http://images/one"},
            "history": [{"event": "hello"}],
            "portgroups": [{"name": f"{NAME}-bond", "mode": "802.3ad"}],
            "ports": [
                {"address": f"52:{MARK[:2]}:{MARK[2:4]}:{MARK[4:6]}:{MARK[6:8]}:{number:02x}"}
                | ({"portgroup": f"{NAME}-bond"} if number else {})
                for number in range(2)
            ],
            "volume_connectors": [{"type": "iqn", "connector_id": f"iqn.{MARK}"}],
            "volume_targets": [{"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}],
        },
    ],
    "deploy_templates": [{"name": TEMPLATE, "steps": [{**STEP, "priority": 5}]}],
    "runbooks": [{"name": NAME, "steps": [{**STEP, "order": 1}], "traits": ["CUSTOM_A"]}],
    "inspection_rules": [{"description": NAME, "actions": [RULE]}],
    "allocations": [{"name": NAME, "node": NAME}],
    "networks": [{"name": "tenant"}],
}


@pytest.fixture
def removed(client, request):
    """Remove what the test makes."""
    if request.config.getoption("--dialect") == "spec":
        pytest.skip("The lab is one of Ironic, whose nodes have fields that the documents lack.")
    yield
    for node in (f"{NAME}-child", NAME):
        try:
            client.node.set_maintenance(node, True)
            client.node.delete(node)
        except exc.NotFound:
            continue
    for kind in KINDS:
        manager = getattr(client, kind)
        for one in manager.list(limit=0):
            if is_ours(one.to_dict()):
                manager.delete(one.uuid)


def is_ours(fields):
    return bool({fields.get("name"), fields.get("description")} & {NAME, TEMPLATE})


def lab_of(url):
    """Return what was captured, without what else may be there and what can't be created."""
    seed = capture(Source(url, requests.Session())).seed
    nodes = [one for one in seed["nodes"] if one.get("name", "").startswith(NAME)]
    for node in nodes:
        for name in ("power_state", "provision_state", "instance_uuid", "history"):
            node.pop(name, None)
        # What an allocation adds.
        node.get("instance_info", {}).pop("traits", None)
    others = {
        kind: [one for one in seed[kind] if is_ours(one)]
        for kind in ("chassis", *(f"{kind}s" for kind in KINDS[1:]))
    }
    return {**others, "nodes": sorted(nodes, key=lambda node: node["name"])}


@pytest.mark.since(115)
@pytest.mark.usefixtures("removed")
def test_a_captured_lab_can_be_created(cli, server_url, tmp_path):
    with FakeServer(seed=LAB) as other:
        seed = capture(Source(other.url, requests.Session())).seed
        wanted = lab_of(other.url)
    path = tmp_path / "lab.yaml"
    path.write_text(yaml.safe_dump(seed))
    done = cli("create", str(path))
    assert "Left out, because Ironic does not accept it: " in done.err
    for name in ("provision_state of nodes", "allocations that are no longer open"):
        assert name in done.err
    assert lab_of(server_url) == wanted
