"""Requests that Ironic refuses, with a lab that they are about; for the fake server and a real one.

``refusals.json`` holds what a real Ironic 39.0.0 answers, but for the rows marked ``own``: there
Ironic fails with status 500, and the fake server says what is wrong. Names in braces stand for the
IDs and names of the lab, ``<uuid>`` for an ID that is chosen at random.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any, Protocol

import requests

# The newest version of that Ironic.
MAX_MINOR = 115
LATEST = f"1.{MAX_MINOR}"
ROWS = json.loads(Path(__file__).with_name("refusals.json").read_text())
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+")
_STEP = {"interface": "deploy", "step": "erase_devices", "args": {}}
_RULE = {"actions": [{"op": "fail", "args": {"msg": "no"}}], "conditions": []}


class Ironic(Protocol):
    """Sends a request; returns status and body, the text alone where that is an error."""

    def __call__(
        self, method: str, path: str, body: Any = None, version: str = LATEST
    ) -> tuple[int, Any]: ...


class RealIronic:
    """A real Ironic, whose work takes time.

    :param url: where it listens.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    def __call__(
        self, method: str, path: str, body: Any = None, version: str = LATEST
    ) -> tuple[int, Any]:
        response = requests.request(
            method,
            self._url + path,
            json=body,
            headers={"X-OpenStack-Ironic-API-Version": version},
            timeout=60,
        )
        answer = response.json() if response.content else None
        if isinstance(answer, dict) and "error_message" in answer:
            fault = json.loads(answer["error_message"])
            answer = fault.get("faultstring", fault)
        return response.status_code, answer


class Lab:
    """Nodes and what belongs to them, to be refused changes.

    :param ironic: the server to make it on.
    """

    def __init__(self, ironic: Ironic) -> None:
        self._ironic = ironic
        self.names = {"absent": "00000000-0000-4000-8000-00000000dead"}
        for name, states, fields in (
            ("enrolled", (), {}),
            ("manageable", ("manageable",), {}),
            ("active", ("manageable", "available", "active"), {"resource_class": "used"}),
            ("protected", ("manageable", "available", "active"), {}),
            ("retired", ("manageable",), {}),
            ("maintained", ("manageable",), {}),
            ("held", ("manageable", "available"), {"resource_class": "held"}),
        ):
            self._node(name, states, fields)
        self._patch("protected", "protected", True)
        self._patch("retired", "retired", True)
        self._patch("held", "owner", "somebody")
        self._done("PUT", "/v1/nodes/{maintained}/maintenance", {"reason": "broken"})
        self._networks()
        self._others()

    def refusal(self, row: dict[str, Any]) -> tuple[int, Any]:
        """Send a row's request and return its answer, with names in the place of IDs."""
        method, path = row["request"].split(" ", 1)
        body = json.loads(self._filled(json.dumps(row.get("body"))))
        status, answer = self._ironic(method, self._filled(path), body, row.get("version", LATEST))
        return status, json.loads(self._neutral(json.dumps(answer)))

    def everything(self) -> list[Any]:
        """Return all that a refused request may not change."""
        kinds = ("nodes", "ports", "portgroups", "chassis", "deploy_templates", "runbooks")
        kinds += ("inspection_rules", "volume/connectors", "volume/targets")
        paths = ("allocations?state=active", *(f"{kind}?detail=true" for kind in kinds))
        # A refused request may have locked the node, which sets this field.
        return [
            {name: value for name, value in row.items() if name != "updated_at"}
            for path in paths
            for rows in self._done("GET", f"/v1/{path}").values()
            for row in rows
        ]

    def delete(self) -> None:
        """Delete all of it."""
        self._done("DELETE", "/v1/allocations/{allocation}")
        self._patch("protected", "protected", False)
        for name in ("active", "protected"):
            self._done("PUT", f"/v1/nodes/{{{name}}}/states/provision", {"target": "deleted"})
            self._wait(name, "available")
        self._done("PUT", "/v1/nodes/{enrolled}/maintenance", {})
        for name in ("enrolled", "manageable", "active", "protected", "retired", "maintained"):
            self._done("DELETE", f"/v1/nodes/{{{name}}}")
        self._done("DELETE", "/v1/nodes/{held}")
        for path in ("chassis/{chassis}", "deploy_templates/{template}", "runbooks/{book}"):
            self._done("DELETE", f"/v1/{path}")
        for path in ("runbooks/{trait_book}", "inspection_rules/{rule}"):
            self._done("DELETE", f"/v1/{path}")

    def _node(self, name: str, states: tuple[str, ...], fields: dict[str, Any]) -> None:
        verbs = {"manageable": "manage", "available": "provide", "active": "active"}
        body = {"driver": "fake-hardware", "name": f"refused-{name}", **fields}
        self._create(name, "nodes", body)
        for state in states:
            self._done("PUT", f"/v1/nodes/{{{name}}}/states/provision", {"target": verbs[state]})
            self._wait(name, state)

    def _networks(self) -> None:
        for node, standalone in (("manageable", False), ("active", True)):
            prefix = "active_" if node == "active" else ""
            fields = {"node_uuid": f"{{{node}}}", "standalone_ports_supported": standalone}
            self._create(
                f"{prefix}group", "portgroups", {**fields, "name": f"refused-{prefix}group"}
            )
        for number, (name, node, fields) in enumerate(
            (
                ("port", "manageable", {"name": "refused-port"}),
                ("member", "manageable", {"portgroup_uuid": "{group}", "pxe_enabled": False}),
                (
                    "active_port",
                    "active",
                    {"portgroup_uuid": "{active_group}", "physical_network": "p"},
                ),
            )
        ):
            address = f"52:54:00:7e:00:0{number}"
            self.names.setdefault("mac", address)
            self._create(name, "ports", {"node_uuid": f"{{{node}}}", "address": address, **fields})

    def _others(self) -> None:
        # No allocation takes a node whose power state is unknown.
        self._done("PUT", "/v1/nodes/{held}/states/power", {"target": "power off"})
        self._wait("held", "available", lambda node: node["power_state"])
        self._create("chassis", "chassis", {})
        self._patch("enrolled", "chassis_uuid", "{chassis}")
        body = {"resource_class": "held", "name": "refused-allocation", "owner": "somebody"}
        self._create("allocation", "allocations", body)
        self._wait("held", "available", lambda node: node["instance_uuid"])
        template = {"name": "CUSTOM_REFUSED_TEMPLATE", "steps": [{**_STEP, "priority": 1}]}
        self._create("template", "deploy_templates", template)
        for name, traits in (("book", []), ("trait_book", ["CUSTOM_REFUSED"])):
            body = {"name": f"CUSTOM_REFUSED_{name.upper()}", "steps": [{**_STEP, "order": 1}]}
            self._create(name, "runbooks", body)
            if traits:
                self._done("PUT", f"/v1/runbooks/{{{name}}}/traits", {"traits": traits})
        self._create("rule", "inspection_rules", {**_RULE, "sensitive": True})
        node = {"node_uuid": "{manageable}"}
        self.names["iqn"] = "iqn.2010-10.org.openstack:refused"
        self._create(
            "connector", "volume/connectors", {**node, "type": "iqn", "connector_id": "{iqn}"}
        )
        target = {"volume_type": "iscsi", "boot_index": 0, "volume_id": "refused"}
        self._create("target", "volume/targets", {**node, **target})

    def _create(self, name: str, kind: str, body: dict[str, Any]) -> None:
        made = self._done("POST", f"/v1/{kind}", body)
        self.names[name] = made["uuid"]
        if made.get("name"):
            self.names[f"{name}_name"] = made["name"]

    def _patch(self, node: str, field: str, value: Any) -> None:
        patch = [{"op": "add", "path": f"/{field}", "value": value}]
        self._done("PATCH", f"/v1/nodes/{{{node}}}", patch)

    def _done(self, method: str, path: str, body: Any = None) -> Any:
        body = json.loads(self._filled(json.dumps(body)))
        status, answer = self._ironic(method, self._filled(path), body, LATEST)
        assert status < 300, (method, path, status, answer)
        return answer

    def _wait(self, name: str, state: str, also: Any = bool) -> None:
        for _ in range(300):
            node = self._done("GET", f"/v1/nodes/{{{name}}}")
            if node["provision_state"] == state and not node["reservation"] and also(node):
                return
            time.sleep(0.2)
        raise AssertionError((name, state, node))

    def _filled(self, text: str) -> str:
        return re.sub(r"{(\w+)}", lambda found: self.names[found[1]], text)

    def _neutral(self, text: str) -> str:
        for name, value in sorted(self.names.items(), key=lambda item: -len(item[1])):
            text = text.replace(value, f"{{{name}}}")
        return _TIME.sub("<time>", _UUID.sub("<uuid>", text))
