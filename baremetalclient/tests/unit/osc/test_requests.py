"""A command costs one request, where the server knows the newest version of the client."""

from __future__ import annotations

import re

import pytest

from baremetalclient.osc.command_table import COMMANDS
from baremetalclient.tests.unit.scripted import Reply, offering

UUID = "11111111-2222-3333-4444-555555555555"
EVERYTHING = Reply(
    {
        "uuid": UUID,
        "name": "n",
        "hostname": "h",
        "extra": {},
        "properties": {},
        "traits": ["CUSTOM_A"],
        "children": [UUID],
        "boot_device": "pxe",
        "supported_boot_devices": ["pxe"],
        "a": {"name": "a"},
        **{
            key: []
            for key in (
                *("allocations", "chassis", "nodes", "conductors", "deploy_templates", "drivers"),
                *("inspection_rules", "ports", "portgroups", "runbooks", "shards", "connectors"),
                *("targets", "bios", "history", "firmware", "vifs", "indicators"),
            )
        },
    }
)

ARGUMENTS = {
    "allocation create": "--resource-class r",
    "allocation set": "a --name n",
    "allocation unset": "a --name",
    "allocation wait": "a --for name=n",
    "chassis set": "c --description d",
    "chassis unset": "c --description",
    "conductor show": "h",
    "deploy template create": "CUSTOM_A --steps []",
    "deploy template set": "CUSTOM_A --name CUSTOM_B",
    "deploy template unset": "CUSTOM_A --extra e",
    "driver passthru call": "d m",
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
    "node inject nmi": "n",
    "node passthru call": "n m",
    "node remove trait": "n CUSTOM_A",
    "node rescue": "n --rescue-password p",
    "node service": "n --service-steps []",
    "node set": "n --name m",
    "node trait add": "n CUSTOM_A",
    "node trait remove": "n CUSTOM_A",
    "node unset": "n --name",
    "node vif attach": "n v",
    "node vif detach": "n v",
    "node wait": "n --for name=n",
    "node vmedia attach": "n cdrom http://h/i.iso",
    "port create": f"00:00:00:00:00:01 --node {UUID}",
    "port group create": f"--node {UUID}",
    "port group set": "g --name n",
    "port group unset": "g --name",
    "port set": f"{UUID} --address 00:00:00:00:00:01",
    "port unset": f"{UUID} --extra e",
    "port wait": f"{UUID} --for name=n",
    "runbook create": "--name r --steps []",
    "runbook set": "r --name s",
    "runbook trait add": "r CUSTOM_A",
    "runbook trait remove": "r CUSTOM_A",
    "runbook unset": "r --extra e",
    "volume connector create": f"--node {UUID} --type ip --connector-id c",
    "volume connector set": f"{UUID} --type ip",
    "volume connector unset": f"{UUID} --extra e",
    "volume target create": f"--node {UUID} --type t --volume-id v --boot-index 0",
    "volume target set": f"{UUID} --boot-index 1",
    "volume target unset": f"{UUID} --extra e",
}
"""What commands are given that need more than one argument."""

ELSEWHERE = re.compile(
    r"(server|volume attach|volume detach|create$|apply|diff|export|node explain|node watch)"
)
"""Commands that ask other services, read files, or ask several times."""
WITHOUT = re.compile(r"( list|chassis create|version show)$")
NEVERTHELESS = {
    *("driver passthru list", "driver property list", "driver raid property list"),
    *("node bios setting list", "node children list", "node firmware list", "node history list"),
    *("node indicator list", "node passthru list", "node trait list", "node vif list"),
    *("node vmedia list", "runbook trait list"),
}
"""Lists that are about one resource."""
OBJECTS_OF_OBJECTS = ("driver passthru list", "node passthru list", "node validate")
NAMES = [name for name in COMMANDS if not ELSEWHERE.match(name)]


def words(name):
    if name in ARGUMENTS:
        return [*name.split(), *ARGUMENTS[name].split()]
    if WITHOUT.search(name) and name not in NEVERTHELESS:
        return name.split()
    return [*name.split(), "x"]


def response(name):
    if name == "node vmedia list":
        return (Reply([]),)
    return (Reply() if name in OBJECTS_OF_OBJECTS else EVERYTHING,)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_is_one_request(run, tmp_path, name):
    more = ["--file", str(tmp_path / "inventory")] if name == "node inventory save" else []
    done = run(*words(name), *more, script=response(name))
    assert (done.code, len(done.all_requests)) == (0, 1), done.err


@pytest.mark.parametrize("name", NAMES)
def test_an_older_server_costs_a_command_one_request_more(run, name, tmp_path):
    more = ["--file", str(tmp_path / "inventory")] if name == "node inventory save" else []
    done = run(*words(name), *more, script=response(name), versions=offering("1.114"))
    expected = [None] if name == "version show" else ["1.115", "1.114"]
    assert done.code == 0, done.err
    assert [request.version for request in done.all_requests] == expected
    assert {request.target for request in done.all_requests} == {done.all_requests[0].target}
