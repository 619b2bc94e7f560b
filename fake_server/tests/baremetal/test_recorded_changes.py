"""What may be changed of a node and of all that belongs to it, by the state that it is in.

Recorded from the fake server, so that no change goes unnoticed.
"""

from __future__ import annotations

import pytest

from fake_server.settings import ENABLED_INTERFACES
from fake_server.tests.baremetal.api import Api
from fake_server.tests.baremetal.facts import by_fact

pytestmark = pytest.mark.rows

NODE = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
INSTANCE = "33333333-3333-4333-8333-333333333333"
PORT = "44444444-4444-4444-8444-444444444444"
MEMBER = "55555555-5555-4555-8555-555555555555"
GROUP = "66666666-6666-4666-8666-666666666666"
EMPTY = "77777777-7777-4777-8777-777777777777"
CONNECTOR = "88888888-8888-4888-8888-888888888888"
FOREIGN = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
TARGET = "99999999-9999-4999-8999-999999999999"
STEP = {"interface": "deploy", "step": "erase_devices"}
MADE = (
    ("ports", {"uuid": PORT, "address": "52:54:00:00:00:01"}),
    ("portgroups", {"uuid": GROUP, "name": "g"}),
    ("portgroups", {"uuid": EMPTY, "name": "e"}),
    ("ports", {"uuid": MEMBER, "address": "52:54:00:00:00:02", "portgroup_uuid": GROUP}),
    ("volume/connectors", {"uuid": CONNECTOR, "type": "ip", "connector_id": "c"}),
    ("volume/targets", {"uuid": TARGET, "volume_type": "i", "volume_id": "v", "boot_index": 0}),
)
TO_USE = ("manage", "provide", "active")
# How a node comes into a state; what begins with a colon isn't a verb.
STATES = {
    "enroll": (),
    "available": ("manage", "provide"),
    "available, in maintenance": ("manage", "provide", ":maintenance"),
    "active": TO_USE,
    "active, allocated": ("manage", "provide", ":allocate", "active"),
    "active, protected": (*TO_USE, ":protected"),
    "clean wait": ("manage", ":agents", "clean"),
}
ARGUMENTS = {"clean": {"clean_steps": [STEP]}}
FIELDS = (
    *(("deploy_interface", "direct"), ("bios_interface", "fake"), ("network_interface", "noop")),
    *(("driver", value) for value in ("fake-hardware", "x")),
    *(("instance_uuid", value) for value in (None, INSTANCE, OTHER, "x")),
    *(("resource_class", value) for value in (None, "silver")),
    *(("protected", value) for value in (True, False, None)),
    *(("retired", value) for value in (True, False)),
    *(("maintenance", value) for value in (True, False)),
    *(("protected_reason", "r"), ("retired_reason", "r"), ("maintenance_reason", "r")),
    *(("instance_info", {"display_name": "d"}), ("instance_name", "i"), ("instance_name", None)),
    *(("properties", {"local_gb": -1, "memory_mb": "x"}), ("extra", {"a": 1}), ("name", "new")),
    *(("owner", "o"), ("lessee", "l"), ("description", "d"), ("conductor_group", "g")),
    *(("automated_clean", True), ("disable_power_off", True), ("parent_node", OTHER)),
    *(("network_data", {}), ("shard", "s"), ("driver_info", {"a": 1})),
)
TOGETHER = (
    {"protected": True, "protected_reason": "r"},
    {"protected": False, "protected_reason": "r"},
    {"retired": True, "retired_reason": "r"},
    {"retired": False, "retired_reason": "r"},
    {"maintenance": True, "deploy_interface": "direct"},
    {"maintenance": False, "deploy_interface": "direct"},
    {"maintenance": True, "resource_class": "silver"},
    {"maintenance": True, "instance_uuid": None},
    {"instance_info": {"display_name": "d"}, "instance_name": "i"},
)
OF_PORTS = (
    *(("address", "52:54:00:00:00:09"), ("portgroup_uuid", EMPTY), ("portgroup_uuid", GROUP)),
    *(("portgroup_uuid", None), ("pxe_enabled", False), ("pxe_enabled", True)),
    *(("local_link_connection", {"switch_id": "00:00:00:00:00:01", "port_id": "p"}),),
    *(("local_link_connection", {}), ("physical_network", "p"), ("physical_network", None)),
    *(("extra", {"a": 1}), ("extra", {"vif_port_id": "v"}), ("node_uuid", OTHER), ("name", "x")),
)
OF_GROUPS = (
    *(("node_uuid", OTHER), ("node_uuid", NODE), ("mode", "802.3ad"), ("name", "new")),
    *(("address", "52:54:00:00:00:08"), ("standalone_ports_supported", False), ("extra", {"a": 1})),
    *(("properties", {"miimon": 1}), ("physical_network", "p")),
)
NEW_TARGET = {"node_uuid": NODE, "volume_type": "i", "volume_id": "w", "boot_index": 1}


def setting(kind, uuid, **fields):
    """Return a request that sets fields."""
    patch = [{"op": "add", "path": f"/{name}", "value": value} for name, value in fields.items()]
    return "PATCH", f"/v1/{kind}/{uuid}", patch


REQUESTS = (
    *(setting("nodes", NODE, **{name: value}) for name, value in FIELDS),
    *(
        ("PATCH", f"/v1/nodes/{NODE}", [{"op": "remove", "path": f"/{name}"}])
        for name in dict.fromkeys(name for name, _ in FIELDS[2:])
    ),
    *(setting("nodes", NODE, **fields) for fields in TOGETHER),
    *(setting("ports", PORT, **{name: value}) for name, value in OF_PORTS),
    ("PATCH", f"/v1/ports/{PORT}", [{"op": "remove", "path": "/local_link_connection"}]),
    *(setting("portgroups", GROUP, **{name: value}) for name, value in OF_GROUPS),
    *(setting(kind, FOREIGN, node_uuid=NODE) for kind in ("portgroups", "ports")),
    *(("DELETE", f"/v1/ports/{port}") for port in (PORT, MEMBER)),
    *(("DELETE", f"/v1/portgroups/{group}") for group in (GROUP, EMPTY)),
    ("POST", "/v1/ports", {"node_uuid": NODE, "address": "52:54:00:00:00:07"}),
    ("POST", "/v1/portgroups", {"node_uuid": NODE, "name": "third"}),
    ("POST", "/v1/volume/targets", NEW_TARGET),
    ("POST", "/v1/volume/connectors", {"node_uuid": NODE, "type": "iqn", "connector_id": "q"}),
    setting("volume/targets", TARGET, extra={"a": 1}),
    setting("volume/connectors", CONNECTOR, extra={"a": 1}),
    ("DELETE", f"/v1/volume/targets/{TARGET}"),
    ("DELETE", f"/v1/volume/connectors/{CONNECTOR}"),
    ("DELETE", f"/v1/nodes/{NODE}/allocation"),
    ("DELETE", "/v1/allocations/a"),
    setting("allocations", "a", name="b"),
    *(
        (
            "POST",
            "/v1/allocations",
            {"node": NODE, "resource_class": "gold", "name": "c", name: value},
        )
        for name, value in (
            *(("extra", {}), ("resource_class", "silver"), ("traits", []), ("owner", "o")),
            *(("traits", ["CUSTOM_A"]), ("traits", ["CUSTOM_B"]), ("candidate_nodes", [NODE])),
            *(("candidate_nodes", [OTHER]), ("resource_class", None)),
        )
    ),
    ("POST", "/v1/allocations", {"resource_class": "gold", "candidate_nodes": [NODE]}),
    ("POST", "/v1/allocations", {"resource_class": "gold", "traits": ["CUSTOM_B"]}),
    ("POST", "/v1/allocations", {"resource_class": "silver", "traits": ["CUSTOM_A"]}),
    ("PUT", f"/v1/nodes/{NODE}/traits", {"traits": ["CUSTOM_C"]}),
    ("PUT", f"/v1/nodes/{NODE}/traits/CUSTOM_C"),
    ("PUT", f"/v1/nodes/{NODE}/traits/CUSTOM_C", {"traits": ["CUSTOM_D"]}),
    ("PUT", f"/v1/nodes/{NODE}/traits/CUSTOM_C", {"a": 1}),
    ("PUT", f"/v1/nodes/{NODE}/traits/CUSTOM_C", {}),
    ("PUT", f"/v1/nodes/{NODE}/traits", {}),
    ("DELETE", f"/v1/nodes/{NODE}/traits"),
    ("POST", f"/v1/nodes/{NODE}/vifs", {"id": INSTANCE}),
    ("DELETE", f"/v1/nodes/{NODE}/vifs/{INSTANCE}"),
    ("PUT", f"/v1/nodes/{NODE}/states/power", {"target": "power on"}),
    ("PUT", f"/v1/nodes/{NODE}/states/console", {"enabled": True}),
    ("GET", f"/v1/nodes/{NODE}/states/console"),
    ("PUT", f"/v1/nodes/{NODE}/states/raid", {"logical_disks": []}),
    ("PUT", f"/v1/nodes/{NODE}/states/boot_mode", {"target": "uefi"}),
    ("PUT", f"/v1/nodes/{NODE}/management/boot_device", {"boot_device": "pxe"}),
    ("PUT", f"/v1/nodes/{NODE}/maintenance", {"reason": "again"}),
    ("DELETE", f"/v1/nodes/{NODE}/maintenance"),
    ("POST", f"/v1/nodes/{NODE}/vendor_passthru", {}),
    ("POST", f"/v1/nodes/{NODE}/vendor_passthru?method=", {}),
    ("DELETE", f"/v1/nodes/{NODE}"),
)
KEPT = ("provision_state", "maintenance", "instance_uuid", "allocation_uuid", "instance_name")
KEPT += ("resource_class", "protected_reason", "retired_reason", "maintenance_reason", "fault")


class Lab:
    """A node in a state, with one of each kind, and another node."""

    def __init__(self, state):
        interfaces = {**ENABLED_INTERFACES, "boot": ("fake", "ipxe"), "deploy": ("fake", "direct")}
        interfaces["inspect"] = ("fake", "agent")
        self.api = Api(interfaces=interfaces, agent="external")
        images = dict.fromkeys(("deploy_kernel", "deploy_ramdisk"), "http://192.0.2.1/x")
        info = {"image_source": "http://192.0.2.1/i", "image_checksum": "c"}
        fields = {"boot_interface": "ipxe", "driver_info": images, "instance_info": info}
        self.api.enrol(uuid=NODE, resource_class="gold", **fields)
        self.api.enrol("other", uuid=OTHER)
        for kind, body in MADE:
            status, made = self.api("POST", f"/v1/{kind}", {"node_uuid": NODE, **body})
            assert status == 201, made
        for kind, fields in (("ports", {"address": "52:54:00:00:00:06"}), ("portgroups", {})):
            body = {"node_uuid": OTHER, "uuid": FOREIGN, **fields}
            assert self.api("POST", f"/v1/{kind}", body)[0] == 201
        self.api("PUT", f"/v1/nodes/{NODE}/traits", {"traits": ["CUSTOM_A"]})
        for event in STATES[state]:
            self._happen(event)
        assert self.api.state() == state.partition(",")[0].replace("allocated", "available"), state
        self.api.app.control.snapshots.take("before")
        node = self.api.node()
        self.before = {name: node[name] for name in KEPT}

    def outcome(self, method, path, body=None):
        """Return the answer to a request, and the node afterwards."""
        status, answer = self.api(method, path, body)
        if status < 300:
            found, node = self.api("GET", f"/v1/nodes/{NODE}")
            node = node if found == 200 else {}
            if isinstance(answer, dict):
                # More than what was asked for is for other tests.
                wanted = asked_for(method, body)
                other = {
                    name: answer.get(name) for name in wanted if answer.get(name) != wanted[name]
                }
                answer = f"but {other}" if other else ""
            became = [
                f"{name}={node.get(name)}" for name in KEPT if node.get(name) != self.before[name]
            ]
            answer = " ".join([str(answer or ""), *became]).strip()
            self.api.app.control.snapshots.restore("before")
        return f"{status} {answer}".replace(NODE, "NODE").replace(OTHER, "OTHER")

    def _happen(self, event):
        api, path = self.api, f"/v1/nodes/{NODE}"
        if not event.startswith(":"):
            assert api.provision(event, **ARGUMENTS.get(event, {}))[0] == 202, event
        elif event == ":maintenance":
            api("PUT", f"{path}/maintenance", {"reason": "broken"})
        elif event == ":allocate":
            api("PUT", f"{path}/states/power", {"target": "power off"})
            body = {"resource_class": "gold", "name": "a", "candidate_nodes": [NODE]}
            assert api("POST", "/v1/allocations", body)[0] == 201
            assert api.node()["allocation_uuid"]
        elif event == ":protected":
            assert api.patch("protected", True)[0] == 200
        else:
            for kind, name in (("deploy", "direct"), ("inspect", "agent")):
                assert api.patch(f"{kind}_interface", name)[0] == 200


def asked_for(method, body):
    """Return the fields and the values that a request sets."""
    if method == "PATCH":
        return {one["path"][1:]: one.get("value") for one in body}
    return {} if method == "PUT" else body or {}


@pytest.fixture(scope="module")
def usual():
    return outcomes("available")


def outcomes(state):
    lab = Lab(state)
    return {named(*asked): lab.outcome(*asked) for asked in REQUESTS}


def named(method, path, body=None):
    """Return a short name of a request."""
    path = path.removeprefix("/v1/").replace(f"nodes/{NODE}", "node").replace(NODE, "NODE")
    if method != "PATCH":
        values = " ".join(f"{name}={body[name]}" for name in body or {} if body[name] != NODE)
        return f"{method} {path} {values}".replace(NODE, "NODE").rstrip()
    fields = ", ".join(f"{one['path'][1:]}={one.get('value', '-')}" for one in body)
    return f"{path} {fields}".replace(NODE, "NODE").replace(OTHER, "OTHER")


def test_a_state_allows_what_is_recorded(recorded, usual):
    recorded(by_fact({asked: [said] for asked, said in usual.items()}))


@pytest.mark.parametrize("state", [state for state in STATES if state != "available"])
def test_other_states_allow_more_or_less_as_recorded(recorded, usual, state):
    found = outcomes(state)
    recorded(by_fact({asked: [found[asked]] for asked in found if found[asked] != usual[asked]}))


def test_sizes_are_numbers_as_recorded(recorded):
    lab = Lab("enroll")
    found = {}
    for name in ("local_gb", "cpus"):
        for value in (None, -1, 0, "-1", "x", "", 1.5, [], True, 1e400):
            patch = [{"op": "add", "path": "/properties", "value": {name: value}}]
            body = {"driver": "fake-hardware", "uuid": INSTANCE, "properties": {name: value}}
            for asked in (("PATCH", f"/v1/nodes/{NODE}", patch), ("POST", "/v1/nodes", body)):
                said = lab.outcome(*asked)
                found[f"{asked[0]}:{name} {value!r}"] = [said if said[0] == "4" else said[:3]]
    recorded(by_fact(found))
