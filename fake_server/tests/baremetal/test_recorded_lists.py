"""Lists of things that differ: filtered, sorted, cut into pages, in both dialects.

Recorded from the fake server, so that no change goes unnoticed; that it is right is for other
tests.
"""

from __future__ import annotations

import re

import pytest

from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact

UUID = "00000000-0000-4000-8000-0000000000{:02}"
RANDOM = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-(?!0000000000)[0-9a-f]{12}")
NODES = (
    {"name": "b", "resource_class": "gold", "owner": "me", "extra": {"a": 1}},
    {"name": "a", "resource_class": "silver", "lessee": "me", "description": "Rack 1"},
    {"name": "c.d", "driver": "manual-management", "shard": "s", "properties": {"cpus": 1}},
    {"resource_class": "gold", "shard": "t", "chassis_uuid": UUID.format(50), "owner": "you"},
    {"name": "child", "parent_node": UUID.format(2), "resource_class": "gold", "retired": True},
    {"name": "last", "instance_uuid": UUID.format(90), "description": "rack 2", "protected": True},
)
LATE = ("owner", "retired", "protected")
STATES = {"a": ("manage",), "b": ("manage", "provide"), "last": ("manage", "provide", "active")}
TRAITS = {"a": ["CUSTOM_A"], "b": ["CUSTOM_A", "CUSTOM_B"], "last": ["CUSTOM_B"]}
VALUES = {
    "associated": ("true", "false", "x"),
    "maintenance": ("true", "false", "1"),
    "retired": ("true", "false"),
    "provision_state": ("available", "enroll", "x"),
    "driver": ("fake-hardware", "manual-management", "x"),
    "resource_class": ("gold", "x"),
    "owner": ("me", "x"),
    "lessee": ("me",),
    "project": ("me", "x"),
    "shard": ("s", "s,t", "x"),
    "sharded": ("true", "false"),
    "instance_uuid": (UUID.format(90), UUID.format(91), "x"),
    "instance_name": ("x",),
    "chassis_uuid": (UUID.format(50), UUID.format(51), "x"),
    "parent_node": (UUID.format(2), "c.d"),
    "include_children": ("true", "false"),
    "description_contains": ("rack", "Rack 1", "%"),
    "conductor": ("x",),
    "conductor_group": ("", "x"),
    "fault": ("none", "power failure", "x"),
    "traits": ("CUSTOM_A", "CUSTOM_A,CUSTOM_B", "x"),
    "traits-any": ("CUSTOM_A,CUSTOM_B",),
    "not-traits": ("CUSTOM_A", "CUSTOM_A,CUSTOM_B"),
    "not-traits-any": ("CUSTOM_A", "CUSTOM_A,CUSTOM_B"),
    "node": (UUID.format(0), UUID.format(0).replace("-", ""), "a", "x", "a b"),
    "node_uuid": (UUID.format(0), "a"),
    "portgroup": (UUID.format(40), "g", "x"),
    "address": ("52:54:00:00:00:01", "52:54:00:00:00:0A", "x"),
    "type": ("ip", "iqn", "x"),
    "connector_id": ("c1",),
    "volume_id": ("v1",),
    "volume_type": ("iscsi",),
    "boot_index": ("0", "1", "x"),
    "state": ("active", "error", "x"),
}
PAGES = (
    *("", "limit=1", "limit=2", "limit=0", "limit=-1", "limit=x", "limit=5000", "marker=x"),
    *(f"limit=2&marker={UUID.format(1)}", f"marker={UUID.format(4)}", "detail=true"),
    *("sort_key=x", "sort_dir=desc", "sort_dir=x", "fields=x", "fields=uuid,name", "fields="),
    *("detail=true&fields=uuid", "detail=x", "detail=true&limit=1", "bogus=1", "sort_key=extra"),
    *(f"sort_key={name}" for name in ("id", "", "version", "conductor_affinity", "node_id")),
    *("sort_key=power_sync_failures", f"sort_key=name&marker={UUID.format(3)}"),
)
MARKERS = (
    *(
        f"sort_key={name}&sort_dir={order}&marker={UUID.format(marker)}"
        for name in ("maintenance", "instance_uuid", "provision_state", "pxe_enabled")
        for order in ("asc", "desc")
        for marker in (1, 31)
    ),
    *("limit=2&sort_key=name&sort_dir=desc", f"limit=1&sort_key=name&marker={UUID.format(0)}"),
)
KINDS = ("nodes", "ports", "allocations", "conductors")


def filled(dialect):
    """Return an API with some things of each kind."""
    api = Api(dialect=dialect, hardware_types=("fake-hardware", "manual-management"), interfaces={})
    api("POST", "/v1/chassis", {"uuid": UUID.format(50), "description": "c"})
    api("POST", "/v1/chassis", {"uuid": UUID.format(51), "extra": {"a": 1}})
    for number, fields in enumerate(NODES):
        late = {name: fields[name] for name in LATE if name in fields}
        body = {name: value for name, value in fields.items() if name not in late}
        api("POST", "/v1/nodes", {"driver": "fake-hardware", "uuid": UUID.format(number), **body})
        api.clock.advance(10)
        for name, verbs in STATES.items():
            if fields.get("name") == name:
                api.provision(*verbs, ident=name)
                api("PUT", f"/v1/nodes/{name}/traits", {"traits": TRAITS[name]})
        for name, value in late.items():
            api.patch(name, value, ident=UUID.format(number))
    api("PUT", "/v1/nodes/a/maintenance", {"reason": "r"})
    for number, (node, mode) in enumerate((("b", "802.3ad"), ("a", "active-backup"))):
        body = {"node_uuid": api.node(node)["uuid"], "mode": mode, "name": "gh"[number]}
        api("POST", "/v1/portgroups", {"uuid": UUID.format(40 + number), **body})
    for number, node in enumerate(("b", "a", "b")):
        uuid = api.node(node)["uuid"]
        port = {"node_uuid": uuid, "address": f"52:54:00:00:00:0{number}", "name": f"p{number}"}
        more = {"portgroup_uuid": UUID.format(40)} if number == 0 else {"pxe_enabled": False}
        api("POST", "/v1/ports", {"uuid": UUID.format(30 + number), **port, **more})
        for kind, body in (
            ("connectors", {"type": ("ip", "iqn", "mac")[number], "connector_id": f"c{number}"}),
            (
                "targets",
                {"volume_type": "iscsi", "volume_id": f"v{number}", "boot_index": number},
            ),
        ):
            uuids = {"uuid": UUID.format(60 + number), "node_uuid": uuid}
            api("POST", f"/v1/volume/{kind}", {**uuids, **body})
        name = f"CUSTOM_{'BCA'[number]}"
        step = {"interface": "deploy", "step": "s", "args": {}}
        for kind, order in (("deploy_templates", "priority"), ("runbooks", "order")):
            body = {"uuid": UUID.format(70 + number), "name": name, "steps": [{**step, order: 1}]}
            api("POST", f"/v1/{kind}", body)
        body = {"name": "zyx"[number], "resource_class": ("gold", "none", "gold")[number]}
        api("POST", "/v1/allocations", {"uuid": UUID.format(80 + number), **body})
        api.clock.advance(10)
    return api


def queries(api, kind):
    yield from PAGES
    if kind in ("nodes", "ports"):
        yield from MARKERS
    for name, values in VALUES.items():
        for value in values:
            yield f"{name}={value}"
        # The link to the next page has the filter, too.
        yield f"{name}={values[0]}&limit=1"
    _, found = api("GET", f"/v1/{kind}")
    lists = found.values() if isinstance(found, dict) else ()
    items = next((value for value in lists if isinstance(value, list)), ())
    for name in items[0] if items else ():
        yield f"sort_key={name}"


def told(status, answer):
    """Return status and items as they came: their names, and the query of the next page."""
    if not isinstance(answer, dict):
        return f"{status} {answer}"
    lists = {name: value for name, value in answer.items() if isinstance(value, list)}
    if not lists:
        return f"{status} {sorted(answer)}"
    items = next(iter(lists.values()))
    names = [
        str(item.get("name") or item.get("uuid", "?")[-2:]) if isinstance(item, dict) else str(item)
        for item in items
    ]
    following = answer.get("next", "").partition("?")[2]
    return f"{status} {' '.join(names)} {following}".rstrip()


@pytest.fixture(scope="module")
def apis():
    return {dialect: filled(dialect) for dialect in ("ironic", "spec")}


@pytest.mark.parametrize("kind", KINDS)
def test_lists_are_as_recorded(recorded, apis, kind):
    found = {}
    for query in queries(apis["ironic"], kind):
        path = f"/v1/{kind}{'?' if query else ''}{query}"
        said = {dialect: brief(query, told(*api("GET", path))) for dialect, api in apis.items()}
        found[query.replace(UUID[:-4], "..") or "all"] = [said["ironic"]]
        if said["spec"] != said["ironic"]:
            found[query.replace(UUID[:-4], "..") or "all"].append(
                f"in the dialect spec: {said['spec']}"
            )
    recorded(by_fact(found))


def brief(query, said):
    """Return what is said without what was asked, and UUIDs without what they share."""
    name, _, value = query.partition("=")
    text = RANDOM.sub("-", said.replace(UUID[:-4], ".."))
    if text.startswith("4"):
        text = re.sub(rf"\b({re.escape(value) or '-'}|{name})\b", "IT", text)
    return text
