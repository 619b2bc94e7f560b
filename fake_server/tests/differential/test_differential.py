"""Random sequences of operations: the fake answers what a real Ironic answers."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

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

ACTIONS = st.sampled_from(["create", "create", "update", "show", "list", "delete"])


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

    @rule(
        action=ACTIONS,
        kind=st.sampled_from(sorted(values.RESOURCES)),
        version=values.VERSIONS,
        number=st.integers(1, 2),
        data=st.data(),
    )
    def resource(
        self, action: str, kind: str, version: str | None, number: int, data: st.DataObject
    ) -> None:
        handle = f"{values.RESOURCES[kind]['handle']}-{number}"
        path = f"/v1/{kind}/{{{handle}}}"
        if action == "create":
            body = values.bodies(data.draw, kind)
            self.pair.send(Request("POST", f"/v1/{kind}", version, body), creates=handle)
        elif action == "update":
            patch = values.patches(data.draw, kind)
            self.pair.send(Request("PATCH", path, version, patch))
        elif action == "show":
            query = values.queries(data.draw, kind)
            self.pair.send(Request("GET", f"{path}?{query}".rstrip("?"), version))
        elif action == "list":
            path = data.draw(st.sampled_from([f"/v1/{kind}", f"/v1/{kind}/detail"]))
            query = values.queries(data.draw, kind)
            self.pair.send(Request("GET", f"{path}?{query}", version))
        elif handle != "node-1":  # which keeps most sequences going
            self.pair.send(Request("DELETE", path, version))

    @rule(
        node=st.sampled_from(values.NODES),
        version=values.VERSIONS,
        verb=st.sampled_from(values.VERBS),
        more=st.sampled_from(values.OBJECTS),
    )
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

    @rule(version=values.VERSIONS, data=st.data())
    def other(self, version: str | None, data: st.DataObject) -> None:
        request = values.others(data.draw, version)
        node = request.path.removeprefix("/v1/nodes/").partition("/")[0]
        changes = request.method != "GET" and request.path.startswith("/v1/nodes/")
        self.pair.send(request, settles=node.strip("{}") if changes else None)


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
