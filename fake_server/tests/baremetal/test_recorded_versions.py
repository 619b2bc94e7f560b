"""From which version on an answer is another one, for requests with each field, filter and verb.

The recorded changes were seen by asking in every version; the test asks just before and after
each. A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

from fake_server.tests import recorded
from fake_server.tests.baremetal.api import Api

RECORD = Path(__file__).with_name("versions.json.gz")
NEWEST = 115
_UUID = re.compile(recorded.UUID)
NODE = "11111111-2222-3333-4444-555555555555"
OWN = "00000000-0000-4000-8000-0000000000{:02}"
UNKNOWN = "00000000-0000-4000-8000-00000000dead"
STEP = {"interface": "deploy", "step": "s", "args": {}}
# What each kind is made of, and where its lists are.
KINDS = {
    "nodes": {"driver": "fake-hardware"},
    "ports": {"node_uuid": NODE, "address": "52:54:00:%s"},
    "portgroups": {"node_uuid": NODE},
    "chassis": {},
    "allocations": {"resource_class": "r"},
    "deploy_templates": {"name": "CUSTOM_%d", "steps": [{**STEP, "priority": 1}]},
    "runbooks": {"name": "CUSTOM_%d", "steps": [{**STEP, "order": 1}]},
    "inspection_rules": {"actions": [{"op": "fail", "args": {"msg": "m"}}], "conditions": []},
    "volume/connectors": {"node_uuid": NODE, "type": "ip", "connector_id": "c%d"},
    "volume/targets": {
        "node_uuid": NODE,
        "volume_type": "t",
        "volume_id": "v%d",
        "boot_index": "%d",
    },
}
# Fields whose parts are not all in each version.
PARTS = {
    "ports": (
        {"local_link_connection": {"network_type": "managed"}},
        {"local_link_connection": {"network_type": "unmanaged"}},
        {"local_link_connection": {"port_id": "p", "switch_id": "00:11:22:33:44:55"}},
        {"local_link_connection": {"port_id": "p", "hostname": "h"}},
        {"local_link_connection": {"vtep-logical-switch": "a", "vtep-physical-switch": "b"}},
        {"local_link_connection": {"bogus": "a"}},
    ),
    "nodes": (
        {"name": "a.b"},
        {"name": "a_b"},
        {"network_data": {"links": [], "networks": [], "services": []}},
        {"instance_uuid": UNKNOWN, "extra": {}},
    ),
}
FILTERS = (
    *("owner", "lessee", "project", "shard", "description_contains", "instance_name", "fault"),
    *("conductor", "conductor_group", "parent_node", "resource_class", "driver", "sharded"),
    *("associated", "maintenance", "retired", "include_children", "provision_state", "detail"),
    *("instance_uuid", "chassis_uuid", "node", "node_uuid", "portgroup", "address", "state"),
)
VERBS = (
    *("manage", "provide", "active", "deleted", "rebuild", "inspect", "abort", "clean", "adopt"),
    *("rescue", "unrescue", "service", "unhold", "deploy", "undeploy", "bogus"),
)
ARGUMENTS = {
    "clean_steps": [{"interface": "deploy", "step": "s"}],
    "deploy_steps": [{"interface": "deploy", "step": "s", "args": {}, "priority": 1}],
    "service_steps": [{"interface": "deploy", "step": "s"}],
    "configdrive": {"meta_data": {}},
    "rescue_password": "p",
    "disable_ramdisk": True,
    "runbook": "r",
}
BELOW_A_NODE = (
    *("states", "bios", "bios?detail=true", "bios?fields=name", "firmware", "history", "history/x"),
    *("inventory", "traits", "vifs", "vmedia", "children", "allocation", "portgroups", "ports"),
    *("volume/connectors", "volume/targets", "validate", "management/boot_device"),
    *("management/indicators", "states/console", "vendor_passthru/methods", "bogus"),
)
CHANGES_OF_A_NODE = (
    ("PUT", "traits", {"traits": []}),
    ("PUT", "traits/CUSTOM_A", {}),
    ("DELETE", "traits/CUSTOM_B", None),
    ("DELETE", "traits", None),
    ("POST", "vifs", {}),
    ("DELETE", "vifs/x", None),
    ("POST", "vmedia", {}),
    ("DELETE", "vmedia", None),
    ("PUT", "states/boot_mode", {"target": "bogus"}),
    ("PUT", "states/secure_boot", {"target": "bogus"}),
    ("PUT", "states/raid", {}),
    ("PUT", "management/indicators/x", {"state": "bogus"}),
    ("PUT", "management/inject_nmi", {}),
    ("PUT", "maintenance", {}),
    ("DELETE", "maintenance", None),
    ("DELETE", "allocation", None),
)
OTHERS = (
    *("nodes/n", "nodes/unknown", "nodes/n/states", f"nodes/{NODE}/states"),
    *("conductors", "conductors/h", "shards", "volume", "lookup", "lookup?node_uuid=" + NODE),
    *("drivers", "drivers?detail=true", "drivers?type=dynamic", "drivers/fake-hardware"),
    *("drivers/fake-hardware?fields=name", "drivers?fields=name", "nodes.json", "bogus"),
    *("drivers/fake-hardware/properties", "drivers/fake-hardware/raid/logical_disk_properties"),
)


class Asker:
    """Sends requests to a server of its own with one of each kind."""

    def __init__(self) -> None:
        self._api = Api()
        self._number = 0
        self.created = {}
        for number, (kind, fields) in enumerate(KINDS.items()):
            more = {"uuid": NODE, "name": "n"} if kind == "nodes" else {"uuid": OWN.format(number)}
            status, found = self._api("POST", f"/v1/{kind}", self._filled(fields | more))
            assert status == 201, found
            self.created[kind] = found

    def __call__(self, asked: str, version: int) -> list:
        """Send what one of the keys of the record says, and return what matters of the answer."""
        method, path, text = (*asked.split(" ", 2), "")[:3]
        body = json.loads(text) if text else None
        body = self._filled(body) if isinstance(body, dict) else body
        status, answer = self._api(method, path, body, f"1.{version}")
        if status >= 400:
            return [status, _UUID.sub("<uuid>", str(answer))]
        if method == "POST":
            self._api("DELETE", f"{path}/{answer['uuid']}")
        if isinstance(answer, dict):
            lists = [value for name, value in answer.items() if name != "links"]
            items = next((value for value in lists if isinstance(value, list) and value), [None])
            answer = items[0] if isinstance(items[0], dict) else answer
        return [status, sorted(answer) if isinstance(answer, dict) else str(answer)]

    def _filled(self, fields: dict) -> dict:
        self._number += 1
        return numbered(fields, self._number)


def numbered(fields: dict, number: int) -> dict:
    """Put a number into the values of :data:`KINDS`, which no other resource may have."""
    found = dict(fields)
    for mark, own in (("%d", str(number)), ("%s", number.to_bytes(3).hex(":"))):
        for name, value in found.items():
            if isinstance(value, str):
                found[name] = value.replace(mark, own)
    if "boot_index" in found:
        found["boot_index"] = int(found["boot_index"])
    return found


def questions(asker: Asker, kind: str) -> list[str]:
    if kind == "others":
        return [f"GET /v1/{path}" for path in OTHERS]
    if kind == "verbs":
        path = f"PUT /v1/nodes/{NODE}/states/provision"
        asked = [f"{path} {json.dumps({'target': verb})}" for verb in VERBS if verb != "manage"]
        for verb in ("active", "rebuild", "clean", "rescue", "service"):
            for name, value in ARGUMENTS.items():
                asked.append(f"{path} {json.dumps({'target': verb, name: value})}")
        power = f"PUT /v1/nodes/{NODE}/states/power"
        for target, timeout in (("bogus", None), ("bogus", 5), ("soft rebooting", None)):
            asked.append(f"{power} {json.dumps({'target': target, 'timeout': timeout})}")
        return asked
    if kind == "below a node":
        asked = [f"GET /v1/nodes/{NODE}/{path}" for path in BELOW_A_NODE]
        for method, path, body in CHANGES_OF_A_NODE:
            asked.append(
                f"{method} /v1/nodes/{NODE}/{path} {json.dumps(body) if body else ''}".strip()
            )
        return asked
    found, path = KINDS[kind], f"/v1/{kind}"
    one = f"PATCH {path}/{asker.created[kind]['uuid']}"
    asked = [f"GET {path}", f"GET {path}?detail=true", f"GET {path}/detail"]
    asked += [f"GET {path}?{name}=true" for name in FILTERS]
    patch = json.dumps([{"op": "add", "path": "/extra/a", "value": 1}])
    asked += [f"GET {path}/{UNKNOWN}", f"PATCH {path}/{UNKNOWN} {patch}"]
    asked += [f"DELETE {path}/{UNKNOWN}", f"DELETE {path}/name"]
    asked += [f"GET {path}/{asker.created[kind]['uuid']}"] if kind == "nodes" else []
    for name in asker.created[kind]:
        asked += [f"GET {path}?fields={name}", f"GET {path}?sort_key={name}"]
        if name not in found and name not in ("uuid", "links"):
            asked.append(f"POST {path} {json.dumps({**found, name: None})}")
        if name not in ("uuid", "links", "node_uuid"):
            asked.append(f"{one} {addition(name, asker.created[kind][name])}")
    for parts in PARTS.get(kind, ()):
        asked.append(f"POST {path} {json.dumps({**found, **parts})}")
        for name, value in parts.items():
            asked.append(f"{one} {addition(name, value)}")
            for key in value if isinstance(value, dict) else ():
                asked.append(f"{one} {addition(f'{name}/{key}', value[key])}")
    return asked


def addition(path: str, value: object) -> str:
    """Return the JSON patch that sets a value."""
    return json.dumps([{"op": "add", "path": f"/{path}", "value": value}])


def scan(kind: str) -> dict[str, list]:
    """Ask in every version, and return what changed from which version on."""
    asker = Asker()
    changes = {}
    for asked in questions(asker, kind):
        changes[asked] = []
        for version in range(1, NEWEST + 1):
            found = asker(asked, version)
            if not changes[asked] or changes[asked][-1][1:] != found:
                changes[asked].append([version, *found])
    return changes


@pytest.mark.parametrize("kind", [*KINDS, "verbs", "below a node", "others"])
def test_answers_change_in_the_recorded_versions(request, kind):
    known = json.loads(gzip.decompress(RECORD.read_bytes())) if RECORD.exists() else {}
    if request.config.getoption("--record"):
        known[kind] = scan(kind)
        RECORD.write_bytes(gzip.compress(json.dumps(known).encode(), mtime=0))
    asker = Asker()
    for asked, changes in known[kind].items():
        ends = [change[0] - 1 for change in changes[1:]] + [NEWEST]
        for (first, *answer), last in zip(changes, ends, strict=True):
            assert asker(asked, first) == answer, (asked, first)
            if last != first:
                assert asker(asked, last) == answer, (asked, last)
