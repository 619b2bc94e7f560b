"""From which version on an answer is another one, for requests with each field, filter and verb."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING

import pytest

from fake_server.tests.baremetal.api import LATEST, Api
from fake_server.tests.baremetal.facts import by_fact
from fake_server.tests.baremetal.rights.conditions import changes

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.night("Ironic's own versions are in rights/test_versions.py")
NEWEST = int(LATEST.partition(".")[2])
GRID = (*range(1, NEWEST, 16), NEWEST)
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
# The others are as old as the API, or of one version.
TRIED = ("nodes", "ports", "allocations")
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


# Of the answers to these, all fields matter.
WHOLE = ("GET", "GET ?detail", "GET one")


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
        self._api.app.control.snapshots.take("made")

    def __call__(self, asked: str, version: int) -> list:
        """Send what one of the keys of the record says, and return what matters of the answer."""
        method, path, text = (*asked.split(" ", 2), "")[:3]
        body = json.loads(text) if text else None
        body = self._filled(body) if isinstance(body, dict) else body
        status, answer = self._api(method, path, body, f"1.{version}")
        if status >= 400:
            return [status, str(answer)]
        if method != "GET":
            self._api.app.control.snapshots.restore("made")
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


def questions(asker: Asker, kind: str) -> Iterator[tuple[str, str]]:
    """Yield a name and what is asked."""
    if kind == "others":
        yield from ((path, f"GET /v1/{path}") for path in OTHERS)
    elif kind == "verbs":
        path = f"PUT /v1/nodes/{NODE}/states"
        bodies = [{"target": verb} for verb in VERBS if verb != "manage"]
        bodies += [{"target": "clean", name: ARGUMENTS[name]} for name in ARGUMENTS]
        for body in bodies:
            name = " ".join([body["target"], *list(body)[1:]])
            yield name, f"{path}/provision {json.dumps(body)}"
        for target, timeout in (("bogus", None), ("bogus", 5), ("soft rebooting", None)):
            body = {"target": target, "timeout": timeout}
            yield str(body), f"{path}/power {json.dumps(body)}"
    elif kind == "below a node":
        yield from ((path, f"GET /v1/nodes/{NODE}/{path}") for path in BELOW_A_NODE)
        for method, path, body in CHANGES_OF_A_NODE:
            asked = f"{method} /v1/nodes/{NODE}/{path} {json.dumps(body) if body else ''}"
            yield f"{method} {path}", asked.strip()
    else:
        yield from questions_of_a_kind(asker, kind)


def questions_of_a_kind(asker: Asker, kind: str) -> Iterator[tuple[str, str]]:
    found, path = KINDS[kind], f"/v1/{kind}"
    one = f"PATCH {path}/{asker.created[kind]['uuid']}"
    for name, end in ((WHOLE[0], ""), (WHOLE[1], "?detail=true"), ("GET /detail", "/detail")):
        yield name, f"GET {path}{end}"
    yield "GET unknown", f"GET {path}/{UNKNOWN}"
    yield WHOLE[2], f"GET {path}/{asker.created[kind]['uuid']}"
    filters = FILTERS if kind == "nodes" else ()
    yield from ((f"GET ?{name}", f"GET {path}?{name}=true") for name in filters)
    yield "DELETE unknown", f"DELETE {path}/{UNKNOWN}"
    yield "DELETE name", f"DELETE {path}/name"
    for name, value in asker.created[kind].items():
        if name not in found and name not in ("uuid", "links"):
            yield f"POST {name}", f"POST {path} {json.dumps({**found, name: None})}"
        if name not in ("uuid", "links", "node_uuid") and not name.endswith("_at"):
            yield f"PATCH {name}", f"{one} {addition(name, value)}"
    for parts in PARTS.get(kind, ()):
        yield f"POST {parts}", f"POST {path} {json.dumps({**found, **parts})}"
        yield from ((f"PATCH {name}", f"{one} {addition(name, parts[name])}") for name in parts)


def addition(path: str, value: object) -> str:
    """Return the JSON patch that sets a value."""
    return json.dumps([{"op": "add", "path": f"/{path}", "value": value}])


@pytest.mark.parametrize("kind", [*TRIED, "verbs", "below a node", "others"])
def test_answers_change_in_the_recorded_versions(recorded, kind):
    asker = Asker()
    found = {}
    for name, asked in questions(asker, kind):
        before, lines = [0, []], []
        for version, answer in changes(partial(asker, asked), GRID).items():
            told = [str(answer[0])]
            if answer[0] >= 400 or name in WHOLE:
                told += differences(before, answer[1])
            field = name.partition(" ")[2].strip("?")
            text = (
                " ".join(told)
                if name in WHOLE
                else re.sub(rf"\b{re.escape(field) or '(?!)'}\b", "FIELD", " ".join(told))
            )
            lines.append(f"1.{version}: {text}")
            before = answer
        found[name] = lines
    recorded(by_fact(found))


def differences(before, said):
    """Yield what is told, or the fields by which it differs from what was told before."""
    if isinstance(said, str):
        yield said
        return
    known = before[1] if isinstance(before[1], list) else []
    yield from (f"+{name}" for name in said if name not in known)
    yield from (f"-{name}" for name in known if name not in said)
