"""What the random requests are made of: mostly right, sometimes wrong."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

VERSIONS = st.one_of(
    st.just("1.115"),
    st.just("1.115"),
    st.integers(1, 115).map(lambda minor: f"1.{minor}"),
    st.sampled_from([None, "latest", "1.0", "1.116", "2.0", "banana", "1"]),
)

NAMES = st.sampled_from(
    [
        "alpha",
        "beta",
        "gamma.example.com",
        "a" * 63,
        "with space",
        "under_score",
        "-dash",
        "detail",
        "",
        "ünï",
        "maintenance",
        "x" * 300,
        "00000000-0000-4000-8000-000000000000",
        "a/b",
    ]
)
WRONG = st.sampled_from([None, True, 0, -1, 1.5, "", "text", [], ["x"], {}, {"a": 1}])
OBJECTS = st.sampled_from([{}, {"a": 1}, {"a": {"b": [1, None]}}, {"k": "v", "n": None}])
BOOLEANS = st.sampled_from([True, False, "true", "false", "on", "0", "maybe", None])
KINDS = (
    *("bios", "boot", "console", "deploy", "firmware", "inspect", "management", "network"),
    *("power", "raid", "rescue", "storage", "vendor"),
)
INTERFACES = st.sampled_from(
    ["fake", "noop", "flat", "external", "cinder", "direct", "no-bios", "no-inspect", "bogus", None]
)
INTERFACE_FIELDS = tuple(f"{kind}_interface" for kind in KINDS)
SHORT_TEXT = st.sampled_from(["text", "other", "x" * 256, "", None])

NODE_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": NAMES,
    "driver": st.sampled_from(["fake-hardware", "fake-hardware", "ipmi", "bogus", None]),
    "driver_info": OBJECTS,
    "extra": OBJECTS,
    "properties": st.sampled_from(
        [
            {"capabilities": "iscsi_boot:true"},
            {"capabilities": {"iscsi_boot": True}},
            {"cpus": 4, "memory_mb": "x"},
            {"cpu_arch": "x86_64", "local_gb": 10},
            {},
        ]
    ),
    "instance_info": st.sampled_from([{}, {"traits": ["CUSTOM_A"]}, {"image_source": "x"}]),
    "instance_uuid": st.sampled_from(["11111111-1111-4111-8111-111111111111", "bogus", None]),
    "chassis_uuid": st.sampled_from(
        ["{chassis-1}", "22222222-2222-4222-8222-222222222222", "bogus", None]
    ),
    "resource_class": st.sampled_from(["baremetal", "x" * 81, "", None]),
    "maintenance": BOOLEANS,
    "maintenance_reason": SHORT_TEXT,
    "automated_clean": BOOLEANS,
    "protected": BOOLEANS,
    "protected_reason": SHORT_TEXT,
    "retired": BOOLEANS,
    "retired_reason": SHORT_TEXT,
    "owner": SHORT_TEXT,
    "lessee": SHORT_TEXT,
    "shard": SHORT_TEXT,
    "description": SHORT_TEXT,
    "conductor_group": st.sampled_from(["", "group", "A-b_c.", "bad group", None]),
    "parent_node": st.sampled_from(["{node-1}", "33333333-3333-4333-8333-333333333333", None]),
    "network_data": st.sampled_from([{}, {"links": []}, None]),
    "disable_power_off": BOOLEANS,
    "power_state": SHORT_TEXT,
    "provision_state": SHORT_TEXT,
    "traits": st.sampled_from([["CUSTOM_A"], None]),
    "uuid": st.sampled_from(["44444444-4444-4444-8444-444444444444", "bogus", None]),
    "bogus": SHORT_TEXT,
    **dict.fromkeys(INTERFACE_FIELDS, INTERFACES),
}
PORT_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "address": st.sampled_from(
        ["52:54:00:00:00:01", "52:54:00:00:00:02", "AA:BB:CC:DD:EE:FF", "bogus", None]
    ),
    "node_uuid": st.sampled_from(["{node-1}", "{node-2}", "bogus", None]),
    "portgroup_uuid": st.sampled_from(["{portgroup-1}", "bogus", None]),
    "local_link_connection": st.sampled_from(
        [
            {"switch_id": "0a:1b:2c:3d:4e:5f", "port_id": "Ethernet3/1", "switch_info": "s1"},
            {"port_id": "x"},
            {"network_type": "managed"},
            {"bogus": 1},
            {},
            None,
        ]
    ),
    "pxe_enabled": BOOLEANS,
    "is_smartnic": BOOLEANS,
    "physical_network": st.sampled_from(["physnet1", "", "x" * 65, None]),
    "name": NAMES,
    "extra": OBJECTS,
    "description": SHORT_TEXT,
    "vendor": SHORT_TEXT,
    "category": SHORT_TEXT,
    "uuid": st.sampled_from(["55555555-5555-4555-8555-555555555555", "bogus"]),
    "bogus": SHORT_TEXT,
}
PORTGROUP_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "address": st.sampled_from(["52:54:00:00:01:01", "52:54:00:00:01:02", "bogus", None]),
    "node_uuid": st.sampled_from(["{node-1}", "{node-2}", "bogus", None]),
    "name": NAMES,
    "mode": st.sampled_from(["active-backup", "802.3ad", "", None]),
    "properties": OBJECTS,
    "standalone_ports_supported": BOOLEANS,
    "physical_network": st.sampled_from(["physnet1", None]),
    "category": SHORT_TEXT,
    "extra": OBJECTS,
    "uuid": st.sampled_from(["66666666-6666-4666-8666-666666666666", "bogus"]),
    "bogus": SHORT_TEXT,
}
CHASSIS_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "description": SHORT_TEXT,
    "extra": OBJECTS,
    "uuid": st.sampled_from(["77777777-7777-4777-8777-777777777777", "bogus"]),
    "bogus": SHORT_TEXT,
}
CONNECTOR_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "node_uuid": st.sampled_from(["{node-1}", "{node-2}", "bogus", None]),
    "type": st.sampled_from(["iqn", "ip", "mac", "wwnn", "wwpn", "port", "", None]),
    "connector_id": st.sampled_from(["iqn.2026-11.com.example:a", "b", "", "x" * 256, None]),
    "extra": OBJECTS,
    "uuid": st.sampled_from(["88888888-8888-4888-8888-888888888888", "bogus"]),
    "bogus": SHORT_TEXT,
}
TARGET_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "node_uuid": st.sampled_from(["{node-1}", "{node-2}", "bogus", None]),
    "volume_type": st.sampled_from(["iscsi", "fibre_channel", "", None]),
    "volume_id": st.sampled_from(["vol-1", "vol-2", "", "x" * 40, None]),
    "boot_index": st.sampled_from([0, 1, 2, -1, "0", "x", None, 10**6]),
    "properties": st.sampled_from(
        [{}, {"auth_password": "hidden", "auth_username": "u"}, {"target_iqn": "iqn.x"}, None]
    ),
    "extra": OBJECTS,
    "uuid": st.sampled_from(["99999999-9999-4999-8999-999999999999", "bogus"]),
    "bogus": SHORT_TEXT,
}
STEPS = st.sampled_from(
    [
        [{"interface": "bios", "step": "factory_reset", "args": {}, "order": 2}],
        [{"interface": "bios", "step": "factory_reset", "args": {}, "priority": 20}],
        [{"interface": "power", "step": "x", "args": {"password": "p"}, "order": "7"}],
        [{"interface": "bogus", "step": "x", "args": {}, "order": 1}],
        [],
        None,
    ]
)
RULE_NAMES = st.sampled_from(["CUSTOM_A", "CUSTOM_B", "HW_CPU_X86_VMX", "alpha", "a b", "", None])
TEMPLATE_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": RULE_NAMES,
    "steps": STEPS,
    "extra": OBJECTS,
    "description": SHORT_TEXT,
    "uuid": st.sampled_from(["aaaaaaaa-1111-4111-8111-aaaaaaaaaaaa", "bogus"]),
    "bogus": SHORT_TEXT,
}
RUNBOOK_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **TEMPLATE_FIELDS,
    "public": BOOLEANS,
    "owner": SHORT_TEXT,
    "disable_ramdisk": BOOLEANS,
    "traits": st.sampled_from([["CUSTOM_A"], None]),
}
ALLOCATION_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": NAMES,
    "node": st.sampled_from(["{node-1}", "bogus", None]),
    "owner": SHORT_TEXT,
    "traits": st.sampled_from([["CUSTOM_A"], [], ["bogus"], None]),
    "extra": OBJECTS,
    "uuid": st.sampled_from(["bbbbbbbb-1111-4111-8111-bbbbbbbbbbbb", None]),
    "bogus": SHORT_TEXT,
}
#: Of an inspection rule; the list of those breaks down in Ironic once one has no conditions.
RULE_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "actions": st.sampled_from(
        [
            [{"op": "set-attribute", "args": {"path": "/extra/a", "value": 1}}],
            [{"op": "fail", "args": {"msg": "no"}, "loop": ["a"]}],
            [{"op": "set-attribute", "args": ["/extra/a", 1]}],
            [{"op": "set-attribute", "args": {"path": "/extra/a"}}],
            [{"op": "bogus", "args": {}}],
            [],
            None,
        ]
    ),
    "description": SHORT_TEXT,
    "phase": st.sampled_from(["main", "bogus", None]),
    "priority": st.sampled_from([0, 1, 9999, 10000, -1, "5", None]),
    "sensitive": BOOLEANS,
    "uuid": st.sampled_from(["cccccccc-1111-4111-8111-cccccccccccc", "bogus"]),
    "bogus": SHORT_TEXT,
}
#: What is never left out.
ALWAYS = {"candidate_nodes", "conditions"}
FIELDS = {
    "nodes": NODE_FIELDS,
    "ports": PORT_FIELDS,
    "portgroups": PORTGROUP_FIELDS,
    "chassis": CHASSIS_FIELDS,
    "volume/connectors": CONNECTOR_FIELDS,
    "volume/targets": TARGET_FIELDS,
    "deploy_templates": TEMPLATE_FIELDS,
    "runbooks": RUNBOOK_FIELDS,
    "allocations": ALLOCATION_FIELDS,
    "inspection_rules": RULE_FIELDS,
}
READ_ONLY_FIELDS = (
    *("created_at", "updated_at", "links", "ports", "reservation", "provision_state"),
    *("target_power_state", "last_error", "node_id", "id"),
)
TRAITS = st.sampled_from(
    ["CUSTOM_A", "CUSTOM_B", "HW_CPU_X86_VMX", "CUSTOM_", "custom_a", "BOGUS", "", "CUSTOM_é"]
)
VERBS = st.sampled_from(
    [
        *("manage", "provide", "active", "deleted", "rebuild", "clean", "inspect", "abort"),
        *("adopt", "rescue", "unrescue", "service", "unhold", "bogus"),
    ]
)
POWER_TARGETS = st.sampled_from(
    ["power on", "power off", "rebooting", "soft power off", "soft rebooting", "bogus"]
)

LOOKUPS = st.sampled_from(
    [
        *("", "?node_uuid={node-1}", "?node_uuid=bogus", "?addresses=52:54:00:00:00:01"),
        *("?addresses=bogus", "?bogus=1"),
    ]
)


@st.composite
def heartbeats(draw: st.DrawFn) -> dict[str, Any]:
    """Return what an agent without a token might say."""
    fields = {
        "callback_url": st.sampled_from(["https://192.0.2.1:9999", "http://x", "x", ""]),
        "agent_version": st.sampled_from(["11.0", ""]),
        "agent_token": st.just("wrong"),
        "agent_verify_ca": st.just("text"),
        "agent_status": st.sampled_from(["start", "bogus"]),
        "agent_status_message": st.just("text"),
        "bogus": st.just(1),
    }
    return {name: draw(value) for name, value in fields.items() if draw(st.integers(0, 2))}


@st.composite
def bodies(draw: st.DrawFn, kind: str, required: dict[str, Any]) -> dict[str, Any]:
    """Return a body to create a resource: what it needs, and up to three fields more."""
    body = dict(required)
    removable = sorted(body.keys() - ALWAYS)
    if draw(st.integers(0, 9)) == 0 and removable:
        del body[draw(st.sampled_from(removable))]
    for name in draw(st.lists(st.sampled_from(sorted(FIELDS[kind])), max_size=3, unique=True)):
        values = [FIELDS[kind][name]] * 2
        # With a UUID that is none, an allocation can't be deleted from Ironic any more.
        if (kind, name) != ("allocations", "uuid"):
            values.append(WRONG)
        body[name] = draw(st.one_of(*values))
    return body


@st.composite
def patches(draw: st.DrawFn, kind: str) -> Any:
    """Return a JSON patch, or something that is none."""
    if draw(st.integers(0, 19)) == 0:
        return draw(WRONG)
    return [draw(operations(kind)) for _ in range(draw(st.integers(1, 2)))]


@st.composite
def operations(draw: st.DrawFn, kind: str) -> dict[str, Any]:
    """Return one operation of a JSON patch."""
    fields = FIELDS[kind]
    name = draw(st.sampled_from([*sorted(fields), *READ_ONLY_FIELDS]))
    below = draw(st.sampled_from(["", "", "", "/a", "/a/b", "/-", "/"]))
    operation = {
        "op": draw(st.sampled_from(["add", "replace", "replace", "remove", "test", "bogus"])),
        "path": draw(st.sampled_from(["/", "/", "/", "/", "/", ""])) + name + below,
    }
    if operation["op"] != "remove" or draw(st.integers(0, 4)) == 0:
        operation["value"] = draw(
            st.one_of(fields.get(name, WRONG), fields.get(name, WRONG), WRONG)
        )
    return operation


@st.composite
def queries(draw: st.DrawFn, kind: str) -> str:
    """Return the query of a list."""
    names = [*sorted(FIELDS[kind]), *READ_ONLY_FIELDS]
    some = st.lists(st.sampled_from(names), min_size=1, max_size=3).map(",".join)
    parameters: dict[str, st.SearchStrategy[str]] = {
        "fields": some,
        "limit": st.sampled_from(["0", "1", "2", "1000", "-1", "x", ""]),
        "marker": st.sampled_from(["{node-1}", "{port-1}", "bogus", ""]),
        "sort_key": st.sampled_from(names),
        "sort_dir": st.sampled_from(["asc", "desc", "up"]),
        "detail": st.sampled_from(["True", "False", "1", "maybe"]),
        "node": st.sampled_from(["{node-1}", "alpha", "bogus"]),
        "node_uuid": st.sampled_from(["{node-1}", "bogus"]),
        "address": st.sampled_from(["52:54:00:00:00:01", "bogus"]),
        "maintenance": st.sampled_from(["True", "False", "x"]),
        "associated": st.sampled_from(["True", "False", "x"]),
        "retired": st.sampled_from(["True", "False"]),
        "provision_state": st.sampled_from(["enroll", "available", "bogus"]),
        "driver": st.sampled_from(["fake-hardware", "bogus"]),
        "resource_class": st.just("baremetal"),
        "fault": st.sampled_from(["none", "power%20failure", "bogus"]),
        "instance_uuid": st.just("11111111-1111-4111-8111-111111111111"),
        "chassis_uuid": st.just("{chassis-1}"),
        "conductor_group": st.sampled_from(["", "group"]),
        "owner": st.just("text"),
        "lessee": st.just("text"),
        "shard": st.sampled_from(["text", "a,b"]),
        "description_contains": st.just("te"),
        "include_children": st.sampled_from(["True", "False"]),
        "parent_node": st.just("{node-1}"),
        "portgroup": st.sampled_from(["{portgroup-1}", "bogus"]),
        "bogus": st.just("1"),
    }
    common = ["fields", "limit", "marker", "sort_key", "sort_dir", "detail"]
    chosen = draw(
        st.lists(
            st.one_of(st.sampled_from(common), st.sampled_from(sorted(parameters))),
            max_size=3,
            unique=True,
        )
    )
    return "&".join(f"{name}={draw(parameters[name])}" for name in chosen)
