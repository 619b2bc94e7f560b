"""Random sequences of operations: the fake answers what a real Ironic answers."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from fake_server.baremetal.hardware_types import FAKE_HARDWARE, KINDS
from fake_server.server import FakeServer
from fake_server.settings import Settings
from fake_server.tests.differential import values
from fake_server.tests.differential.controllers import reset_machines
from fake_server.tests.differential.hardware_calls import WITH_MACHINES, controller
from fake_server.tests.differential.pair import Pair, Request, Server

RESOURCES = st.sampled_from(sorted(values.FIELDS))
NODES = st.sampled_from(["{node-1}", "{node-2}", "{node-2}", "alpha", "bogus"])
HANDLES = {
    "nodes": "node",
    "ports": "port",
    "portgroups": "portgroup",
    "chassis": "chassis",
    "volume/connectors": "connector",
    "volume/targets": "target",
    "deploy_templates": "template",
    "runbooks": "runbook",
    "allocations": "allocation",
    "inspection_rules": "rule",
}
STEP = {"interface": "bios", "step": "factory_reset", "args": {}}
REQUIRED: dict[str, dict[str, Any]] = {
    "nodes": {"driver": "fake-hardware"},
    "ports": {"node_uuid": "{node-1}", "address": "52:54:00:00:00:01"},
    "portgroups": {"node_uuid": "{node-1}"},
    "chassis": {},
    "volume/connectors": {"node_uuid": "{node-1}", "type": "iqn", "connector_id": "iqn.1"},
    "volume/targets": {
        "node_uuid": "{node-1}",
        "volume_type": "iscsi",
        "volume_id": "vol-1",
        "boot_index": 0,
    },
    "deploy_templates": {"name": "CUSTOM_A", "steps": [{**STEP, "priority": 10}]},
    "runbooks": {"name": "CUSTOM_A", "steps": [{**STEP, "order": 1}]},
    # Which of several nodes an allocation gets is up to Ironic's dice.
    "allocations": {"resource_class": "baremetal", "candidate_nodes": ["{node-1}"]},
    "inspection_rules": {
        "conditions": [{"op": "eq", "args": {"values": ["{node.driver}", "x"]}}],
        "actions": [{"op": "set-attribute", "args": {"path": "/extra/a", "value": 1}}],
    },
}
SUB_RESOURCES = st.sampled_from(
    [
        *("", "/states", "/traits", "/vifs", "/ports", "/portgroups", "/volume"),
        *("/volume/connectors", "/volume/targets", "/validate", "/management/boot_device"),
        *("/bios", "/history", "/firmware", "/management/boot_device/supported"),
        *("/states/console", "/inventory", "/vmedia", "/bios/x", "/children"),
        *("/management/indicators", "/vendor_passthru/methods", "/bogus", "/maintenance"),
        *("/allocation",),
    ]
)


#: Method, path below a node, and body of what hardware is asked for.
HARDWARE: list[tuple[str, str, Any]] = [
    *(("PUT", "/states/boot_mode", {"target": mode}) for mode in ("bios", "uefi", "bogus")),
    *(("PUT", "/states/secure_boot", {"target": wanted}) for wanted in (True, False)),
    ("PUT", "/states/raid", {"logical_disks": [{"size_gb": 10, "raid_level": "1"}]}),
    ("PUT", "/states/raid", {"logical_disks": []}),
    ("PUT", "/management/indicators/bogus@system", {"state": "on"}),
    ("PUT", "/management/indicators/bogus", {"state": "off"}),
    ("DELETE", "/vmedia", None),
    ("DELETE", "/vmedia?device_types=cdrom", None),
    ("POST", "/vendor_passthru/send_raw", {"raw_bytes": "0x06 0x01"}),
    ("POST", "/vendor_passthru/send_raw", {}),
    ("POST", "/vendor_passthru/bmc_reset", {"warm": True}),
    ("POST", "/vendor_passthru/create_subscription", {}),
    ("PUT", "/states/console", {"enabled": True}),
    *(
        ("PUT", "/states/provision", {"target": "clean", "clean_steps": [step], **ramdisk})
        for step in (STEP, {"interface": "raid", "step": "delete_configuration"})
        for ramdisk in ({}, {"disable_ramdisk": True})
    ),
]


class SideBySide(RuleBasedStateMachine):
    """Drives both servers through the same operations."""

    pair: Pair
    #: The hardware types of the second node.
    drivers: tuple[str, ...]

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        self.pair.clear()
        driver = data.draw(st.sampled_from(self.drivers))
        port = urlsplit(self.pair.real.url).port or 80
        info = {}
        if driver in WITH_MACHINES:
            info = controller(driver, port)
            reset_machines(port)
        for number, body in (
            (1, {"driver": FAKE_HARDWARE}),
            (2, {"driver": driver, "driver_info": info}),
        ):
            self.pair.send(Request("POST", "/v1/nodes", body=body), creates=f"node-{number}")
        if "ipmi" in driver:
            # Its controller keeps what nodes before made of its machine.
            for below, body in (
                ("/states/power", {"target": "power off"}),
                ("/management/boot_device", {"boot_device": "pxe"}),
            ):
                path = f"/v1/nodes/{{node-2}}{below}"
                self.pair.send(Request("PUT", path, body=body), settles="node-2")

    @rule(kind=RESOURCES, version=values.VERSIONS, number=st.integers(1, 2), data=st.data())
    def create(self, kind: str, version: str | None, number: int, data: st.DataObject) -> None:
        body = data.draw(values.bodies(kind, REQUIRED[kind]))
        self.pair.send(
            Request("POST", f"/v1/{kind}", version, body), creates=f"{HANDLES[kind]}-{number}"
        )

    @rule(kind=RESOURCES, version=values.VERSIONS, number=st.integers(1, 2), data=st.data())
    def update(self, kind: str, version: str | None, number: int, data: st.DataObject) -> None:
        patch = data.draw(values.patches(kind))
        path = f"/v1/{kind}/{{{HANDLES[kind]}-{number}}}"
        self.pair.send(Request("PATCH", path, version, patch))

    @rule(kind=RESOURCES, version=values.VERSIONS, number=st.integers(1, 2), data=st.data())
    def show(self, kind: str, version: str | None, number: int, data: st.DataObject) -> None:
        query = data.draw(values.queries(kind)) if data.draw(st.booleans()) else ""
        path = f"/v1/{kind}/{{{HANDLES[kind]}-{number}}}" + (f"?{query}" if query else "")
        self.pair.send(Request("GET", path, version))

    @rule(kind=RESOURCES, version=values.VERSIONS, detail=st.booleans(), data=st.data())
    def listing(self, kind: str, version: str | None, detail: bool, data: st.DataObject) -> None:
        path = f"/v1/{kind}" + ("/detail" if detail else "")
        self.pair.send(Request("GET", f"{path}?{data.draw(values.queries(kind))}", version))

    @rule(kind=RESOURCES, version=values.VERSIONS, number=st.integers(1, 2))
    def delete(self, kind: str, version: str | None, number: int) -> None:
        if kind == "nodes" and number == 1:
            return  # keeps most sequences going
        self.pair.send(Request("DELETE", f"/v1/{kind}/{{{HANDLES[kind]}-{number}}}", version))

    @rule(body=values.heartbeats(), node=NODES, version=values.VERSIONS)
    def heartbeat(self, node: str, version: str | None, body: dict[str, Any]) -> None:
        self.pair.send(Request("POST", f"/v1/heartbeat/{node}", version, body))

    @rule(query=values.LOOKUPS, version=values.VERSIONS)
    def look_up(self, query: str, version: str | None) -> None:
        self.pair.send(Request("GET", f"/v1/lookup{query}", version))

    @rule(node=NODES, version=values.VERSIONS, below=SUB_RESOURCES)
    def look_below(self, node: str, version: str | None, below: str) -> None:
        self.pair.send(Request("GET", f"/v1/nodes/{node}{below}", version))

    @rule(node=NODES, version=values.VERSIONS, traits=st.lists(values.TRAITS, max_size=3))
    def set_traits(self, node: str, version: str | None, traits: list[str]) -> None:
        self.pair.send(Request("PUT", f"/v1/nodes/{node}/traits", version, {"traits": traits}))

    @rule(
        node=NODES,
        version=values.VERSIONS,
        trait=values.TRAITS,
        method=st.sampled_from(["PUT", "DELETE", "GET"]),
    )
    def one_trait(self, node: str, version: str | None, trait: str, method: str) -> None:
        self.pair.send(Request(method, f"/v1/nodes/{node}/traits/{quote(trait)}", version))

    @rule(
        version=values.VERSIONS,
        trait=values.TRAITS,
        method=st.sampled_from(["PUT", "PUT", "DELETE", "GET"]),
        number=st.integers(1, 2),
    )
    def runbook_trait(self, version: str | None, trait: str, method: str, number: int) -> None:
        path = f"/v1/runbooks/{{runbook-{number}}}/traits/{quote(trait)}"
        self.pair.send(Request(method, path, version))

    @rule(node=NODES, version=values.VERSIONS)
    def deallocate(self, node: str, version: str | None) -> None:
        self.pair.send(Request("DELETE", f"/v1/nodes/{node}/allocation", version))

    @rule(node=NODES, version=values.VERSIONS, verb=values.VERBS, more=values.OBJECTS)
    def provision(self, node: str, version: str | None, verb: str, more: dict[str, Any]) -> None:
        body: dict[str, Any] = {"target": verb}
        if verb == "clean":
            body["clean_steps"] = [{"interface": "deploy", "step": "erase_devices"}]
        if verb == "rescue":
            body["rescue_password"] = "password"
        if more == {"a": 1}:
            body.update(more)
        if more == {} and verb in ("clean", "service"):
            body = {"target": verb, "runbook": "{runbook-1}"}
        self.pair.send(
            Request("PUT", f"/v1/nodes/{node}/states/provision", version, body),
            settles=node.strip("{}"),
        )

    @rule(node=NODES, version=values.VERSIONS, state=values.POWER_TARGETS)
    def power(self, node: str, version: str | None, state: str) -> None:
        self.pair.send(
            Request("PUT", f"/v1/nodes/{node}/states/power", version, {"target": state}),
            settles=node.strip("{}"),
        )

    @rule(node=NODES, version=values.VERSIONS, on=st.booleans())
    def maintenance(self, node: str, version: str | None, on: bool) -> None:
        method, body = ("PUT", {"reason": "testing"}) if on else ("DELETE", None)
        self.pair.send(Request(method, f"/v1/nodes/{node}/maintenance", version, body))

    @rule(
        node=NODES,
        version=values.VERSIONS,
        device=st.sampled_from(["pxe", "disk", "cdrom", "bogus", None]),
        persistent=values.BOOLEANS,
    )
    def boot_device(
        self, node: str, version: str | None, device: str | None, persistent: object
    ) -> None:
        body = {"boot_device": device, "persistent": persistent}
        self.pair.send(Request("PUT", f"/v1/nodes/{node}/management/boot_device", version, body))

    @rule(node=NODES, version=values.VERSIONS, asked=st.sampled_from(HARDWARE))
    def hardware(self, node: str, version: str | None, asked: tuple[str, str, Any]) -> None:
        method, below, body = asked
        self.pair.send(
            Request(method, f"/v1/nodes/{node}{below}", version, body), settles=node.strip("{}")
        )

    @rule(
        node=NODES,
        version=values.VERSIONS,
        body=st.sampled_from(
            [
                {"id": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"},
                {"id": "vif-1", "port_uuid": "{port-1}"},
                {"id": "vif-1", "portgroup_uuid": "{portgroup-1}"},
                {"id": 1},
                {},
            ]
        ),
    )
    def attach(self, node: str, version: str | None, body: dict[str, Any]) -> None:
        self.pair.send(Request("POST", f"/v1/nodes/{node}/vifs", version, body))

    @rule(node=NODES, version=values.VERSIONS)
    def detach(self, node: str, version: str | None) -> None:
        vif = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
        self.pair.send(Request("DELETE", f"/v1/nodes/{node}/vifs/{vif}", version))

    @rule(
        method=st.sampled_from(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]),
        path=st.sampled_from(
            [
                *("/", "/v1", "/v1/", "/v2", "/v1/bogus", "/v1/nodes/", "/v1/nodes/detail"),
                *("/v1/volume", "/v1/volume/", "/v1/drivers", "/v1/drivers/fake-hardware"),
                *("/v1/drivers/bogus", "/v1/drivers/fake-hardware/properties", "/v1/conductors"),
                *("/v1/conductors/bogus", "/v1/shards", "/v1/nodes.json", "/v1//nodes"),
                *("/v1/nodes/{node-1}.json", "/v1/nodes/{node-1}/traits/"),
                *("/v1/nodes/{node-1}/vifs/x/y", "/v1/ports/detail/"),
            ]
        ),
        version=values.VERSIONS,
    )
    def routes(self, method: str, path: str, version: str | None) -> None:
        body = {} if method in ("POST", "PUT", "PATCH") else None
        self.pair.send(Request(method, path, version, body))


def test_same_answers(request: pytest.FixtureRequest) -> None:
    """No sequence of operations tells the fake from a real Ironic."""
    real = request.config.getoption("--real-ironic")
    if not real:
        pytest.skip("needs --real-ironic URL")
    settling = settings(
        max_examples=int(os.environ.get("DIFFERENTIAL_EXAMPLES", "30")),
        stateful_step_count=20,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    listed = Server(real).send(Request("GET", "/v1/drivers?detail=true")).json()["drivers"]
    found = tuple(item["name"] for item in listed)
    interfaces = {
        kind: tuple({name for item in listed for name in item[f"enabled_{kind}_interfaces"]})
        for kind in KINDS
    }
    with FakeServer(Settings(hardware_types=found, interfaces=interfaces)) as fake:

        class Machine(SideBySide):
            pair = Pair(real, fake.url)
            drivers = found

        run_state_machine_as_test(Machine, settings=settling)
