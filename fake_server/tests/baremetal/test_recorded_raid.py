"""Which volumes a Redfish controller makes of its drives, and what the arguments of steps do.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests.
"""

from __future__ import annotations

from itertools import product

import pytest

from fake_server.tests.baremetal.facts import by_fact
from fake_server.tests.baremetal.hardware_nodes import clean, drives, managed, raid, target

pytestmark = pytest.mark.rows

LEVELS = ("0", "1", "5", "1+0", "JBOD")
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


def volume_facts(node, volumes):
    """Return what the node and the machine say of each volume."""
    disks = (node["raid_config"] or {}).get("logical_disks", [])
    shown = [("node", disk) for disk in disks] + [("machine", one) for one in volumes.values()]
    return [f"{who}: {' '.join(f'{name}={of[name]}' for name in sorted(of))}" for who, of in shown]


@pytest.mark.parametrize("level", LEVELS)
def test_volumes_are_as_recorded(recorded, level):
    api = managed()
    found = {}
    for number in (1, 2, 4):
        drives(api, number)
        for name, disks in DISKS.items():
            wanted = [{**disk, "raid_level": level} for disk in disks]
            answer = api("PUT", "/v1/nodes/n/states/raid", {"logical_disks": wanted})
            if answer[0] != 204:
                found[name] = [str(answer)]
                continue
            node = clean(api, raid("delete_configuration"), raid("create_configuration"))
            if node["provision_state"] == "clean failed":
                problem = node["last_error"].replace(node["uuid"], "UUID")
                found[f"{name}, {number} drives"] = [problem.partition("}: ")[2]]
                api("DELETE", "/v1/nodes/n/maintenance")
                api.provision("manage")
            else:
                volumes = api("GET", "/_fake/machines/n")[1]["volumes"]
                found[f"{name}, {number} drives"] = volume_facts(node, volumes)
    recorded(by_fact(found))


ARGUMENTS = ("create_root_volume", "create_nonroot_volumes", "delete_existing")
ROOT = {"size_gb": 60, "raid_level": "1", "is_root_volume": True}
SECOND = {"size_gb": 30, "raid_level": "0", "volume_name": "second"}
TARGETS = {"both": (ROOT, SECOND), "root": (ROOT,), "second": (SECOND,)}


@pytest.mark.parametrize("disks", TARGETS)
def test_arguments_do_as_recorded(recorded, disks):
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
        shown = [f"{answer[0]} {' '.join(states)}", node["last_error"]]
        found[str(args)] = shown + volume_facts(node, volumes)
        api.go_back()
    recorded(by_fact(found))
