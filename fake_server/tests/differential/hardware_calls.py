"""Calls of scenarios of hardware, and short sequences of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from fake_server.tests.differential.pair import Request
from fake_server.tests.differential.recording import Call

if TYPE_CHECKING:
    from collections.abc import Iterator

#: What scenarios vary: interfaces, ``driver_info``, steps, and paths below a node.
VALUES = yaml.safe_load(Path(__file__).with_name("hardware.yaml").read_text("utf-8"))
LATEST = "1.115"
SYSTEM = "/redfish/v1/Systems/27946b59-9e44-4fa7-8e91-f3527a1ef094"
NODE = "/v1/nodes/{node-1}"
WITH_REDFISH = ("redfish", "idrac")
WITH_MACHINES = (*WITH_REDFISH, "ipmi", "intel-ipmi")


def create(driver: str, version: str | None = LATEST, **fields: Any) -> Call:
    body = {"driver": driver, **fields}
    return Call(Request("POST", "/v1/nodes", version, body), creates="node-1")


def get(path: str, version: str | None = LATEST) -> Call:
    return Call(Request("GET", f"{NODE}{path}", version))


def change(method: str, path: str, body: Any = None, *until: str) -> Iterator[Call]:
    """Change something, and look at the node afterwards."""
    yield Call(Request(method, f"{NODE}{path}", body=body), until=until)
    yield get("")


def provision(target: str, *until: str, **more: Any) -> Iterator[Call]:
    return change("PUT", "/states/provision", {"target": target, **more}, *until)


def power(target: str) -> Iterator[Call]:
    return change("PUT", "/states/power", {"target": target})


def delete() -> Call:
    return Call(Request("DELETE", NODE))


def controller(driver: str, port: int) -> dict[str, Any]:
    """Return the ``driver_info`` for the controller beside the real Ironic."""
    if driver in WITH_REDFISH:
        return {"redfish_address": f"http://127.0.0.1:{port + 1}", "redfish_system_id": SYSTEM}
    account = {"ipmi_username": "admin", "ipmi_password": "password"}
    return {"ipmi_address": "127.0.0.1", "ipmi_port": port + 3, **account}


def images(port: int, *names: str) -> dict[str, str]:
    files = {"kernel": "k", "ramdisk": "r", "iso": "x.iso"}
    return {
        f"{purpose}_{name}": f"http://127.0.0.1:{port + 2}/{files[name]}"
        for purpose in ("deploy", "rescue")
        for name in names
    }


def with_agent(driver: str, port: int, *names: str, **fields: Any) -> Iterator[Call]:
    """Enrol a node whose agent can be booted, from an ISO image or kernel and ramdisk."""
    info = {**controller(driver, port), **images(port, *(names or ("kernel", "ramdisk")))}
    yield create(driver, driver_info=info, **fields)
    body = {"node_uuid": "{node-1}", "address": "52:54:00:00:00:01"}
    yield Call(Request("POST", "/v1/ports", LATEST, body))
    yield from provision("manage")


def boot(*until: str) -> Iterator[Call]:
    """Let the agent start and call for the first time."""
    yield Call(Request("GET", "/v1/lookup?node_uuid={node-1}"))
    yield from beat(*until)


def beat(*until: str) -> Iterator[Call]:
    body = {
        "callback_url": "{agent-1}",
        "agent_version": "13.0.0",
        "agent_token": "{token-1}",
    }
    yield Call(Request("POST", "/v1/heartbeat/{node-1}", body=body), until=until)
    yield get("")


def step(interface: str, name: str, **args: Any) -> dict[str, Any]:
    return {"interface": interface, "step": name, **({"args": args} if args else {})}


def recover() -> Iterator[Call]:
    """Bring a node that failed cleaning back."""
    yield Call(Request("DELETE", f"{NODE}/maintenance"))
    yield Call(Request("PUT", f"{NODE}/states/provision", body={"target": "manage"}))
