"""What each account may ask for, of nodes of its project and of others.

Recorded from the fake server, so that no change goes unnoticed; Ironic 39 answered the same where
both were asked.
"""

from __future__ import annotations

from collections import defaultdict

from fake_server.tests.baremetal.test_recorded_versions import KINDS, numbered

ACCOUNTS = (
    *("system-admin", "system-member", "system-reader", "admin", "nova"),
    *("project-admin", "project-member", "project-reader", "other-member"),
)
NODES = ("owned", "leased")
# What belongs to a node, and what doesn't.
PARTS = ("ports", "portgroups", "volume/connectors", "volume/targets")
OTHERS = ("chassis", "allocations", "deploy_templates", "runbooks", "inspection_rules")
OF_A_NODE = (
    *("", "/states", "/bios", "/firmware", "/history", "/inventory", "/traits", "/vifs", "/vmedia"),
    *("/children", "/allocation", "/ports", "/portgroups", "/volume/connectors", "/validate"),
    *("/volume/targets", "/management/boot_device", "/management/boot_device/supported"),
    *("/management/indicators", "/states/console", "/vendor_passthru/methods"),
)
CHANGES = (
    ("PUT", "/maintenance", {}),
    ("DELETE", "/maintenance", None),
    ("PUT", "/states/power", {"target": "bogus"}),
    ("PUT", "/states/provision", {"target": "bogus"}),
    ("PUT", "/states/raid", {}),
    ("PUT", "/states/console", {"enabled": "bogus"}),
    ("PUT", "/states/boot_mode", {"target": "bogus"}),
    ("PUT", "/states/secure_boot", {"target": "bogus"}),
    ("PUT", "/management/boot_device", {"boot_device": "bogus"}),
    ("PUT", "/management/inject_nmi", {}),
    ("PUT", "/management/indicators/system/led", {"state": "bogus"}),
    ("POST", "/vifs", {}),
    ("DELETE", "/vifs/x", None),
    ("POST", "/vmedia", {}),
    ("DELETE", "/vmedia", None),
    ("PUT", "/traits", {"traits": []}),
    ("PUT", "/traits/CUSTOM_A", None),
    ("DELETE", "/traits/CUSTOM_A", None),
    ("DELETE", "/allocation", None),
    ("POST", "/vendor_passthru/x", {}),
)
FIELDS = (
    *("extra", "instance_info", "properties", "driver_info", "automated_clean", "description"),
    *("conductor_group", "shard", "owner", "lessee", "protected", "retired", "parent_node", "name"),
    *("resource_class", "instance_uuid", "chassis_uuid", "bios_interface", "disable_power_off"),
    *("network_data", "protected_reason", "retired_reason", "maintenance", "driver"),
)
GENERAL = (
    *("/v1/nodes", "/v1/nodes/detail", "/v1/ports", "/v1/portgroups", "/v1/volume/connectors"),
    *("/v1/volume/targets", "/v1/chassis", "/v1/allocations", "/v1/deploy_templates", "/v1/shards"),
    *("/v1/runbooks", "/v1/inspection_rules", "/v1/conductors", "/v1/conductors/x", "/v1/drivers"),
    *("/v1/drivers/fake-hardware", "/v1/drivers/fake-hardware/properties"),
    *("/v1/drivers/fake-hardware/raid/logical_disk_properties", "/v1/nodes?owner=x"),
    *("/v1/drivers/fake-hardware/vendor_passthru/methods", "/v1/nodes?detail=true"),
)


def told(answer):
    """Return the status, and the number of things shown."""
    found = answer.json() if answer.status_code == 200 else {}
    lists = [len(value) for value in found.values() if isinstance(value, list)]
    return f"200({lists[0]})" if len(found) == 1 and lists else str(answer.status_code)


class Asker:
    """Notes what each account gets for each request."""

    def __init__(self, call):
        self._call = call
        self.found = defaultdict(lambda: defaultdict(list))

    def ask(self, account, method, path, body=None, *, node="", as_what=None):
        answer = self._call(account, method, path, json=body)
        self.found[f"{method} {path if as_what is None else as_what}"][node].append(told(answer))
        return answer

    def change(self, account, kind, node="", **more):
        """Create something, show it, change it and remove it, with an admin's help."""
        path, fields = f"/v1/{kind}", numbered(KINDS[kind], 1) | more
        made = self.ask(account, "POST", path, fields, node=node, as_what=kind)
        if made.status_code >= 300:
            made = self._call("system-admin", "POST", path, json=fields)
        assert made.status_code == 201, made.text
        ident = made.json()["uuid"]
        changed = "description" if kind == "inspection_rules" else "extra"
        patch = [{"op": "add", "path": f"/{changed}", "value": None}]
        for method, body in (("GET", None), ("PATCH", patch), ("DELETE", None)):
            where = f"{path}/{ident}"
            self.ask(account, method, where, body, node=node, as_what=f"{kind}/x")
        self._call("system-admin", "DELETE", f"{path}/{ident}")


def ask_all(call):
    asker = Asker(call)
    for account in ACCOUNTS:
        for path in GENERAL:
            asker.ask(account, "GET", path)
        for kind in OTHERS:
            asker.change(account, kind)
        for node in NODES:
            uuid = call("system-admin", "GET", f"/v1/nodes/{node}").json()["uuid"]
            one = f"/v1/nodes/{node}"
            for kind in PARTS:
                asker.change(account, kind, node, node_uuid=uuid)
            for path in OF_A_NODE:
                asker.ask(account, "GET", f"{one}{path}", node=node, as_what=f"node{path}")
            for method, path, body in CHANGES:
                asker.ask(account, method, f"{one}{path}", body, node=node, as_what=f"node{path}")
            for name in FIELDS:
                patch = [{"op": "add", "path": f"/{name}", "value": [{"wrong": 1}]}]
                asker.ask(account, "PATCH", one, patch, node=node, as_what=f"node {name}")
        asker.ask(account, "POST", "/v1/nodes", {"driver": "bogus"})
    return asker.found


def test_rights_are_as_recorded(call, recorded):
    found = {
        request: [f"{node} {' '.join(said)}".lstrip() for node, said in by_node.items()]
        for request, by_node in ask_all(call).items()
    }
    recorded({"the accounts": " ".join(ACCOUNTS), **found})
