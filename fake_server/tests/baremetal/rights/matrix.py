"""Who asks what of whose: the people of a cloud, what is in it, and every request to Ironic.

The same cloud is made in the real Ironic, whose answers are the facts beside this module, and in
the fake server. Only the standard library is used, as it runs in Ironic's environment, too.
"""

from __future__ import annotations

import json
import re
import uuid
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

#: Sends a request as somebody: person, method, path and body; returns status and body.
Send: TypeAlias = "Callable[[str, str, str, Any], tuple[int, Any]]"

ALL = ("admin", "manager", "member", "reader")
VERSION = "1.115"


class Person(NamedTuple):
    """Somebody with a token.

    :param scope: the project, ``system``, ``domain`` or nothing.
    :param roles: the roles, with those that they imply.
    """

    scope: str
    roles: tuple[str, ...] = ()


PEOPLE: Mapping[str, Person] = {
    "system-admin": Person("system", ALL),
    "system-manager": Person("system", ALL[1:]),
    "system-member": Person("system", ALL[2:]),
    "system-reader": Person("system", ALL[3:]),
    "system-service": Person("system", ("service",)),
    "admin": Person("admin", ALL),
    "nova": Person("service", ("service",)),
    "project-admin": Person("demo", ALL),
    "project-manager": Person("demo", ALL[1:]),
    "project-member": Person("demo", ALL[2:]),
    "project-reader": Person("demo", ALL[3:]),
    "project-service": Person("demo", ("service",)),
    "project-custom": Person("demo", ("custom",)),
    "other-manager": Person("other", ALL[1:]),
    "other-member": Person("other", ALL[2:]),
    "other-service": Person("other", ("service",)),
    "domain-admin": Person("domain", ALL),
    "unscoped": Person(""),
}
#: Nodes by name: who owns and who leases them.
NODES = {
    "owned": ("demo", None),
    "leased": ("other", "demo"),
    "others": ("other", None),
    "nobodys": (None, None),
}
#: Nodes that have an allocation, and whose that is.
TAKEN = {
    "taken-owned": ("demo", None, "demo"),
    "taken-leased": ("other", "demo", "other"),
    "taken-others": ("other", None, "other"),
    "taken-mixed": ("other", None, "demo"),
}
#: Nodes with an instance on them.
ACTIVE = {"active-owned": ("demo", None), "active-leased": ("other", "demo")}
#: Nodes below others: owner and parent.
CHILDREN = {"child-owned": ("demo", "others"), "child-others": ("other", "owned")}
OWNERS = {"demos": "demo", "others": "other", "nobodys": None}
STEPS = [{"interface": "bios", "step": "factory_reset", "args": {}, "order": 1}]
PLAIN_STEPS = [{"interface": "bios", "step": "factory_reset", "args": {}}]
PARTS = ("ports", "portgroups", "volume/connectors", "volume/targets")
#: Fields of nodes that can be patched; a wrong value shows who may without changing anything.
FIELDS = (
    *("extra", "instance_info", "properties", "driver_info", "automated_clean", "description"),
    *("conductor_group", "shard", "owner", "lessee", "protected", "retired", "parent_node", "name"),
    *("resource_class", "instance_uuid", "chassis_uuid", "bios_interface", "disable_power_off"),
    *("network_data", "protected_reason", "retired_reason", "driver", "network_interface"),
    *("instance_name", "power_interface", "firmware_interface", "storage_interface"),
)
OF_A_NODE = (
    *("", "?fields=name,owner,driver_info,last_error,reservation", "/states", "/bios", "/bios/x"),
    *("/firmware", "/history", "/history?detail=true", "/history/<{}-history>", "/inventory"),
    *("/traits", "/vifs", "/vmedia", "/children", "/allocation", "/ports", "/portgroups"),
    *("/volume/connectors", "/volume/targets", "/volume", "/management/boot_device"),
    *("/management/boot_device/supported", "/management/indicators", "/states/console"),
    *("/management/indicators/system", "/vendor_passthru/methods", "/maintenance"),
)
#: What is asked for by UUID as well as by name.
BY_UUID = (
    *("", "/states", "/history", "/allocation", "/ports", "/portgroups", "/children"),
    *("/volume/connectors", "/volume/targets", "/volume"),
)
CHANGES: tuple[tuple[str, str, Any], ...] = (
    ("PUT", "/maintenance", {"reason": "x"}),
    ("DELETE", "/maintenance", None),
    ("PUT", "/states/power", {"target": "bogus"}),
    ("PUT", "/states/provision", {"target": "bogus"}),
    ("PUT", "/states/provision", {"target": "bogus", "clean_steps": PLAIN_STEPS}),
    ("PUT", "/states/provision", {"target": "bogus", "service_steps": PLAIN_STEPS}),
    ("PUT", "/states/raid", {"logical_disks": "bogus"}),
    ("PUT", "/states/console", {"enabled": True}),
    ("PUT", "/states/boot_mode", {"target": "bogus"}),
    ("PUT", "/states/secure_boot", {"target": True}),
    ("PUT", "/management/boot_device", {"boot_device": "bogus"}),
    ("PUT", "/management/inject_nmi", {}),
    ("PUT", "/management/indicators/led@system", {"state": "ON"}),
    ("POST", "/vifs", {"id": "3d1b58ae-2b9f-4c43-9d5c-0a1a2fc4b0b3"}),
    ("DELETE", "/vifs/3d1b58ae-2b9f-4c43-9d5c-0a1a2fc4b0b3", None),
    ("POST", "/vmedia", {"device_type": "cdrom", "image_url": "http://x"}),
    ("DELETE", "/vmedia", None),
    ("PUT", "/traits", {"traits": ["bogus"]}),
    ("PUT", "/traits/CUSTOM_B", None),
    ("DELETE", "/traits/CUSTOM_A", None),
    ("DELETE", "/traits", None),
    ("DELETE", "/allocation", None),
    ("POST", "/vendor_passthru/bogus", {}),
    ("DELETE", "", None),
    ("PATCH", "", [{"op": "remove", "path": "/extra/bogus"}]),
    ("PATCH", "", [{"op": "add", "path": "/extra/a", "value": 1}]),
    ("PATCH", "", [{"op": "add", "path": "/instance_info/a", "value": 1}]),
    ("PATCH", "", [{"op": "add", "path": "/lessee", "value": "<other>"}]),
    ("PATCH", "", [{"op": "add", "path": "/owner", "value": "<demo>"}]),
    ("PATCH", "", [{"op": "add", "path": "/automated_clean", "value": False}]),
    ("PATCH", "", [{"op": "add", "path": "/automated_clean", "value": True}]),
    ("PATCH", "", [{"op": "add", "path": "/network_data", "value": {}}]),
    (
        "PATCH",
        "",
        [
            {"op": "add", "path": "/extra/a", "value": 1},
            {"op": "add", "path": "/shard", "value": "s"},
        ],
    ),
)
LISTS = (
    *("nodes", "nodes/detail", "nodes?detail=true", "nodes?owner=<demo>", "nodes?owner=<other>"),
    *("nodes?lessee=<demo>", "nodes?lessee=<other>", "nodes?project=<demo>"),
    *("nodes?project=<other>", "nodes/detail?project=<other>", "nodes?associated=true"),
    *("nodes?instance_uuid=<taken-owned-instance>", "nodes?instance_uuid=<taken-others-instance>"),
    *("nodes?instance_uuid=<taken-leased-instance>", "nodes?fields=name,owner,driver_info"),
    *("nodes?instance_uuid=<taken-others-instance>&detail=true", "nodes?include_children=true"),
    *("nodes?parent_node=<owned>", "nodes?parent_node=<others>", "nodes?parent_node=others"),
    *("nodes?chassis_uuid=<chassis>", "nodes?resource_class=gold", "nodes?shard=s1"),
    *("nodes?sharded=true", "nodes?conductor=localhost", "nodes?description_contains=a"),
    *("nodes?maintenance=false", "nodes?provision_state=manageable", "nodes?driver=fake-hardware"),
    *("nodes?marker=<others>", "nodes?limit=1", "nodes?retired=false", "nodes?fault=none"),
    *("nodes?conductor_group=", "nodes?instance_name=x", "nodes?sort_key=name"),
    *("chassis", "chassis/detail", "chassis/<chassis>", "chassis/<chassis>/nodes"),
    *("chassis/<chassis>/nodes/detail", "volume", "shards", "conductors", "conductors/localhost"),
    *(
        "drivers",
        "drivers?detail=true",
        "drivers/fake-hardware",
        "drivers/fake-hardware/properties",
    ),
    *("drivers/fake-hardware/raid/logical_disk_properties", "deploy_templates"),
    *("drivers/fake-hardware/vendor_passthru/methods", "deploy_templates/CUSTOM_TEMPLATE"),
    *("deploy_templates?detail=true", "inspection_rules", "inspection_rules/<rule>"),
    *("allocations", "allocations?owner=<demo>", "allocations?owner=<other>"),
    *("allocations?resource_class=silver", "allocations?state=error", "runbooks"),
    *("runbooks?detail=true", "runbooks?project=true", "runbooks?project=false"),
    *("lookup", "lookup?node_uuid=<owned>", "ports", "ports/detail", "ports?detail=true"),
    *("ports?shard=s1", "portgroups", "portgroups/detail", "portgroups?detail=true"),
    *("portgroups?shard=s1", "volume/connectors", "volume/connectors?detail=true"),
    *("volume/targets", "volume/targets?detail=true", "ports?fields=address,extra"),
    *("ports?address=52:54:00:ff:ff:ff", "ports?conductor_groups=", "portgroups?fields=name"),
    *("ports?description_contains=a", "ports?marker=<others-port>", "ports?limit=1"),
    *("portgroups?limit=1", "volume/targets?limit=1", "volume/connectors?limit=1"),
)


#: What a policy file says, beside what is published.
POLICIES = {
    "baremetal:step:execute:bios.factory_reset": "role:manager",
    "baremetal:step:execute:bios.apply_configuration": "project_id:%(node.owner)s",
    "baremetal:step:execute:raid.create_configuration": "role:custom or rule:readers",
    "baremetal:step:execute:deploy.erase_devices": "!",
    "readers": "role:reader",
    "baremetal:node:update": "rule:readers",
    "baremetal:node:update:name": "role:admin",
    "baremetal:driver:get": "rule:readers",
    "baremetal:volume:update": "role:reader",
    "show_password": "role:manager",
    "show_instance_secrets": "rule:show_password and not role:admin",
}
_GUARDED_STEPS = (
    *(("bios", "factory_reset"), ("bios", "apply_configuration"), ("raid", "create_configuration")),
    *(("deploy", "erase_devices"), ("deploy", "nobodys")),
)


class Row(NamedTuple):
    """A request that everybody makes.

    :param route: the address without what it names.
    :param path: the path below ``/v1``; names in angle brackets stand for ids.
    """

    method: str
    route: str
    path: str
    body: Any = None

    def __str__(self) -> str:
        """Return the request on one line."""
        body = "" if self.body is None else f" {json.dumps(self.body)}"
        return f"{self.method} /v1/{self.path}{body}"


def ident(name: str) -> str:
    """Return the UUID of what has a name here."""
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def filled(text: str, projects: Mapping[str, str]) -> str:
    """Return a text with the ids that names in angle brackets stand for."""
    return re.sub("<([^<>]+)>", lambda found: projects.get(found[1]) or ident(found[1]), text)


def address(name: str) -> str:
    """Return the MAC address of what has a name here."""
    return "52:54:00:" + ":".join(re.findall("..", uuid.UUID(ident(name)).hex[:6]))


def things(projects: Mapping[str, str]) -> Iterator[tuple[str, str, Any]]:
    """Yield the requests of an administrator of the system that make up the cloud, in order."""
    yield "POST", "chassis", {"uuid": ident("chassis")}
    owners: dict[str, tuple[str | None, ...]] = {**NODES, **TAKEN, **ACTIVE}
    for number, (name, (owner, lessee, *_)) in enumerate(owners.items()):
        yield "POST", "nodes", _node(name, owner and projects[owner], number)
        if lessee:
            yield "PATCH", f"nodes/{name}", _patch("lessee", projects[lessee])
    for name, (owner, parent) in CHILDREN.items():
        # A new child has the owner of its parent.
        child = _node(name, projects[NODES[parent][0] or ""], 9)
        yield "POST", "nodes", child | {"parent_node": ident(parent)}
        yield "PATCH", f"nodes/{name}", _patch("owner", projects[owner])
    for name in (*owners, *CHILDREN):
        yield "PUT", f"nodes/{name}/states/power", {"target": "power off"}
        yield "PUT", f"nodes/{name}/states/provision", {"target": "manage"}
    for name in NODES:
        yield "PATCH", f"nodes/{name}", _patch("instance_info/a_password", "secret")
        yield "PUT", f"nodes/{name}/traits", {"traits": ["CUSTOM_A"]}
        for kind in PARTS:
            yield "POST", kind, part(kind, name, name)
    for name, owner in OWNERS.items():
        yield "POST", "runbooks", runbook(f"CUSTOM_{name.upper()}", owner and projects[owner])
        allocation = {"uuid": ident(f"{name}-allocation"), "name": f"{name}-allocation"}
        owned = {"owner": projects[owner]} if owner else {}
        yield "POST", "allocations", {"resource_class": "none", **allocation, **owned}
    public = runbook("CUSTOM_PUBLIC", None)
    yield "POST", "runbooks", public | {"public": True}
    for name in ("DEMOS", "OTHERS", "NOBODYS", "PUBLIC"):
        yield "PUT", f"runbooks/CUSTOM_{name}/traits", {"traits": ["CUSTOM_A"]}
    yield "POST", "deploy_templates", template("CUSTOM_TEMPLATE")
    yield "POST", "inspection_rules", rule("rule")
    for name in ACTIVE:
        for verb in ("provide", "active"):
            yield "PUT", f"nodes/{name}/states/provision", {"target": verb}
    for name, (*_, owner) in TAKEN.items():
        yield "PUT", f"nodes/{name}/states/provision", {"target": "provide"}
        body = {"name": f"{name}-allocation", "uuid": ident(f"{name}-instance")}
        found = {"resource_class": "silver", "candidate_nodes": [name], "owner": projects[owner]}
        yield "POST", "allocations", body | found


def _node(name: str, owner: str | None, number: int) -> dict[str, Any]:
    taken = name.startswith("taken")
    return {
        "uuid": ident(name),
        "name": name,
        "driver": "fake-hardware",
        "resource_class": "silver" if taken else "gold",
        "chassis_uuid": ident("chassis"),
        "description": name,
        "shard": f"s{number % 3}",
        "driver_info": {"a_password": "secret"},
        **({"owner": owner} if owner else {}),
    }


def _patch(name: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{name}", "value": value}]


def part(kind: str, node: str, name: str) -> dict[str, Any]:
    """Return the body that creates what belongs to a node."""
    one = kind.rpartition("/")[2].rstrip("s")
    made = {"uuid": ident(f"{name}-{one}"), "node_uuid": ident(node), "extra": {"name": name}}
    return (
        made
        | {
            "ports": {"address": address(f"{name}-port")},
            "portgroups": {"name": f"{name}-portgroup", "address": address(f"{name}-portgroup")},
            "volume/connectors": {"type": "iqn", "connector_id": f"iqn.{name}"},
            "volume/targets": {
                "volume_type": "iscsi",
                "volume_id": name,
                "boot_index": 0 if node == name else 7,
                "properties": {"target_iqn": "iqn.1"},
            },
        }[kind]
    )


def runbook(name: str, owner: str | None) -> dict[str, Any]:
    """Return the body that creates a runbook."""
    made = {"uuid": ident(name), "name": name, "steps": STEPS}
    return made | ({"owner": owner} if owner else {})


def template(name: str) -> dict[str, Any]:
    """Return the body that creates a deploy template."""
    steps = [{"interface": "bios", "step": "apply_configuration", "args": {}, "priority": 90}]
    return {"uuid": ident(name), "name": name, "steps": steps}


def rule(name: str) -> dict[str, Any]:
    """Return the body that creates an inspection rule."""
    actions = [{"op": "set-attribute", "args": {"path": "/extra/x", "value": "y"}}]
    return {"uuid": ident(name), "description": name, "actions": actions, "conditions": []}


def rows() -> Iterator[Row]:
    """Yield every request."""
    yield from _of_nodes()
    yield from _of_parts()
    yield from _of_allocations()
    yield from _of_runbooks()
    yield from _of_nobody()
    for path in LISTS:
        yield _row("GET", path)


def rows_by_file() -> Iterator[Row]:
    """Yield requests that are answered in another way by the policies of :data:`POLICIES`."""
    no_step = {"interface": "bogus", "step": "bogus"}
    for interface, name in _GUARDED_STEPS:
        step = {"interface": interface, "step": name, "args": {}}
        for node in ("owned", "leased"):
            for target, kind in (("clean", "clean"), ("service", "service"), ("active", "deploy")):
                steps = [step | ({"priority": 10} if kind == "deploy" else {}), no_step]
                body = {"target": target, f"{kind}_steps": steps}
                yield _row("PUT", f"nodes/{node}/states/provision", body, f"steps to {target}")
        steps = [step | {"order": 1}]
        body = {"uuid": ident("CUSTOM_NEW"), "name": "CUSTOM_NEW", "steps": steps}
        yield _row("POST", "runbooks", body)
        for book in ("DEMOS", "NOBODYS"):
            path = f"runbooks/CUSTOM_{book}"
            yield _row("PATCH", path, _patch("steps", steps), "runbooks/{}")
    for book in ("DEMOS", "OTHERS", "NOBODYS", "PUBLIC"):
        for change in (_patch("extra", {"a": 1}), _patch("steps/0/args", {"a": 1})):
            yield _row("PATCH", f"runbooks/CUSTOM_{book}", change, "runbooks/{}")
        for node in ("owned", "leased"):
            body = {"target": "clean", "runbook": f"CUSTOM_{book}"}
            yield _row("PUT", f"nodes/{node}/states/provision", body, "a runbook")
    for node in ("owned", "leased"):
        for field in FIELDS:
            yield _row("PATCH", f"nodes/{node}", _patch(field, [{"wrong": 1}]), "nodes/{}")
        yield _row("GET", f"nodes/{node}?fields=driver_info,instance_info", None, "nodes/{}")
        yield _row("GET", f"nodes/{node}")
        yield _row("GET", f"volume/targets?node={node}&detail=true")
    for path in ("nodes?fields=driver_info,instance_info", "nodes/detail", "drivers"):
        yield _row("GET", path)


def _row(method: str, path: str, body: Any = None, route: str | None = None) -> Row:
    return Row(method, route or re.sub(r"<[^<>]*>", "{}", path.partition("?")[0]), path, body)


def _of_nodes() -> Iterator[Row]:
    for name in NODES:
        for below in OF_A_NODE:
            route = "nodes/{}" + below.partition("?")[0].replace("<{}-history>", "{}")
            for called in (name, f"<{name}>") if below in BY_UUID else (name,):
                yield _row("GET", f"nodes/{called}{below.format(name)}", None, route)
    for name in NODES:
        for method, below, body in CHANGES:
            yield _row(method, f"nodes/{name}{below}", body, f"nodes/{{}}{below}")
        yield _row("GET", f"nodes/validate?node={name}")
        yield _row("GET", f"nodes/validate?node_uuid=<{name}>")
        yield _row("GET", f"nodes/<{name}>/history/<others-history>", None, "nodes/{}/history/{}")
        for other in NODES:
            if other != name:
                for field in ("parent_node", "chassis_uuid"):
                    body = _patch(field, f"<{other}>")
                    yield _row("PATCH", f"nodes/{name}", body, "nodes/{}")
        for book in ("DEMOS", "OTHERS", "NOBODYS", "PUBLIC"):
            body = {"target": "clean", "runbook": f"CUSTOM_{book}"}
            # Steps besides are refused once the runbook may be used.
            body["clean_steps"] = PLAIN_STEPS
            path = f"nodes/{name}/states/provision"
            yield _row("PUT", path, body, "nodes/{}/states/provision with a runbook")
        steps = [
            {
                **PLAIN_STEPS[0],
                "execute_on_child_nodes": True,
                "limit_child_node_execution": [f"<{other}>", "bogus"],
            }
            for other in NODES
        ]
        for step in steps:
            body = {"target": "clean", "clean_steps": [step]}
            route = "nodes/{}/states/provision of children"
            yield _row("PUT", f"nodes/{name}/states/provision", body, route)
    for name in ("taken-owned", "taken-leased", "taken-others", "taken-mixed"):
        for called in (name, f"<{name}>"):
            yield _row("GET", f"nodes/{called}/allocation", None, "nodes/{}/allocation")
        yield _row("DELETE", f"nodes/{name}/allocation", None, "nodes/{}/allocation")
        yield _row("PATCH", f"nodes/{name}", _patch("owner", "<demo>"), "nodes/{}")
        yield _row("PATCH", f"nodes/{name}", _patch("instance_uuid", None), "nodes/{}")
    for name in ("owned", "leased"):
        for field in FIELDS:
            body = _patch(field, [{"wrong": 1}])
            yield _row("PATCH", f"nodes/{name}", body, "nodes/{}")
    for name in ACTIVE:
        for field, value in (("owner", "<demo>"), ("owner", "<other>"), ("lessee", "<other>")):
            yield _row("PATCH", f"nodes/{name}", _patch(field, value), "nodes/{}")
        yield _row("GET", f"nodes/{name}", None, "nodes/{}")
    for name in CHILDREN:
        yield _row("GET", f"nodes/{name}", None, "nodes/{}")
    for owner in ("<demo>", "<other>", None):
        body = {"driver": "fake-hardware", **({"owner": owner} if owner else {})}
        yield _row("POST", "nodes", body)
    yield _row("DELETE", "nodes?node_ident=owned")


def _of_parts() -> Iterator[Row]:
    for kind in PARTS:
        one = kind.rpartition("/")[2].rstrip("s")
        for name in NODES:
            for where in (f"<{name}-{one}>", *((f"{name}-{one}",) if one == "portgroup" else ())):
                path, route = f"{kind}/{where}", f"{kind}/{{}}"
                yield _row("GET", path, None, route)
                yield _row("GET", f"{path}?fields=extra", None, route)
                yield _row("PATCH", path, _patch("extra", {"a": 1}), route)
                yield _row("DELETE", path, None, route)
            # The node of something new, and another one of what is there.
            new = part(kind, name, f"new-{name}")
            yield _row("POST", kind, new)
            if kind == "ports":
                by_name = {"node_ident": name, "address": new["address"]}
                yield _row("POST", kind, by_name)
            for other in NODES:
                if other != name:
                    body = _patch("node_uuid", f"<{other}>")
                    yield _row("PATCH", f"{kind}/<{name}-{one}>", body)
            for called in (name, f"<{name}>"):
                yield _row("GET", f"{kind}?node={called}")
            yield _row("GET", f"{kind}?node={name}&detail=true")
            yield _row("GET", f"nodes/{name}/{kind}?detail=true", None, f"nodes/{{}}/{kind}")
            if not kind.startswith("volume"):
                yield _row("GET", f"{kind}/detail?node=<{name}>")
            if not kind.startswith("volume"):
                yield _row("GET", f"{kind}?address={address(f'{name}-{one}')}")
                yield _row("GET", f"{kind}/detail?address={address(f'{name}-{one}')}")
            yield _row("GET", f"nodes/<{name}>/{kind}/<{name}-{one}>")
    for name in NODES:
        group = f"<{name}-portgroup>"
        for path in (f"portgroups/{group}/ports", f"portgroups/{name}-portgroup/ports"):
            yield _row("GET", path, None, "portgroups/{}/ports")
        for called in (group, f"{name}-portgroup"):
            yield _row("GET", f"ports?portgroup={called}")
            yield _row("GET", f"ports/detail?portgroup={called}")
        yield _row("GET", f"ports?node_uuid=<{name}>")
        yield _row("GET", f"ports?node=<{name}>&address={address('others-port')}")
        for other in ("owned", "others"):
            body = _patch("portgroup_uuid", f"<{other}-portgroup>")
            yield _row("PATCH", f"ports/<{name}-port>", body)
            new = part("ports", name, f"new-{name}") | {"portgroup_uuid": f"<{other}-portgroup>"}
            yield _row("POST", "ports", new)


def _of_allocations() -> Iterator[Row]:
    names = [*(f"{name}-allocation" for name in OWNERS), "taken-owned-allocation"]
    for name in (*names, "taken-mixed-allocation"):
        called = f"<{name.replace('allocation', 'instance')}>" if "taken" in name else f"<{name}>"
        for path in (f"allocations/{name}", f"allocations/{called}"):
            route = "allocations/{}"
            yield _row("GET", path, None, route)
            yield _row("GET", f"{path}?fields=name,owner", None, route)
            yield _row("PATCH", path, _patch("extra", {"a": 1}), route)
            yield _row("DELETE", path, None, route)
    for owner in ("<demo>", "<other>", None):
        owned = {"owner": owner} if owner else {}
        yield _row("POST", "allocations", {"resource_class": "none", **owned})
        for name in NODES:
            body = {"resource_class": "gold", "candidate_nodes": [name], **owned}
            yield _row("POST", "allocations", body)
            yield _row("POST", "allocations", {"node": name, **owned})
    for some in (["owned", "others"], ["<owned>", "<others>"], ["<others>"], ["<owned>"]):
        yield _row("POST", "allocations", {"resource_class": "gold", "candidate_nodes": some})
    for name in (*NODES, *TAKEN):
        yield _row("GET", f"allocations?node={name}")
        yield _row("GET", f"allocations?node=<{name}>")


def _of_runbooks() -> Iterator[Row]:
    for book in ("DEMOS", "OTHERS", "NOBODYS", "PUBLIC"):
        name = f"CUSTOM_{book}"
        yield _row("GET", f"runbooks/<{name}>", None, "runbooks/{}")
        path, route = f"runbooks/{name}", "runbooks/{}"
        yield _row("GET", path, None, route)
        yield _row("GET", f"{path}?fields=name,owner", None, route)
        yield _row("GET", f"{path}/traits", None, f"{route}/traits")
        yield _row("DELETE", path, None, route)
        yield _row("PUT", f"{path}/traits", {"traits": ["bogus"]}, f"{route}/traits")
        yield _row("PUT", f"{path}/traits/CUSTOM_B", None, f"{route}/traits/{{}}")
        yield _row("DELETE", f"{path}/traits/CUSTOM_A", None, f"{route}/traits/{{}}")
        yield _row("DELETE", f"{path}/traits", None, f"{route}/traits")
        for field, value in (
            ("extra", {"a": 1}),
            ("owner", "<demo>"),
            ("owner", "<other>"),
            ("public", True),
            ("name", "CUSTOM_NEW"),
        ):
            yield _row("PATCH", path, _patch(field, value), route)
    for owner in ("<demo>", "<other>", None):
        for public in ({}, {"public": True}):
            yield _row("POST", "runbooks", runbook("CUSTOM_NEW", owner) | public)


def _of_nobody() -> Iterator[Row]:
    for kind, name, body, field in (
        ("chassis", "<chassis>", {}, "extra"),
        ("deploy_templates", "CUSTOM_TEMPLATE", template("CUSTOM_NEW"), "extra"),
        ("inspection_rules", "<rule>", rule("new"), "description"),
    ):
        yield _row("POST", kind, body)
        path = f"{kind}/{name}"
        yield _row("PATCH", path, _patch(field, "x" if field == "description" else {"a": 1}))
        yield _row("DELETE", path)
    yield _row("DELETE", "inspection_rules")
    yield _row("POST", "events", {"events": [{"event": "bogus"}]})
    yield _row("POST", "drivers/fake-hardware/vendor_passthru/bogus", {})
    yield _row("GET", "drivers/fake-hardware/vendor_passthru/bogus")
    for name in NODES:
        yield _row("GET", f"lookup?addresses={address(f'{name}-port')}")
        beat = {"callback_url": "http://x", "agent_version": "9.0.0", "agent_token": "bogus"}
        yield _row("POST", f"heartbeat/<{name}>", beat)
        yield _row("POST", f"heartbeat/{name}", beat, "heartbeat/{}")


def said(status: int, body: Any, projects: Mapping[str, str]) -> str:
    """Return what an answer tells its reader: the status, and whose what is."""
    if status >= 400:
        text = json.dumps(body)
        policy = re.search(r"resource: ([\w:]+)", text)
        if policy or "requires a scope of" in text:
            return f"{status} {policy[1] if policy else 'wrong scope'}"
        return str(status)
    words = [str(status)]
    if not isinstance(body, dict):
        return words[0]
    listed = [value for value in body.values() if isinstance(value, list)]
    if len(listed) == 1 and set(body) <= {"next", *(k for k in body if body[k] is listed[0])}:
        words.append(",".join(_shown(item) for item in listed[0]))
    elif status == 201 and "owner" in body:
        names = {value: name for name, value in projects.items()}
        words.append(f"of {names.get(body['owner'], body['owner'])}")
    told = {"hides": _redacted, "masks": _masked}
    for word, is_hidden in told.items():
        names = sorted({name for name, value in _fields(body) if is_hidden(value)})
        words += [f"{word} {','.join(names)}"] if names else []
    return " ".join(filter(None, words))


_NAMES = {
    ident(name): name
    for name in (
        *NODES,
        *TAKEN,
        *ACTIVE,
        *CHILDREN,
        *(f"{name}-instance" for name in TAKEN),
        *(f"{name}-allocation" for name in OWNERS),
        *(f"{name}-{kind}" for name in NODES for kind in ("port", "portgroup", "connector")),
        *(f"{name}-{kind}" for name in NODES for kind in ("target", "history")),
    )
}


def _shown(item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    found = item.get("uuid") or item.get("name") or item.get("hostname") or item.get("address")
    text = json.dumps(item)
    links = re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", text)
    return item.get("name") or _NAMES.get(str(found or (links[0] if links else ""))) or str(found)


def _fields(body: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(body, dict):
        for name, value in body.items():
            yield name, value
            yield from (
                ((name, found) for _, found in _fields(value))
                if name.endswith(("_info", "properties"))
                else _fields(value)
            )
    elif isinstance(body, list):
        for item in body:
            yield from _fields(item)


def _redacted(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("** Value ")


def _masked(value: Any) -> bool:
    return isinstance(value, str) and value == "******"


def told(
    send: Send,
    row: Row,
    projects: Mapping[str, str],
    go_back: Callable[[], None],
    people: Sequence[str] = tuple(PEOPLE),
) -> dict[str, list[str]]:
    """Send a request as everybody; return the people that get an answer, by what it tells.

    :param go_back: returns to the state before a change.
    """
    path = f"/v1/{filled(row.path, projects)}"
    body = None if row.body is None else json.loads(filled(json.dumps(row.body), projects))
    found: dict[str, list[str]] = {}
    for person in people:
        status, answer = send(person, row.method, path, body)
        found.setdefault(said(status, answer, projects), []).append(person)
        if row.method != "GET" and not 400 <= status < 500:
            go_back()
    return found


def facts(found: Iterator[tuple[Row, dict[str, list[str]]]]) -> Iterator[str]:
    """Yield lines for answers: requests that are answered alike, and the people below them."""
    alike: dict[str, list[str]] = {}
    for row, told in found:
        lines = "\n".join(f"    {answer}: {' '.join(people)}" for answer, people in told.items())
        alike.setdefault(lines, []).append(str(row))
    for lines, requests in alike.items():
        yield from requests
        yield lines


@cache
def expected(text: str) -> dict[str, dict[str, str]]:
    """Return the answer to each person by request, of the lines of facts."""
    found: dict[str, dict[str, str]] = {}
    requests: list[str] = []
    answered = False
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        if not line.startswith("    "):
            requests = [line] if answered else [*requests, line]
            answered = False
            continue
        answered = True
        answer, _, people = line.strip().rpartition(": ")
        for request in requests:
            found.setdefault(request, {}).update(dict.fromkeys(people.split(), answer))
    return found
