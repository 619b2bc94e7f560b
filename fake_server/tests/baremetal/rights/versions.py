"""From which version on a request is answered otherwise: each field, filter, address and method.

The same is asked of the real Ironic, whose answers are the facts beside this module, and of the
fake server. Only the standard library is used, as it runs in Ironic's environment, too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.tests.baremetal.rights import conditions
from fake_server.tests.baremetal.rights.conditions import LATEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    #: What became of a request: its status, and what its answer has.
    Answer = tuple[int, tuple[str, ...]]

ALLOCATION = "aaaaaaaa-1111-4111-8111-111111111111"
TEMPLATE = "bbbbbbbb-1111-4111-8111-111111111111"
RUNBOOK = "cccccccc-1111-4111-8111-111111111111"
RULE = "dddddddd-1111-4111-8111-111111111111"
UNKNOWN = "eeeeeeee-1111-4111-8111-111111111111"
_STEP = {"interface": "bios", "step": "factory_reset", "args": {}}
_NODE = conditions.NODE


class _Kind(NamedTuple):
    """A kind of resource: one that is there, and what another one is made of."""

    one: str
    body: dict[str, Any]


_KINDS: Mapping[str, _Kind] = {
    "nodes": _Kind(_NODE, {"driver": "fake-hardware"}),
    "ports": _Kind(conditions.PORT, {"node_uuid": _NODE, "address": "52:54:00:00:00:77"}),
    "portgroups": _Kind(conditions.GROUP, {"node_uuid": _NODE}),
    "chassis": _Kind(conditions.CHASSIS, {}),
    "allocations": _Kind(ALLOCATION, {"resource_class": "gold"}),
    "deploy_templates": _Kind(TEMPLATE, {"name": "CUSTOM_B", "steps": [_STEP | {"priority": 1}]}),
    "runbooks": _Kind(RUNBOOK, {"name": "CUSTOM_B", "steps": [_STEP | {"order": 1}]}),
    "inspection_rules": _Kind(
        RULE, {"actions": [{"op": "fail", "args": {"msg": "m"}}], "conditions": []}
    ),
    "volume/connectors": _Kind(
        conditions.CONNECTOR, {"node_uuid": _NODE, "type": "ip", "connector_id": "e"}
    ),
    "volume/targets": _Kind(
        conditions.TARGET,
        {"node_uuid": _NODE, "volume_type": "t", "volume_id": "x", "boot_index": 7},
    ),
}
_FILTERS = {
    **dict.fromkeys(("associated", "maintenance", "retired", "include_children"), "true"),
    **dict.fromkeys(("detail", "sharded"), "true"),
    **dict.fromkeys(("node", "node_uuid", "parent_node"), _NODE),
    **dict.fromkeys(("shard", "owner", "lessee", "project", "conductor_group", "conductor"), "a"),
    **dict.fromkeys(("resource_class", "description_contains", "instance_name"), "a"),
    **dict.fromkeys(("provision_state", "state"), "active"),
    "instance_uuid": UNKNOWN,
    "chassis_uuid": conditions.CHASSIS,
    "portgroup": conditions.GROUP,
    "address": "52:54:00:00:00:01",
    "driver": "fake-hardware",
    "fault": "power%20failure",
    "limit": "1",
    "sort_key": "uuid",
    "bogus": "a",
}
_BELOW_A_NODE = (
    *("states", "bios", "bios?detail=true", "bios?fields=name", "firmware", "history", "history/x"),
    *("inventory", "traits", "vifs", "vmedia", "children", "allocation", "portgroups", "ports"),
    *("volume", "volume/connectors", "volume/targets", "validate", "management/boot_device"),
    *("management/boot_device/supported", "management/indicators", "states/console", "bogus"),
    *("management/inject_nmi", "vendor_passthru/methods", "maintenance", "portgroups/detail"),
)
_CHANGES_OF_A_NODE = (
    ("PUT", "traits", {"traits": []}),
    ("PUT", "traits/CUSTOM_B", None),
    ("DELETE", "traits/CUSTOM_A", None),
    ("DELETE", "traits", None),
    ("POST", "vifs", {"id": conditions.VIF}),
    ("DELETE", f"vifs/{conditions.VIF}", None),
    ("POST", "vmedia", {"device_type": "cdrom", "image_url": "http://a/b"}),
    ("DELETE", "vmedia", None),
    *(("PUT", "states/power", {"target": target}) for target in ("soft power off", "bogus")),
    ("PUT", "states/power", {"target": "power on", "timeout": 5}),
    ("PUT", "states/boot_mode", {"target": "uefi"}),
    ("PUT", "states/secure_boot", {"target": True}),
    ("PUT", "states/raid", {"logical_disks": []}),
    ("PUT", "states/console", {"enabled": False}),
    ("PUT", "management/boot_device", {"boot_device": "pxe"}),
    ("PUT", "management/indicators/led@chassis", {"state": "on"}),
    ("PUT", "management/inject_nmi", {}),
    ("PUT", "maintenance", {"reason": "r"}),
    ("DELETE", "maintenance", None),
    ("DELETE", "allocation", None),
)
_OTHERS = (
    *("", "conductors", "conductors/localhost", "conductors/unknown", "shards", "volume"),
    *("lookup", f"lookup?node_uuid={_NODE}", "nodes/n", "nodes/unknown", "nodes.json", "bogus"),
    *("drivers", "drivers?detail=true", "drivers?type=dynamic", "drivers/fake-hardware"),
    *("drivers/fake-hardware?fields=name", "drivers?fields=name", "drivers/unknown"),
    *("drivers/fake-hardware/properties", "drivers/fake-hardware/raid/logical_disk_properties"),
    "drivers/fake-hardware/vendor_passthru/methods",
)
_HEARTBEAT = {"callback_url": "http://a", "agent_token": "t"}
_ARGUMENTS_OF_A_HEARTBEAT = {
    "agent_version": "9.0.0",
    "agent_verify_ca": "c",
    "agent_status": "end",
    "agent_status_message": "m",
}
#: Whose value is told beside its name.
_TOLD = ("provision_state", "state")
#: The versions that are asked first.
GRID = (*range(1, LATEST, 12), LATEST)


def things() -> Iterator[tuple[str, str, Any]]:
    """Yield the requests that make one of each kind."""
    yield from conditions.things()
    for kind, fields in {
        "deploy_templates": {"uuid": TEMPLATE, "name": "CUSTOM_A"},
        "runbooks": {"uuid": RUNBOOK, "name": "CUSTOM_A"},
        "inspection_rules": {"uuid": RULE},
        "allocations": {"uuid": ALLOCATION, "resource_class": "none"},
    }.items():
        yield "POST", kind, _KINDS[kind].body | fields


def requests(fields: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the requests, each as a line of text: the method, the address, and the body.

    :param fields: by kind, the fields that one has in the latest version.
    """
    for kind, (one, body) in _KINDS.items():
        yield from _of_a_kind(kind, one, body, [name for name in fields[kind] if name != "links"])
    yield from (_line("GET", f"nodes/{_NODE}/{path}") for path in _BELOW_A_NODE)
    for method, path, sent in _CHANGES_OF_A_NODE:
        yield _line(method, f"nodes/{_NODE}/{path}", sent)
    yield from (_line("GET", path) for path in _OTHERS)
    yield _line("PATCH", f"nodes/{_NODE}?reset_interfaces=true", _add("extra", {}))
    yield _line("POST", f"heartbeat/{_NODE}", _HEARTBEAT)
    for name, value in _ARGUMENTS_OF_A_HEARTBEAT.items():
        yield _line("POST", f"heartbeat/{_NODE}", {**_HEARTBEAT, name: value})
    for what in ("CUSTOM_B", "HW_CPU"):
        yield _line("PUT", f"runbooks/{RUNBOOK}/traits/{what}")
    yield _line("GET", f"runbooks/{RUNBOOK}/traits")


def _of_a_kind(kind: str, one: str, body: dict[str, Any], fields: list[str]) -> Iterator[str]:
    for path in ("", "/detail", f"/{one}", f"/{UNKNOWN}", "/name"):
        yield _line("GET", f"{kind}{path}")
    for path in (f"/{one}", f"/{UNKNOWN}", "/name"):
        yield _line("DELETE", f"{kind}{path}")
    yield _line("PATCH", f"{kind}/{UNKNOWN}", _add("extra", {}))
    yield _line("POST", kind, body)
    yield _line("POST", kind, body | {"bogus": 1})
    for name, value in _FILTERS.items():
        # Ironic ignores this one for callers of the system, as those are who are asked about here.
        if (kind, name) != ("allocations", "node"):
            yield _line("GET", f"{kind}?{name}={value}")
    for name in fields:
        yield _line("GET", f"{kind}?fields={name}")
        if name not in body:
            yield _line("POST", kind, body | {name: None})
        yield _line("PATCH", f"{kind}/{one}", _add(name, None))


def _add(name: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{name}", "value": value}]


def _line(method: str, path: str, body: Any = None) -> str:
    return f"{method} /v1/{path} {'' if body is None else json.dumps(body)}".strip()


def fields(ask: Callable[[str, int], tuple[int, Any]]) -> dict[str, list[str]]:
    """Return what each kind has in the latest version.

    :param ask: sends a request in a minor version; returns its status and its answer.
    """
    return {
        kind: sorted(ask(_line("GET", f"{kind}/{one}"), LATEST)[1])
        for kind, (one, _) in _KINDS.items()
    }


def what_matters(status: int, answer: Any) -> Answer:
    """Return the status, and the names of what an answer has; of a list, what the first item has.

    The states of what it is about are told, too.
    """
    if status >= 400:
        return status, ()
    if isinstance(answer, dict) and len(answer.keys() - {"next", "links"}) == 1:
        (whole,) = (value for name, value in answer.items() if name not in ("next", "links"))
        if isinstance(whole, list) and whole and isinstance(whole[0], dict):
            answer = whole[0]
    if not isinstance(answer, dict):
        return status, ()
    return status, tuple(
        f"{name}={answer[name]}".replace(" ", "-") if name in _TOLD else name
        for name in sorted(answer)
    )


def facts(found: Mapping[str, Mapping[int, Answer]]) -> Iterator[str]:
    """Yield lines: what became of requests, by version, and which requests those are."""
    by_told: dict[str, list[str]] = {}
    for request, told in found.items():
        has: set[str] = set()
        parts = []
        for minor, (status, names) in told.items():
            new, gone = {*names} - has, has - {*names}
            words = [f"1.{minor}", str(status)]
            words += [f"+{name}" for name in sorted(new)] + [f"-{name}" for name in sorted(gone)]
            parts.append(" ".join(words))
            has = {*names}
        by_told.setdefault("; ".join(parts), []).append(request)
    for line, lines in by_told.items():
        yield line
        yield from (f"    {each}" for each in lines)


def expected(text: str) -> dict[str, dict[int, Answer]]:
    """Return what became of requests, by version, of the lines of facts."""
    found: dict[str, dict[int, Answer]] = {}
    told: dict[int, Answer] = {}
    for row in text.splitlines()[1:]:
        if row.startswith("    "):
            found[row.strip()] = told
            continue
        told, has = {}, set[str]()
        for part in row.split("; "):
            version, status, *words = part.split()
            has = has - {word[1:] for word in words if word[0] == "-"}
            has |= {word[1:] for word in words if word[0] == "+"}
            told[int(version.removeprefix("1."))] = (int(status), tuple(sorted(has)))
    return found
