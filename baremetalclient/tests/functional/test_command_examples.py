"""The example that the help of each command shows does what it says, in the lab that it needs."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
from typing import Any

import pytest

from baremetalclient.osc.command_table import COMMANDS, MODULE_PREFIX
from baremetalclient.tests.unit.osc.everything import run_here
from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.cloud_config import environment
from fake_server.server import FakeServer
from fake_server.settings import Settings

pytestmark = pytest.mark.usefixtures("own_server")

ARCHIVE = "3d2c9a4e-1b7f-4c58-9e60-7a8b9c0d1e2f"
CHASSIS = "4cb3a5b8-7e4f-4a6e-9c86-5f7d0a2e8d10"
REPORT = {
    "verb": "node manage",
    "started": "2026-11-22T10:00:00+00:00",
    "seconds": 1.0,
    "counts": {"done": 0, "failed": 1, "timeout": 0, "skipped": 0},
    "nodes": [{"name": "node-1", "uuid": None, "result": "failed", "state": None}],
}
FILES = {
    "actions.json": '[{"op": "set-attribute", "args": {"path": "extra.rack", "value": "1"}}]',
    "clean.json": '[{"interface": "bios", "step": "factory_reset"}]',
    "lab.yaml": "nodes: [{name: node-9, driver: fake-hardware}]",
    "manage.json": json.dumps(REPORT),
    "password.txt": "secret",
    "rack1/nodes.yaml": "nodes: [{name: node-1, driver: fake-hardware, description: Rack 1}]",
    "raid.json": '[{"interface": "deploy", "step": "x", "args": {}, "priority": 9}]',
    "steps.json": '[{"interface": "bios", "step": "factory_reset", "args": {}, "order": 1}]',
}
NODE: dict[str, Any] = {
    "driver": "fake-hardware",
    "resource_class": "gold",
    "conductor_group": "rack1",
    "provision_state": "available",
    "traits": ["CUSTOM_GPU", "CUSTOM_RACK1", "CUSTOM_WEB"],
    "storage_interface": "cinder",
    "properties": {"capabilities": "iscsi_boot:True"},
    "volume_connectors": [{"type": "iqn", "connector_id": "iqn.2026-11.com.example:node-2"}],
}
CONNECTOR = NODE["volume_connectors"][0] | {"connector_id": "iqn.2026-11.com.example:node-1"}
NODE_1 = {
    **NODE,
    "name": "node-1",
    "uuid": "1be26c0b-03f2-4d2e-ae87-c02d7f33c121",
    "description": "Web",
    "extra": {"team": "shop"},
    "chassis_uuid": CHASSIS,
    "bios": [{"name": "ProcTurboMode", "value": "Enabled"}],
    "history": [{"uuid": "8d3f6b8a-6f0d-4a57-9f43-0f9c1e2b7d64", "event": "Out of range"}],
    "inventory": {"inventory": {"cpu": {"count": 8}}, "plugin_data": {}},
    "portgroups": [{"name": "bond-0", "address": "52:54:00:00:01:00"}],
}
PORT = {"address": "52:54:00:00:00:01", "name": "eth0"}
TARGET = {"volume_type": "iscsi", "volume_id": ARCHIVE, "boot_index": 2}
NODE_1 |= {
    "ports": [{"uuid": "9e2f1c9e-3a50-4f2c-8f0b-1c5b6a8f1d33", **PORT}],
    "volume_connectors": [
        {"uuid": "6a1d2c7e-94f1-4b0d-8f0a-3b8d5e2c9f41", "extra": {"team": "shop"}, **CONNECTOR}
    ],
    "volume_targets": [
        {"uuid": "c3a8e5d1-7b62-4d0f-9a1e-6f5b4c3d2e10", "properties": {"target_lun": 1}, **TARGET}
    ],
}
RULE = {"description": "Rack", "actions": [{"op": "fail", "args": {"msg": "No"}}]}
FLAVOR = {"name": "gold", "ram": 1, "vcpus": 1, "disk": 1}
ATTACHMENT = {"id": "1a5f0d0e-6bd6-4f35-8c7e-ba30e5a8a9b1", "attach_mode": "rw"}
ATTACHMENTS = [{**ATTACHMENT, "instance_uuid": NODE_1["uuid"]}]
LAB = {
    "chassis": [{"uuid": CHASSIS, "description": "Rack 1"}],
    "inspection_rules": [{"uuid": "2b6d3c9e-52a5-4a43-a1d9-7c0d8e6f1a25", **RULE}],
    "flavors": [{**FLAVOR, "extra_specs": {"resources:CUSTOM_GOLD": "1"}}],
    "volumes": [
        {"id": ARCHIVE, "name": "archive", "size": 1, "status": "in-use"}
        | {"attachments": ATTACHMENTS},
        {"name": "root", "size": 1, "bootable": True, "multiattach": True},
        {"name": "data", "size": 1, "multiattach": True},
    ],
}
ACCESS = {"address": "https://192.0.2.1", "username": "admin", "password": "secret"}
REDFISH = {
    "driver": "redfish",
    "driver_info": {f"redfish_{name}": value for name, value in ACCESS.items()},
}
#: What node-1 is besides available, for the commands that need it.
NEEDED: dict[str, dict[str, Any]] = {
    **dict.fromkeys(
        (
            *("node inject nmi", "node passthru call"),
            *(f"node indicator {verb}" for verb in ("list", "set", "show")),
            *(f"node vmedia {verb}" for verb in ("attach", "detach", "list")),
        ),
        REDFISH,
    ),
    "chassis delete": {"chassis_uuid": None},
    "node adopt": {"provision_state": "manageable"},
    "node abort": {"provision_state": "clean wait"},
    "node clean": {"provision_state": "manageable"},
    "node inspect": {"provision_state": "manageable"},
    "node manage": {"provision_state": "enroll", "resource_class": "silver"},
    "node rebuild": {
        "provision_state": "active",
        "instance_info": {"image_source": "http://192.0.2.1/image"},
    },
    "node rescue": {"provision_state": "active", "rescue_interface": "fake"},
    "node service": {"provision_state": "active"},
    "node undeploy": {"provision_state": "active"},
    "node unhold": {"provision_state": "clean hold"},
    "node wait": {"provision_state": "active", "power_state": "power on"},
    "node unrescue": {"provision_state": "rescue", "rescue_interface": "fake"},
}
#: The commands whose examples run first.
BEFORE = {
    **{
        f"{kind} {verb}": [f"{kind} create"]
        for kind in ("allocation", "deploy template", "runbook")
        for verb in ("delete", "set", "show", "unset", "wait")
    },
    **{f"server {verb}": ["server create"] for verb in ("delete", "show", "wait")},
    **{f"server volume {verb}": ["server create"] for verb in ("attach", "list")},
    **{
        f"server volume {verb}": ["server create", "server volume attach"]
        for verb in ("detach", "set")
    },
    "diff": ["create"],
    "node service": ["runbook create", "runbook trait add"],
    "runbook trait add": ["runbook create"],
    "runbook trait list": ["runbook create"],
    "runbook trait remove": ["runbook create", "runbook trait add"],
    "volume detach": ["volume attach"],
}
EXAMPLES = [
    (words, example)
    for words, path in COMMANDS.items()
    for module, name in [path.split(":")]
    for example in getattr(importlib.import_module(MODULE_PREFIX + module), name).examples
]


def test_each_command_has_an_example():
    assert {words for words, _ in EXAMPLES} == set(COMMANDS)


@pytest.fixture(scope="module")
def server():
    conductors = ConductorHost("conductor-1", "rack1"), ConductorHost("conductor-2")
    with FakeServer(Settings(conductors=conductors)) as running:
        yield running


@pytest.fixture
def run(server, monkeypatch, tmp_path, capsys):
    """Run an example in a directory with files, beside the lab."""
    for name in list(os.environ):
        if name.startswith("OS_"):
            monkeypatch.delenv(name)
    for name, value in environment(server.url, server.app.settings, tmp_path).items():
        monkeypatch.setenv(name, value)
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)

    def run(example):
        # What is waited for is there at once, and watching ends when the time is over.
        program, *arguments = shlex.split(re.sub(r"--timeout \w+", "--timeout 2", example))
        assert program == "baremetal"
        code, _, err = run_here(arguments, capsys)
        return code, err

    return run


@pytest.mark.rows
@pytest.mark.parametrize(("words", "example"), EXAMPLES)
def test_it_works(server, run, words, example):
    server.reset()
    needed = NEEDED.get(words, {})
    server.seed({**LAB, "nodes": [NODE_1 | needed, NODE | {"name": "node-2"} | needed]})
    for before in BEFORE.get(words, ()):
        for command in (command for name, command in EXAMPLES if name == before):
            assert run(command)[0] == 0, command
    code, err = run(example)
    # No driver of Ironic's own has such methods.
    assert code == 0 or (words == "driver passthru call" and "No handler for method" in err), err
