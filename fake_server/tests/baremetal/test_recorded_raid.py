"""Which volumes a Redfish controller makes of its drives, and what the arguments of steps do.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.hardware_nodes import clean, drives, managed, raid, target

RECORD = Path(__file__).with_name("raid.json.gz")
LEVELS = ("0", "1", "5", "6", "1+0", "5+0", "6+0", "JBOD")
SOME = [f"d{number}" for number in range(1, 5)]
DISKS = {
    "one": [{"size_gb": 60}],
    "a large one": [{"size_gb": 250}],
    "all of some": [{"size_gb": "MAX", "controller": "1", "physical_disks": SOME}],
    "two": [{"size_gb": 60, "is_root_volume": True}, {"size_gb": 30}],
    "shared": [
        {"size_gb": 60, "share_physical_disks": True},
        {"size_gb": 30, "share_physical_disks": True, "volume_name": "second"},
    ],
    "of four": [{"size_gb": 60, "number_of_physical_disks": 4}],
}


@pytest.mark.parametrize("level", LEVELS)
def test_volumes_are_as_recorded(request, level):
    api = managed()
    found = {}
    for number in (1, 2, 3, 4, 6, 8):
        drives(api, number)
        for name, disks in DISKS.items():
            wanted = [{**disk, "raid_level": level} for disk in disks]
            answer = api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": wanted})
            if answer[0] != 204:
                found[name] = answer
                continue
            node = clean(api, raid("delete_configuration"), raid("create_configuration"))
            if node["provision_state"] == "clean failed":
                problem = node["last_error"].replace(node["uuid"], "UUID")
                found[f"{name}, {number} drives"] = problem.partition("}: ")[2]
                api("DELETE", "/v1/nodes/n/maintenance")
                api.provision("manage")
            else:
                volumes = api("GET", "/_fake/machines/n")[1]["volumes"]
                found[f"{name}, {number} drives"] = [node["raid_config"]["logical_disks"], volumes]
    recorded.check(request, RECORD, level, found)


ARGUMENTS = ("create_root_volume", "create_nonroot_volumes", "delete_existing")
ROOT = {"size_gb": 60, "raid_level": "1", "is_root_volume": True}
SECOND = {"size_gb": 30, "raid_level": "0", "volume_name": "second"}
TARGETS = {"both": (ROOT, SECOND), "root": (ROOT,), "second": (SECOND,)}


@pytest.mark.parametrize("disks", TARGETS)
def test_arguments_do_as_recorded(request, disks):
    api = managed()
    drives(api, 4)
    target(api, *TARGETS[disks])
    api.keep()
    found = {}
    for values in ((), *product((True, False), repeat=len(ARGUMENTS))):
        args = dict(zip(ARGUMENTS, values, strict=False))
        wanted = [raid("delete_configuration"), raid("create_configuration", **args)]
        answer = api.provision("clean", clean_steps=wanted)
        states = [(api.clock.advance(30), api.state())[1] for _ in range(4)]
        node = api.node()
        volumes = api("GET", "/_fake/machines/n")[1]["volumes"]
        shown = [answer, states, node["last_error"], node["raid_config"], volumes]
        found[str(args)] = repr(shown).replace(node["uuid"], "UUID")
        api.go_back()
    recorded.check(request, RECORD, f"arguments, {disks}", found)
