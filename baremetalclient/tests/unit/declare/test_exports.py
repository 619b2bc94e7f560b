"""Exports of many labs, and what is said of files that are wrong."""

import json
import re

import pytest

from baremetalclient import exc
from baremetalclient.declare.export import export
from baremetalclient.declare.lab import read_lab
from baremetalclient.declare.lab_kinds import KINDS
from baremetalclient.tests.unit.declare.conftest import Lab
from baremetalclient.tests.unit.declare.labs import MAC, UUID, new
from baremetalclient.tests.unit.declare.test_planned_requests import CASES, EVERYTHING, kept, short
from baremetalclient.v1.provision_states import STATES
from fake_server.server import FakeServer

BUSY = {
    "last_error": "Broken",
    "maintenance": True,
    "maintenance_reason": "Moved",
    "protected": True,
    "retired": True,
    "fault": "power failure",
    "instance_uuid": UUID,
    "automated_clean": False,
    "bios_interface": "no-bios",
    "driver_info": {"ipmi_password": "s3cret", "ipmi_address": "h"},
    "instance_info": {"image_url": "u", "image_source": "s", "traits": ["CUSTOM_A"]},
    "properties": {"cpus": 1, "a/b": None, "{index}": "{mac}"},
    "extra": {"text": "{index}", "deep": {"list": [1, None, True]}},
    "bios": [{"name": "Boot", "value": "a"}],
}


@pytest.fixture(scope="module")
def lab():
    return Lab(FakeServer())


def exported(lab, before, **options):
    lab.server.reset()
    lab.server.seed(before)
    told = []
    found = export(lab.client, tell=told.append, **options)
    usual = ("name", "uuid", "driver")
    lines = [
        f"{kind} {json.dumps({name: value for name, value in item.items() if name not in usual})}"
        for kind, items in found.items()
        for item in items
    ]
    return short([*lines, *sorted(told)], 140)


def test_exports_are_as_recorded(lab, recorded):
    recorded({name: exported(lab, case[0]) for name, case in CASES.items() if case[0]})


def test_states_are_exported_as_recorded(lab, recorded):
    found = {
        state: [
            line.replace(f"state '{state}'", "state STATE")
            for line in exported(lab, kept(provision_state=state))
        ]
        for state in STATES
    }
    found["busy"] = exported(lab, kept(provision_state="active", **BUSY))
    found["going on"] = exported(
        lab, kept(provision_state="active", target_power_state="power off")
    )
    found["nothing"] = exported(lab, {})
    found["everything"] = exported(lab, EVERYTHING)
    child = {**new()["nodes"][0], "name": "child", "parent_node": "n"}
    family = {"nodes": [*new()["nodes"], child]}
    found["a child"] = exported(lab, family, nodes=["child"], uuids=False)
    found["a child and its parent"] = exported(lab, family, uuids=False)
    found["many"] = exported(
        lab,
        {
            "nodes": [
                {**new()["nodes"][0], "name": f"n{at}", "ports": [{"address": f"{MAC[:-1]}{at}"}]}
                for at in range(6)
            ]
        },
    )
    recorded(found)


VALUES = {
    "text": "text",
    "an empty text": "",
    "a UUID": UUID,
    "a MAC address": MAC,
    "a number": 7,
    "an unquoted MAC address": 191129221206,
    "true": True,
    "a list": [1],
    "a list of texts": ["a", "b"],
    "a list of traits": ["CUSTOM_A", "HW_CPU_X86_VMX"],
    "a wrong trait": ["custom"],
    "a list of objects": [{}],
    "an object": {"a": 1},
    "an object with a date": {"a": {1, 2}},
    "not a number": float("nan"),
    "a pattern": "{index} {mac} {number:02d}",
    "null": None,
}
LEAST = {
    "chassis": {"description": "c"},
    "nodes": {"name": "n", "driver": "d"},
    "portgroups": {"name": "g"},
    "ports": {"address": MAC},
    "volume_connectors": {"type": "iqn", "connector_id": "i"},
    "volume_targets": {"volume_type": "t", "volume_id": "v", "boot_index": 0},
    "deploy_templates": {"name": "CUSTOM_T", "steps": []},
    "runbooks": {"name": "CUSTOM_R", "steps": []},
    "inspection_rules": {"description": "r", "actions": []},
    "allocations": {"name": "a"},
}


def problems(key, item):
    parts = {key: [item]}
    lab = {"nodes": [{**LEAST["nodes"], **parts}]} if key in KINDS["nodes"].nested else parts
    try:
        found = read_lab(lab)
    except exc.ValidationError as error:
        return str(error).splitlines()
    return [f"{one} is left out" for one in found.left_out]


def without_name(problem, name):
    """Return the problem of a field for all fields that have it."""
    problem = problem.partition(": ")[2] or problem
    problem = re.sub(r"\S+\[0\](?=[. :])", "ITEM", problem)
    return re.sub(rf"\b{name}\b", "FIELD", problem)[:80].strip()


def test_problems_of_files_are_as_recorded(recorded):
    found = {}
    for key, kind in KINDS.items():
        found[f"{key} of nothing"] = [line[:90].strip() for line in problems(key, {})]
        (unknown,) = problems(key, {**LEAST[key], "colour": 1})
        found[f"{key} with more"] = unknown[:60].strip()
        names = (*kind.known, *kind.seed_only, *kind.nested, "count", "created_at")
        for name in dict.fromkeys(names):
            wrong = {what: problems(key, {**LEAST[key], name: VALUES[what]}) for what in VALUES}
            refused = [what for what, told in wrong.items() if told]
            taken = [what for what, told in wrong.items() if not told]
            if refused:
                fewer = f"all but {', '.join(taken)}" if len(taken) < 9 else ", ".join(refused)
                problem = without_name(wrong[refused[0]][0], name).replace(f" of {key}", "")
                found[f"{key}.{name}"] = [problem, fewer.strip()]
    recorded(found)
