"""What is said of labs that can't be, in whole sentences, and what becomes of those that can.

A deliberate change is written down with ``--record -n 0``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from fake_server.clock import Clock
from fake_server.seeds.parsing import SeedError
from fake_server.server import FakeServer
from fake_server.tests import recorded

RECORD = Path(__file__).with_name("seeds.json.gz")
MAC = "52:54:00:00:00:01"
PATTERN = "52:54:00:00:{index:02x}:{number:02x}"
RACK = "00000000-0000-4000-8000-000000000007"
STEP = {"interface": "deploy", "step": "deploy", "args": {}, "priority": 1}
RUNBOOK = {"name": "CUSTOM_R", "steps": [{"interface": "bios", "step": "b", "order": 1}]}
TARGET = {"volume_type": "iscsi", "volume_id": "v", "boot_index": 0}
OWN = re.compile(r"\br-[0-9a-z]{8}\b|[0-9a-f]{16}\$[0-9a-f]{64}")
RULE = {"actions": [{"op": "fail", "args": {"msg": "m"}}]}


def node(**fields):
    return {"nodes": [{"name": "n", **fields}]}


SEEDS = {
    "lists": (
        *({}, {"racks": []}, {"nodes": {}}, {"nodes": ["n"]}, {"nodes": None}, {"nodes": []}),
        *({"nodes": [{"name": "n"}] * 2}, {"nodes": [{"uuid": RACK}] * 2}, {"nodes": [{}]}),
    ),
    "numbers": tuple(
        node(name="n{index}", **fields)
        for fields in (
            *({"count": 0}, {"count": 2}, {"count": 2, "start": 7}, {"count": -1}, {"start": 1}),
            *({"count": True}, {"count": "2"}, {"count": 1, "start": -1}, {"count": 10**9}),
            *({"count": 1, "start": 1_000_000}, {"count": 1, "start": 1_000_001}),
            {"count": 2, "ports": [{"address": PATTERN, "count": 2}]},
            {"count": 1, "description": "{index} {index:d} {index:03x} {index:X} {index:mac} {x}"},
            *({"count": 1, "description": "{index:0100d}"}, {"description": "{index}"}),
            {"count": 1, "ports": [{"address": "{index:mac}"}]},
            {"count": 1, "extra": {"{index}": ["{index}", {"a": "{index}"}]}},
        )
    ),
    "nodes": tuple(
        node(**fields)
        for fields in (
            *({"nmae": "x"}, {"name": 5}, {"name": "a b"}, {"name": "detail"}, {"name": None}),
            *({"driver": "ilo"}, {"driver": None}, {"deploy_interface": "iscsi"}),
            *({"deploy_interface": "direct"}, {"properties": {"memory_mb": "x"}}),
            *({"extra": {"a": float("nan")}}, {"extra": {5: 1}}, {"extra": None}, {"extra": []}),
            *({"description": "\udc80"}, {"description": "\0"}, {"description": "é"}),
            *({"resource_class": "x" * 80}, {"resource_class": "x" * 81}, {"resource_class": ""}),
            *({"provision_state": "odd"}, {"provision_state": "active"}, {"power_state": "odd"}),
            *({"target_power_state": "soft rebooting"}, {"power_state": "soft rebooting"}),
            *({"maintenance": None}, {"maintenance": "yes"}, {"maintenance": True}, {"uuid": "x"}),
            *({"traits": ["gold"]}, {"traits": "gold"}, {"traits": None}, {"traits": [5]}),
            *({"traits": ["CUSTOM_A", "CUSTOM_A", "HW_CPU_X86_AVX"]}, {"traits": ["CUSTOM_"]}),
            *({"traits": [f"CUSTOM_{'A' * length}"]} for length in (248, 249)),
            *({"traits": [f"CUSTOM_{number}" for number in range(many)]} for many in (50, 51)),
            *({"chassis_uuid": RACK}, {"chassis_uuid": 5}, {"parent_node": "x"}),
            *({"parent_node": "n"}, {"network_data": {"a": 1}}, {"instance_uuid": RACK}),
            *({"inventory": {}}, {"inventory": {"inventory": {}, "plugin_data": []}}),
            *({"inventory": {"inventory": {}, "plugin_data": {}}}, {"inventory": None}),
            *({"last_error": "x" * 70_000}, {"owner": "x" * 255}, {"owner": "x" * 256}),
            *({"provision_updated_at": value} for value in ("now", 5, None, "2026-01-31")),
            *({"history": [history]} for history in (
                *({}, {"event": "e"}, {"event": None}, {"event": 5}, {"event": "e", "user": 5}),
                *({"event": "e", "created_at": "now"}, {"event": "e", "created_at": 5}),
                {"event": "e", "created_at": "2026-01-31T12:00:00+01:00"},
                {"event": "e", "created_at": "2026-01-31 12:00"},
            )),
            *({"bios": [bios]} for bios in ({}, {"name": "b"}, {"name": "b", "read_only": 5})),
            {"bios": [{"name": "b"}, {"name": "b"}]},
            *({"firmware": [one]} for one in ({}, {"component": "x"}, {"component": "bios"})),
        )
    ),
    "ports": tuple(
        node(**{kind: [entry]})
        for kind, entries in {
            "ports": (
                *({}, {"address": 1145}, {"address": "x"}, {"address": MAC.upper()}),
                *({"address": MAC, "portgroup": "b"}, {"address": MAC, "node_uuid": RACK}),
                *({"address": MAC, "pxe_enabled": "x"}, {"address": MAC, "vendor": "x" * 33}),
                *({"address": MAC, "vendor": "x" * 32}, {"address": MAC, "category": "x" * 81}),
                {"address": MAC, "local_link_connection": {"switch_id": "x"}},
                {"address": MAC, "local_link_connection": {"switch_id": MAC, "port_id": "p"}},
                *({"address": MAC, "physical_network": "x" * length} for length in (64, 65)),
            ),
            "portgroups": ({}, {"name": "g"}, {"name": "g", "mode": "x"}, {"address": "x"}),
            "volume_connectors": ({}, {"type": "iqn"}, {"type": "iqn", "connector_id": "i"}),
            "volume_targets": (
                *({}, TARGET, {**TARGET, "boot_index": "0"}, {**TARGET, "boot_index": -1}),
                *({**TARGET, "boot_index": 2**31 - 1}, {**TARGET, "boot_index": 2**31}),
            ),
        }.items()
        for entry in entries
    ),
    "others": (
        *({"deploy_templates": [one]} for one in (
            *({}, {"name": "CUSTOM_A"}, {"name": "a"}, {"name": "CUSTOM_A", "steps": [{}]}),
            *({"name": "CUSTOM_A", "steps": [STEP] * 2}, {"name": "CUSTOM_A", "steps": []}),
            *({"name": "CUSTOM_A", "steps": [STEP]}, {"name": "CUSTOM_A", "steps": "x"}),
            *({"name": "CUSTOM_A", "steps": [{**STEP, "priority": value}]}
              for value in (0, -1, "5", 10**30)),
        )),
        *({"runbooks": [{**RUNBOOK, **more}]} for more in (
            *({}, {"traits": [5]}, {"traits": ["CUSTOM_B"]}, {"name": "r"}, {"steps": []}),
            *({"public": "x"}, {"owner": "o"}, {"disable_ramdisk": True}),
        )),
        *({"inspection_rules": [one]} for one in (
            *({}, RULE, {"actions": [{"op": "x"}]}, {**RULE, "phase": "x"}),
            *({**RULE, "phase": "main"}, {**RULE, "priority": -1}, {**RULE, "priority": 9999}),
            *({**RULE, "priority": 10_000}, {**RULE, "sensitive": True}, {**RULE, "conditions": 5}),
        )),
        *({"allocations": [one]} for one in (
            *({}, {"name": "a"}, {"node": "x"}, {"state": "active"}, {"state": "odd"}),
            *({"resource_class": "c", "candidate_nodes": value} for value in (["x"], [RACK], "x")),
            *({"resource_class": "c"}, {"resource_class": "c", "state": "error"}),
            {"resource_class": "c", "state": "allocating"},
        )),
        *({**node(), "allocations": list(ones)} for ones in (
            *([{"node": "n"}], [{"node": "n"}, {"node": "n"}], [{"node": "n", "state": "error"}]),
            *([{"node": "n", "state": "active"}], [{"node": "m"}], [{"node": 5}]),
        )),
        *({"chassis": [one]} for one in (
            *({}, {"description": "x" * 255}, {"description": "x" * 256}, {"uuid": RACK}),
            *({"nodes": [{"chassis_uuid": RACK}]}, {"nodes": [{"name": "n"}]}, {"nodes": {}}),
        )),
    ),
    "services": (
        *({"projects": [{}]}, {"projects": [{"name": "p"}]}, {"projects": [{"name": "p"}] * 2}),
        *({"users": [{"name": "u", **more}]} for more in (
            *({}, {"system": ["king"]}, {"password": 5}, {"projects": {"x": ["member"]}}),
        )),
        *({"networks": [one]} for one in (
            *({"mtu": "x"}, {"mtu": 1500}, {"status": "x"}, {"subnets": [{}]}, {"name": 5}),
            {"subnets": [{"cidr": "10.0.0.0/24", "gateway_ip": "fd00::1"}]},
            *({"subnets": [{"cidr": "x"}]}, {"ports": [{"mac_address": MAC}] * 2}),
            {"subnets": [{"cidr": "10.0.0.0/24"}], "ports": [{"mac_address": MAC}]},
        )),
        *({"trunks": [one]} for one in (
            *({}, {"port_id": "x"}, {"port_id": "x", "sub_ports": [5]}),
        )),
        *({"network_quotas": [{"project_id": "p", "port": value}]} for value in (-2, -1, 0, "x")),
        *({"volumes": [{"size": 3, **more}]} for more in (
            *({}, {"size": "3"}, {"size": None}, {"bootable": None}, {"volume_type_id": "x"}),
        )),
        *({"volumes": [{}]}, {"volume_types": [{"name": "t"}] * 2}, {"volume_types": [{}]}),
        *({"servers": [{"name": "s", **more}]} for more in (
            *({}, {"flavor": "x"}, {"flavor": {}}, {"flavor": {}, "ports": [{}]}),
        )),
        *({"keypairs": [one]} for one in ({}, {"name": "k"}, {"name": "k", "public_key": "x"})),
        *({"flavors": [one]} for one in ({}, {"name": "f"}, {"name": "f", "ram": "x"})),
        *({"images": [one]} for one in ({}, {"name": "i"}, {"id": "x"})),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def server():
    with FakeServer(clock=Clock("manual", start=1_700_000_000)) as server:
        yield server


@pytest.mark.parametrize("kind", SEEDS)
def test_seeds_are_loaded_as_recorded(request, server, kind):
    found = {}
    for number, seed in enumerate(SEEDS[kind]):
        try:
            server.seed(seed)
            told = recorded.masked(json.dumps(server.export_seed(), sort_keys=True))
        except SeedError as exc:
            told = recorded.masked(str(exc))
        found[f"{number} {recorded.masked(ascii(seed))[:200]}"] = OWN.sub("-", told)[:2000]
        server.reset()
    recorded.check(request, RECORD, kind, found)
