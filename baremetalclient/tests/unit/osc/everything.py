"""A server that answers every command, what each command is called with, and what it did."""

from __future__ import annotations

import json
from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from baremetalclient import shell
from baremetalclient.microversion import CLIENT_MAX
from baremetalclient.osc import app
from baremetalclient.tests.unit.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    import argparse


UUID = "11111111-2222-3333-4444-555555555555"
ARGUMENTS = {
    "allocation create": "--resource-class r",
    "allocation set": "a --name n",
    "allocation unset": "a --name",
    "chassis set": "c --description d",
    "chassis unset": "c --description",
    "deploy template create": "CUSTOM_A --steps []",
    "deploy template set": "CUSTOM_A --name CUSTOM_B",
    "deploy template unset": "CUSTOM_A --extra e",
    "inspection rule create": "--actions [] --priority 1",
    "inspection rule set": "r --description d",
    "inspection rule unset": "r --description",
    "node add trait": "n CUSTOM_A",
    "node bios setting show": "n a",
    "node boot device set": "n pxe",
    "node boot mode set": "n uefi",
    "node clean": "n --clean-steps []",
    "node create": "--driver d",
    "node history get": f"n {UUID}",
    "node indicator set": "n led@system on",
    "node indicator show": "n led@system",
    "node remove trait": "n CUSTOM_A",
    "node rescue": "n --rescue-password p",
    "node service": "n --service-steps []",
    "node set": "n --name m",
    "node trait add": "n CUSTOM_A",
    "node trait remove": "n CUSTOM_A",
    "node unset": "n --name",
    "node vmedia attach": "n cdrom http://h/i.iso",
    "port create": f"00:00:00:00:00:01 --node {UUID}",
    "port group create": f"--node {UUID}",
    "port group set": "g --name n",
    "port group unset": "g --name",
    "port set": f"{UUID} --address 00:00:00:00:00:01",
    "port unset": f"{UUID} --extra e",
    "runbook create": "--name r --steps []",
    "runbook set": "r --name s",
    "runbook trait add": "r CUSTOM_A",
    "runbook trait remove": "r CUSTOM_A",
    "runbook unset": "r --extra e",
    "server create": "x --flavor f --image i",
    "server volume set": "x v --new-volume w",
    "volume connector create": f"--node {UUID} --type ip --connector-id c",
    "volume connector set": f"{UUID} --type ip",
    "volume connector unset": f"{UUID} --extra e",
    "volume target create": f"--node {UUID} --type t --volume-id v --boot-index 0",
    "volume target set": f"{UUID} --boot-index 1",
    "volume target unset": f"{UUID} --extra e",
}
"""What commands are given that need more than texts in the places of their arguments."""
ITEM = {
    "id": UUID,
    "uuid": UUID,
    "name": "x",
    "status": "ACTIVE",
    "provision_state": "available",
    "power_state": "power off",
    "driver": "d",
    "node_uuid": UUID,
    "created_at": "2026-01-01T00:00:00+00:00",
    "extra": {"k": "v"},
    "properties": {"k": "v"},
    "traits": ["CUSTOM_A"],
    "hostname": "h",
    "volumeId": "v",
    "volume_id": "v",
    "attachments": [],
    "type": "ip",
    "connector_id": "c",
    "volume_type": "iscsi",
    "boot_index": 0,
    "instance_uuid": None,
    "state": "active",
    "actions": [{"op": "fail", "args": {"msg": "m"}}],
    "steps": [{"interface": "bios", "step": "s", "args": {}, "order": 1}],
    "shard": "s",
    "count": 1,
    "links": [],
}
LISTS = (
    *("allocations", "chassis", "nodes", "conductors", "deploy_templates", "drivers", "bios"),
    *("inspection_rules", "ports", "portgroups", "runbooks", "shards", "connectors", "targets"),
    *("history", "firmware", "indicators", "servers", "volumes", "flavors", "volumeAttachments"),
)
EVERYTHING = {
    **ITEM,
    **{key: [ITEM] for key in LISTS},
    "vifs": [{"id": "v"}],
    "boot_device": "pxe",
    "supported_boot_devices": ["pxe"],
    "children": [UUID],
    "server": ITEM,
    "volume": ITEM,
    "flavor": ITEM,
    "attachment": ITEM,
    "volumeAttachment": ITEM,
    "reservation_id": "r",
    "version": {"min_version": "2.1", "version": "2.105"},
    "x": {"name": "x", "links": []},
    "a": {"name": "a", "links": []},
}
# What cliff adds to commands.
CLIFF = {"output formatters", "table formatter", "json formatter", "CSV Formatter"}
CLIFF |= {"shell formatter", "YAML formatter", "value formatter"}


class Everything(ScriptedServer):
    """Answers every request with all that any command looks for."""

    def reply_to(self, request):
        if request.path.endswith(("/methods", "/validate")):
            whole = {"boot": {"result": False, "reason": "r", "http_methods": ["GET"]}}
            return self.allowed(request, Reply(whole))
        if "vmedia" in request.path:
            return self.allowed(request, Reply([ITEM]))
        if request.path.endswith("vifs") and request.method == "GET":
            return self.allowed(request, Reply({"vifs": EVERYTHING["vifs"]}))
        return self.allowed(request, Reply(EVERYTHING))

    def allowed(self, request, reply):
        """Return a reply, or a refusal of a version that is not offered."""
        refusal = super().reply_to(request)
        return refusal if refusal.status == 406 else reply


def parser_of(name):
    """Return the parser of a command."""
    manager = app.Commands()
    found, _, _ = manager.find_command(name.split())
    command = found(SimpleNamespace(command_manager=manager), None, cmd_name=name)
    parser: argparse.ArgumentParser = command.get_parser(name)
    return parser


def own_actions(parser):
    """Return the arguments and options of a command but for those that cliff adds."""
    groups = [group for group in parser._action_groups if group.title not in CLIFF]
    return [action for group in groups for action in group._group_actions if action.dest != "help"]


def words_of(name):
    """Return the words of a command with what it needs."""
    if name in ARGUMENTS:
        return [*name.split(), *ARGUMENTS[name].split()]
    required = [a for a in parser_of(name)._actions if not a.option_strings and a.nargs != "*"]
    return [*name.split(), *("x" for _ in required)]


def lines(text):
    """Return the lines of a text without what a table only has for its looks."""
    found = (" ".join(line.split()) for line in text.splitlines())
    return [line[:400] for line in found if line.strip("+-")]


def sent(request):
    """Return a request as a line, with its version if it is not the newest one."""
    version = request.headers.get("openstack-api-version", request.version)
    words = (request.method, request.target, version, request.body.decode())
    return " ".join(filter(None, words))


def run_here(words, capsys):
    """Run a command in this process; return its exit code and what it printed."""
    capsys.readouterr()
    try:
        code: Any = shell.main(words)
    except SystemExit as stop:
        code = stop.code
    printed = capsys.readouterr()
    return int(code or 0), printed.out, printed.err


def parts(request):
    """Return the parts of a request: what it asks for, each argument, and each item of the body."""
    line = sent(request).replace(f" {CLIENT_MAX}", "")
    target, _, body = line.partition(" {" if " {" in line else " [")
    body = request.body.decode()
    target = line.removesuffix(body).rstrip()
    path, _, query = target.partition("?")
    found = [path, *(f"?{pair}" for pair in query.split("&") if pair)]
    value = json.loads(body or "{}")
    if isinstance(value, list) and value and "op" in value[0]:
        return found + [operation(item) for item in value]
    return found + [f"{place}={leaf}" for place, leaf in leaves(value)]


def operation(item):
    """Return an operation of a patch in a few words."""
    new = f"={json.dumps(item['value'])}" if "value" in item else ""
    return f"{item['op']} {item['path']}{new}"


def leaves(value, place=""):
    if isinstance(value, dict) and value:
        return [leaf for key in value for leaf in leaves(value[key], f"{place}/{key}")]
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [leaf for at, item in enumerate(value) for leaf in leaves(item, f"{place}/{at}")]
    return [(place, json.dumps(value))] if place else []


def change(base, requests):
    """Return the parts of requests that the first ones did not have, and those they lack."""
    found = Counter(part for each in requests for part in parts(each))
    more, less = found - base, base - found
    return " ".join([*(f"+{part}" for part in more), *(f"-{part}" for part in less)]) or "the same"
