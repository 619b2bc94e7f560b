"""The steps of plans, and what is sent to take them, from many labs to many others."""

import itertools
import json
import re

import pytest

from baremetalclient import declare, exc
from baremetalclient.tests.unit.declare.conftest import Lab
from baremetalclient.tests.unit.declare.labs import CONNECTOR, MAC, TARGET, UUID, new, node
from fake_server.server import FakeServer

ANY_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
PROVISION = re.compile(r'^PUT /nodes/\S+/states/provision {"target": ("[^"]*")}$')
OTHER_MAC = "52:54:00:00:00:02"
STEP = {"interface": "bios", "step": "s", "args": {"a": 1}}
TEMPLATE = {"name": "CUSTOM_T", "steps": [{**STEP, "priority": 1}]}
RUNBOOK = {"name": "CUSTOM_R", "steps": [{**STEP, "order": 1}]}
RULE = {"description": "r", "actions": [{"op": "fail", "args": {"msg": "m"}}]}
VOLUMES = {"volume_connectors": [CONNECTOR], "volume_targets": [TARGET]}
OTHER_VOLUMES = {
    "volume_connectors": [CONNECTOR, {"type": "ip", "connector_id": "10.0.0.1"}],
    "volume_targets": [{**TARGET, "volume_id": "w"}],
}
BOND = {
    "portgroups": [{"name": "g"}, {"name": "h", "address": "52:54:00:00:00:0a"}],
    "ports": [{"address": MAC, "portgroup": "g"}, {"address": OTHER_MAC}],
}
SWITCH = {"switch_id": "52:54:00:00:00:0b", "port_id": "1"}
SETTINGS = {
    "bios": [{"name": "Boot", "value": "a"}, {"name": "Other", "value": "x"}],
    "power_state": "power off",
}
EVERYTHING = {
    "chassis": [{"description": "rack", "extra": {"k": "v"}, "nodes": [*new()["nodes"]]}],
    "deploy_templates": [TEMPLATE],
    "runbooks": [{**RUNBOOK, "owner": "o", "traits": ["CUSTOM_A", "CUSTOM_B"]}],
    "inspection_rules": [{**RULE, "priority": 3}],
    "allocations": [{"name": "a", "resource_class": "gold", "traits": ["CUSTOM_A"]}],
}


def kept(**fields):
    """Return a node that a server has before."""
    return new(**{"power_state": "power on", **fields})


TENANT = {"internal_info": {"tenant_vif_port_id": "vif"}}
HIDDEN = {"driver_info": {"ipmi_password": "secret", "a/b": 1, "ipmi_address": "h"}}
#: What there is, what is wanted, and options of the plan.
CASES = {
    "everything that is new": ({}, EVERYTHING),
    "a new node with its parts": (
        {},
        new(**BOND, **VOLUMES, traits=["CUSTOM_A"], owner="o", instance_info={"k": "v"}),
    ),
    "a new node up to active": (
        {},
        new(provision_state="active", protected=True, protected_reason="Mine"),
    ),
    "a new node in maintenance": ({}, new(maintenance=True, maintenance_reason="Moved")),
    "a new retired node": ({}, new(retired=True, retired_reason="Old")),
    "children and parents": (
        {},
        {
            "nodes": [
                {"name": "a", "driver": "fake-hardware", "parent_node": "b"},
                {"name": "b", "driver": "fake-hardware", "parent_node": "c"},
                {"name": "c", "driver": "fake-hardware"},
            ]
        },
    ),
    "fields that change": (
        kept(extra={"a": 1, "b": 2}, description="d", resource_class="gold"),
        node(extra={"a": 2, "b": None, "c": 3}, description=None, resource_class="silver"),
    ),
    "keys that no path can name": (
        kept(extra={"a/b": 1, "c": 2}),
        node(extra={"d e": 3, "a/b": 4}),
    ),
    "a key beside a masked secret": (kept(**HIDDEN), node(driver_info={"a b": 2})),
    "secrets": (kept(**HIDDEN), node(**HIDDEN)),
    "secrets anew": (kept(**HIDDEN), node(**HIDDEN), {"refresh_secrets": True}),
    "another driver": (
        kept(boot_interface="fake"),
        node(driver="ipmi", deploy_interface="direct", boot_interface=None),
    ),
    "another interface of an active node": (
        kept(provision_state="active"),
        node(deploy_interface="direct"),
    ),
    "the driver while the console is on": (kept(console_enabled=True), node(driver="ipmi")),
    "a port group by its UUID and by its name": (
        kept(portgroups=[{"name": "g", "uuid": UUID, "address": MAC}]),
        node(portgroups=[{"name": "g", "address": OTHER_MAC}, {"uuid": UUID, "mode": "802.3ad"}]),
    ),
    "instances": (
        kept(provision_state="active", instance_uuid=UUID),
        node(instance_uuid=UUID.replace("1", "2")),
    ),
    "ports of an active node": (
        kept(provision_state="active", **BOND),
        node(
            portgroups=[{"name": "g", "mode": "802.3ad"}],
            ports=[{"address": MAC, "portgroup": None, "pxe_enabled": False}],
        ),
    ),
    "ports of an available node": (
        kept(provision_state="available", ports=[{"address": MAC}]),
        node(ports=[{"address": MAC, "extra": {"a": 1}}, {"address": OTHER_MAC}]),
    ),
    "connections of an available node": (
        kept(provision_state="available", ports=[{"address": MAC}]),
        node(ports=[{"address": MAC, "physical_network": "p", "local_link_connection": SWITCH}]),
    ),
    "a port with the name of another": (
        {
            "nodes": [
                *kept(ports=[{"address": MAC, "name": "p"}])["nodes"],
                {"name": "m", "driver": "fake-hardware"},
            ]
        },
        {"nodes": [{"name": "m", "ports": [{"address": OTHER_MAC, "name": "p"}]}]},
    ),
    "other UUIDs than those of what there is": (
        kept(ports=[{"address": MAC, "uuid": UUID}], **VOLUMES) | {"runbooks": [RUNBOOK]},
        {
            "nodes": [{"name": "n", "ports": [{"address": MAC, "uuid": UUID.replace("1", "2")}]}],
            "runbooks": [{**RUNBOOK, "uuid": UUID.replace("1", "2")}],
        },
    ),
    "other UUIDs and other changes": (
        {"runbooks": [RUNBOOK]},
        {"runbooks": [{**RUNBOOK, "uuid": UUID, "description": "d", "extra": {"a": 1}}]},
    ),
    "another UUID than that of a node": (kept(), node(uuid=UUID, driver="ipmi")),
    "a secret beside a key that no path can name": (
        new(
            power_state="power off",
            volume_targets=[{**TARGET, "properties": {"auth_password": "secret", "a/b": 1}}],
        ),
        node(volume_targets=[{**TARGET, "properties": {"auth_password": "secret", "a/b": 2}}]),
    ),
    "a port that moves": (
        {
            "nodes": [
                *kept(ports=[{"address": MAC}])["nodes"],
                {"name": "m", "driver": "fake-hardware"},
            ]
        },
        {"nodes": [{"name": "m", "ports": [{"address": MAC}]}]},
    ),
    "volumes of a node that is on": (
        kept(provision_state="available", **VOLUMES),
        node(**OTHER_VOLUMES),
    ),
    "volumes of a node in maintenance": (
        kept(provision_state="available", maintenance=True, **VOLUMES),
        node(**OTHER_VOLUMES),
    ),
    "volumes of a node that is off": (
        new(provision_state="available", power_state="power off", **VOLUMES),
        node(**OTHER_VOLUMES),
    ),
    "volumes of an active node": (kept(provision_state="active", **VOLUMES), node(**OTHER_VOLUMES)),
    "volumes of an active node to turn off": (
        kept(provision_state="active", **VOLUMES),
        node(power_state="power off", **OTHER_VOLUMES),
    ),
    "traits and RAID": (
        kept(traits=["CUSTOM_A"]),
        node(
            traits=["CUSTOM_B"],
            target_raid_config={"logical_disks": [{"size_gb": 9, "raid_level": "1"}]},
        ),
    ),
    "BIOS settings": (
        kept(provision_state="available", **SETTINGS),
        node(provision_state="available", bios_settings={"Boot": "b", "Other": "x"}),
    ),
    "BIOS settings without a state": (
        kept(provision_state="available", **SETTINGS),
        node(bios_settings={"Boot": "b"}),
    ),
    "BIOS settings without an interface": (
        kept(provision_state="manageable", bios_interface="no-bios"),
        node(bios_settings={"Boot": "b"}),
    ),
    "VIFs of a new node with noop": ({}, new(vifs=["v"])),
    "VIFs with noop": (kept(network_interface="noop"), node(vifs=["v"])),
    "templates and runbooks": (
        {
            "deploy_templates": [TEMPLATE],
            "runbooks": [{**RUNBOOK, "traits": ["CUSTOM_A", "CUSTOM_B"]}],
        },
        {
            "deploy_templates": [
                {**TEMPLATE, "steps": [{**STEP, "step": "t", "priority": 2}, *TEMPLATE["steps"]]}
            ],
            "runbooks": [{**RUNBOOK, "traits": ["CUSTOM_B"], "public": True}],
        },
    ),
    "an allocation that is made": (
        {
            "nodes": [
                {
                    "name": "n",
                    "driver": "fake-hardware",
                    "provision_state": "available",
                    "resource_class": "gold",
                    "power_state": "power off",
                }
            ],
            "allocations": [{"name": "a", "resource_class": "gold"}],
        },
        {"allocations": [{"name": "a", "resource_class": "silver", "extra": {"k": "v"}}]},
    ),
    "an allocation for a node": (
        kept(provision_state="available", resource_class="gold"),
        {"allocations": [{"name": "a", "resource_class": "gold", "candidate_nodes": ["n"]}]},
    ),
    "a sensitive rule": (
        {"inspection_rules": [{**RULE, "sensitive": True}]},
        {"inspection_rules": [{**RULE, "sensitive": False, "priority": 2}]},
    ),
    "a plan that was broken off": (
        new(
            power_state="power off",
            maintenance=True,
            maintenance_reason="baremetal apply is changing this node; it was powered on",
        ),
        node(),
    ),
    "a plan that was broken off before it turned power off": (
        kept(maintenance=True, maintenance_reason="baremetal apply is changing this node"),
        node(),
    ),
    "maintenance that ends": (kept(maintenance=True), node(maintenance=False)),
    "pruned parts": (
        kept(**BOND, **VOLUMES),
        node(ports=[], portgroups=[], volume_connectors=[], volume_targets=[]),
        {"prune": "name=n"},
    ),
    "pruned parts of an active node": (
        kept(provision_state="active", **VOLUMES, ports=[{"address": MAC, **TENANT}]),
        node(ports=[], volume_connectors=[], volume_targets=[]),
        {"prune": "name=n"},
    ),
}
STATES = (
    *("enroll", "manageable", "available", "active", "clean failed", "inspect failed", "error"),
    *("adopt failed", "deploy failed", "rescue", "rescue failed", "unrescue failed"),
    *("service failed", "clean hold", "deploy hold"),
)
WANTED = ("enroll", "manageable", "available", "active")
STANDING_IN_THE_WAY = {
    "maintenance": {"maintenance": True, "maintenance_reason": "Moved"},
    "protection": {"protected": True, "protected_reason": "Mine"},
    "retirement": {"retired": True, "retired_reason": "Old"},
    "a class": {"resource_class": "gold"},
}


@pytest.fixture(scope="module")
def lab():
    return Lab(FakeServer())


def done(lab, before, wanted, **options):
    """Return the steps of a plan, what is sent to take them, and what became of them."""
    lab.server.reset()
    lab.server.seed(before)
    try:
        plan = declare.plan(lab.client, wanted, **options)
    except exc.ValidationError as error:
        return short([str(error)])
    lab.server.requests.clear()
    results = plan.apply(parallel=1, allow_interruptions=True)
    sent = [
        f"{one.method} {one.path.removeprefix('/v1')}{one.query}"
        + (f" {one.status}" if one.status >= 300 else "")
        + f" {one.sent.decode()}"
        for one in lab.server.requests.find()
        if one.method != "GET"
    ]
    # Requests show what was done.
    told = [
        f"{step.action} {step.kind}: {one.error or one.result}"
        for step, one in zip(plan.steps, results, strict=True)
        if one.result != "done" or not sent
    ]
    return short([PROVISION.sub(r"\1", line) for line in [*told, *sent]])


def short(lines, length=108):
    """Return the beginnings of lines, with names for the UUIDs in order of their appearance."""
    text = json.dumps(lines)
    names = {uuid: f"UUID{at}" for at, uuid in enumerate(dict.fromkeys(ANY_UUID.findall(text)))}
    lines = json.loads(ANY_UUID.sub(lambda match: names[match[0]], text))
    return [line[:length].strip() for line in lines]


def test_plans_are_as_recorded(lab, recorded):
    found = {}
    for name, (before, wanted, *options) in CASES.items():
        found[name] = done(lab, before, wanted, **(options[0] if options else {}))
    recorded(found)


def test_states_are_reached_as_recorded(lab, recorded):
    found = {}
    for state, target in itertools.product(STATES, WANTED):
        told = done(lab, kept(provision_state=state), node(provision_state=target))
        found[f"{state} to {target}"] = [
            re.sub(rf"\b(from|in) {state}", r"\1 STATE", line) for line in told
        ]
    recorded(found)


@pytest.mark.parametrize("state", ["manageable", "active"])
def test_obstacles_are_as_recorded(lab, recorded, state):
    found = {}
    for obstacle, fields in STANDING_IN_THE_WAY.items():
        before = kept(provision_state=state, **fields)
        for target in WANTED[1:]:
            wanted = node(provision_state=target)
            without = node(provision_state=target, **dict.fromkeys(fields))
            found[f"{obstacle}, to {target}"] = done(lab, before, wanted)
            found[f"{obstacle}, to {target} without it"] = done(lab, before, without)
        found[f"{obstacle} asked for"] = done(lab, kept(provision_state=state), node(**fields))
    recorded(found)


PRUNED = (
    *("enroll", "available", "active", "rescue", "cleaning", "clean hold", "inspect failed"),
    *("adopt failed", "error", "verifying", "inspecting", "inspect wait", "adopting"),
    *("clean wait", "deploying", "wait call-back", "deleting", "rescuing", "rescue wait"),
    *("unrescuing", "servicing", "service wait", "service hold", "deploy hold"),
)


@pytest.mark.parametrize("fields", [{}, {"protected": True}, {"instance_uuid": UUID}], ids=str)
def test_nodes_are_pruned_as_recorded(lab, recorded, fields):
    found = {}
    for state in PRUNED:
        told = done(lab, kept(provision_state=state, **fields), {}, prune="name~=.*")
        found[state] = [line.replace(f"it is in {state}", "it is in STATE") for line in told]
    recorded(found)
