"""When what is refused: every verb and change by the state of a node, and by the version.

The same is asked of the real Ironic, whose answers are the facts beside this module, and of the
fake server. Only the standard library is used, as it runs in Ironic's environment, too.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

T = TypeVar("T")

LATEST = 115
NODE = "11111111-1111-4111-8111-111111111111"
OTHER = "22222222-2222-4222-8222-222222222222"
PORT = "33333333-3333-4333-8333-333333333333"
GROUP = "44444444-4444-4444-8444-444444444444"
CONNECTOR = "55555555-5555-4555-8555-555555555555"
TARGET = "66666666-6666-4666-8666-666666666666"
VIF = "77777777-7777-4777-8777-777777777777"
INSTANCE = "88888888-8888-4888-8888-888888888888"
CHASSIS = "99999999-9999-4999-8999-999999999999"
_STEPS = [{"interface": "bios", "step": "factory_reset", "args": {}}]
_DEPLOY_STEPS = [{"interface": "bios", "step": "factory_reset", "args": {}, "priority": 10}]
VERBS: Mapping[str, dict[str, Any]] = {
    **{name: {} for name in ("manage", "provide", "active", "rebuild", "deploy", "deleted")},
    **{name: {} for name in ("undeploy", "inspect", "abort", "adopt", "unrescue", "unhold")},
    **{name: {} for name in ("delete", "error", "bogus", "service", "clean", "rescue")},
    "clean with steps": {"target": "clean", "clean_steps": _STEPS},
    "service with steps": {"target": "service", "service_steps": _STEPS},
    "rescue with a password": {"target": "rescue", "rescue_password": "p"},
    "active with steps": {"target": "active", "deploy_steps": _DEPLOY_STEPS},
    "rebuild with a config drive": {"target": "rebuild", "configdrive": "YQ=="},
}
STATES = (
    *("enroll", "verifying", "manageable", "available", "active", "deploy failed", "deploying"),
    *("wait call-back", "deploy hold", "cleaning", "clean wait", "clean failed", "clean hold"),
    *("deleting", "error", "inspecting", "inspect failed", "inspect wait"),
    *("adopting", "adopt failed", "rescue", "rescue failed", "rescue wait", "rescuing"),
    *("unrescue failed", "unrescuing", "servicing", "service failed", "service wait"),
    "service hold",
)
#: What else may be said of a node, and in which states it is.
_BESIDE: Mapping[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "powered on": ({"power_state": "power on"}, ("enroll", "manageable", "available")),
    "of unknown power": ({"power_state": None}, ("manageable",)),
    "in maintenance": (
        {"maintenance": True},
        ("manageable", "available", "active", "deploying", "inspecting"),
    ),
    "locked": ({"reservation": "another"}, ("manageable",)),
    "protected": ({"protected": True}, ("active",)),
    "retired": ({"retired": True}, ("manageable", "available")),
    "with an instance": ({"instance_uuid": INSTANCE}, ("active",)),
}
#: What a node is like, beside being powered off.
CONDITIONS: Mapping[str, dict[str, Any]] = {
    **{state: {"provision_state": state} for state in STATES},
    **{
        f"{state}, {what}": {"provision_state": state, **fields}
        for what, (fields, states) in _BESIDE.items()
        for state in states
    },
}


def _patch(path: str, value: Any) -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{path}", "value": value}]


_PARTS = {"ports": PORT, "portgroups": GROUP}
_VOLUMES = {"volume/connectors": CONNECTOR, "volume/targets": TARGET}
#: Beside the verbs: what is asked in each state.
CHANGES: Mapping[str, tuple[str, str, Any]] = {
    **{
        f"PATCH {field}": ("PATCH", f"nodes/{NODE}", _patch(field, value))
        for field, value in {
            "extra/a": 1,
            "driver_info/a": 1,
            "instance_info/a": 1,
            "name": "new",
            "driver": "fake-hardware",
            "bios_interface": "no-bios",
            "network_interface": "noop",
            "resource_class": "new",
            "instance_uuid": INSTANCE.replace("8888-4", "8889-4"),
            "owner": "somebody",
            "lessee": "somebody",
            "chassis_uuid": CHASSIS,
            "maintenance": True,
            "protected": True,
            "retired": True,
            "conductor_group": "g",
            "traits": ["CUSTOM_A"],
        }.items()
    },
    "PATCH instance_uuid away": (
        "PATCH",
        f"nodes/{NODE}",
        [{"op": "remove", "path": "/instance_uuid"}],
    ),
    "DELETE": ("DELETE", f"nodes/{NODE}", None),
    **{
        f"power {target}": ("PUT", f"nodes/{NODE}/states/power", {"target": target})
        for target in ("power on", "power off", "rebooting", "soft rebooting", "soft power off")
    },
    "PUT maintenance": ("PUT", f"nodes/{NODE}/maintenance", {}),
    "DELETE maintenance": ("DELETE", f"nodes/{NODE}/maintenance", None),
    "PUT raid": ("PUT", f"nodes/{NODE}/states/raid", {}),
    "PUT raid with a disk": (
        "PUT",
        f"nodes/{NODE}/states/raid",
        {"logical_disks": [{"size_gb": 1, "raid_level": "1"}]},
    ),
    "GET console": ("GET", f"nodes/{NODE}/states/console", None),
    "PUT console": ("PUT", f"nodes/{NODE}/states/console", {"enabled": True}),
    "PUT boot device": ("PUT", f"nodes/{NODE}/management/boot_device", {"boot_device": "pxe"}),
    "supported boot devices": ("GET", f"nodes/{NODE}/management/boot_device/supported", None),
    "GET indicators": ("GET", f"nodes/{NODE}/management/indicators", None),
    "GET indicator": ("GET", f"nodes/{NODE}/management/indicators/led-0@chassis", None),
    "PUT indicator": ("PUT", f"nodes/{NODE}/management/indicators/led@system", {"state": "ON"}),
    "GET virtual media": ("GET", f"nodes/{NODE}/vmedia", None),
    "POST virtual media": (
        "POST",
        f"nodes/{NODE}/vmedia",
        {"device_type": "cdrom", "image_url": "http://a/b.iso"},
    ),
    "DELETE virtual media": ("DELETE", f"nodes/{NODE}/vmedia", None),
    "vendor methods": ("GET", f"nodes/{NODE}/vendor_passthru/methods", None),
    **{
        f"vendor {method}": (
            "POST",
            f"nodes/{NODE}/vendor_passthru?method={method}",
            {"bar": "woof" if "fourth" in method else "meow"},
        )
        for method in ("second_method", "third_method_sync", "fourth_method_shared_lock")
    },
    "PUT boot mode": ("PUT", f"nodes/{NODE}/states/boot_mode", {"target": "uefi"}),
    "PUT secure boot": ("PUT", f"nodes/{NODE}/states/secure_boot", {"target": True}),
    "PUT inject NMI": ("PUT", f"nodes/{NODE}/management/inject_nmi", {}),
    "PUT traits": ("PUT", f"nodes/{NODE}/traits", {"traits": ["CUSTOM_B"]}),
    "PUT trait": ("PUT", f"nodes/{NODE}/traits/CUSTOM_B", None),
    "DELETE trait": ("DELETE", f"nodes/{NODE}/traits/CUSTOM_A", None),
    "POST VIF": ("POST", f"nodes/{NODE}/vifs", {"id": VIF}),
    "DELETE VIF": ("DELETE", f"nodes/{NODE}/vifs/{VIF}", None),
    "GET VIFs": ("GET", f"nodes/{NODE}/vifs", None),
    "validate": ("GET", f"nodes/{NODE}/validate", None),
    "boot device": ("GET", f"nodes/{NODE}/management/boot_device", None),
    "backfill": ("POST", "allocations", {"node": NODE}),
    "lookup": ("GET", f"lookup?node_uuid={NODE}", None),
    "heartbeat": (
        "POST",
        f"heartbeat/{NODE}",
        {"callback_url": "http://a", "agent_token": "t", "agent_version": "9.0.0"},
    ),
    "report": (
        "POST",
        f"continue_inspection?node_uuid={NODE}",
        {"inventory": {"interfaces": [{"mac_address": "52:54:00:00:00:01"}]}},
    ),
    **{
        f"{method} {kind}": (method, f"{kind}/{ident}", body)
        for kind, ident in {**_PARTS, **_VOLUMES}.items()
        for method, body in (("PATCH", _patch("extra/a", 1)), ("DELETE", None))
    },
    **{
        f"PATCH node of {kind}": ("PATCH", f"{kind}/{ident}", _patch("node_uuid", OTHER))
        for kind, ident in {**_PARTS, **_VOLUMES}.items()
    },
    "PATCH address of a port": ("PATCH", f"ports/{PORT}", _patch("address", "52:54:00:00:00:09")),
    "PATCH pxe_enabled of a port": ("PATCH", f"ports/{PORT}", _patch("pxe_enabled", False)),
    "PATCH group of a port": ("PATCH", f"ports/{PORT}", _patch("portgroup_uuid", GROUP)),
    "PATCH link of a port": (
        "PATCH",
        f"ports/{PORT}",
        _patch("local_link_connection", {"port_id": "p", "switch_id": "00:11:22:33:44:55"}),
    ),
    "PATCH network of a port": ("PATCH", f"ports/{PORT}", _patch("physical_network", "n")),
    "PATCH address of a group": (
        "PATCH",
        f"portgroups/{GROUP}",
        _patch("address", "52:54:00:00:00:08"),
    ),
    "PATCH mode of a group": ("PATCH", f"portgroups/{GROUP}", _patch("mode", "802.3ad")),
    "POST port": ("POST", "ports", {"node_uuid": NODE, "address": "52:54:00:00:00:07"}),
    "POST port in a group": (
        "POST",
        "ports",
        {"node_uuid": NODE, "address": "52:54:00:00:00:07", "portgroup_uuid": GROUP},
    ),
    "POST group": ("POST", "portgroups", {"node_uuid": NODE}),
    "POST connector": (
        "POST",
        "volume/connectors",
        {"node_uuid": NODE, "type": "ip", "connector_id": "d"},
    ),
    "POST target": (
        "POST",
        "volume/targets",
        {"node_uuid": NODE, "volume_type": "iscsi", "volume_id": "w", "boot_index": 5},
    ),
}
#: The first version in which changes are asked: before inspection had a state of its own for
#: waiting, and where it doesn't matter, the latest.
_FIRST = 38


def things() -> Iterator[tuple[str, str, Any]]:
    """Yield the requests that make a node with all that it may have."""
    yield "POST", "chassis", {"uuid": CHASSIS}
    for uuid in (NODE, OTHER):
        yield "POST", "nodes", {"uuid": uuid, "driver": "fake-hardware", "resource_class": "gold"}
        yield "PUT", f"nodes/{uuid}/states/power", {"target": "power off"}
    yield "PUT", f"nodes/{NODE}/traits", {"traits": ["CUSTOM_A"]}
    yield "POST", "ports", {"uuid": PORT, "node_uuid": NODE, "address": "52:54:00:00:00:01"}
    yield "POST", "portgroups", {"uuid": GROUP, "node_uuid": NODE, "name": "g"}
    connector = {"uuid": CONNECTOR, "node_uuid": NODE, "type": "ip", "connector_id": "c"}
    yield "POST", "volume/connectors", connector
    target = {"uuid": TARGET, "node_uuid": NODE, "volume_type": "iscsi", "volume_id": "v"}
    yield "POST", "volume/targets", target | {"boot_index": 0}


def requests(condition: str) -> Iterator[tuple[str, int, tuple[str, str, Any]]]:
    """Yield each request with its name and the first version in which it is asked."""
    first = _FIRST if "inspect" in condition else LATEST
    path = f"/v1/nodes/{NODE}/states/provision"
    for name, arguments in VERBS.items():
        yield name, 1, ("PUT", path, {"target": name, **arguments})
    for name, (method, where, body) in CHANGES.items():
        yield name, first, (method, f"/v1/{where}", body)


def answers(ask: Callable[[int], int], first: int) -> str:
    """Return the statuses of a request, each with the first version that has it.

    :param ask: returns the status in a minor version.
    """
    found = changes(ask, (first, LATEST))
    shown = [str(found.pop(first)), *(f"1.{minor} {status}" for minor, status in found.items())]
    return ", ".join(shown)


def changes(ask: Callable[[int], T], grid: Sequence[int]) -> dict[int, T]:
    """Return the answers to a request, by the first version that has each.

    :param ask: returns the answer in a minor version.
    :param grid: the versions that are asked; between those that differ, the others are.
    """
    known = {minor: ask(minor) for minor in grid}

    def look(low: int, high: int) -> None:
        if known[low] != known[high] and high - low > 1:
            middle = (low + high) // 2
            known[middle] = ask(middle)
            look(low, middle)
            look(middle, high)

    for low, high in pairwise(grid):
        look(low, high)
    changed = [high for low, high in pairwise(sorted(known)) if known[low] != known[high]]
    return {minor: known[minor] for minor in (grid[0], *changed)}


def expectations(statuses: str, first: int) -> Iterator[tuple[int, int]]:
    """Yield the versions on both sides of where an answer changes, with the status of each."""
    begin, *later = statuses.split(", ")
    status, last = int(begin), first
    for change in later:
        version, _, after = change.partition(" ")
        minor = int(version.removeprefix("1."))
        yield from dict.fromkeys([(last, status), (minor - 1, status)])
        status, last = int(after), minor
    yield from dict.fromkeys([(last, status), (LATEST, status)])


def facts(found: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Yield lines for what was found: what came of each request, and in which conditions.

    :param found: by condition, what came of requests by name.
    """
    by_line: dict[tuple[str, str], list[str]] = {}
    for condition, told in found.items():
        for line in told.items():
            by_line.setdefault(line, []).append(condition)
    names = [*VERBS, *CHANGES]
    for name, told in sorted(by_line, key=lambda line: names.index(line[0])):
        yield f"{name}: {told}"
        yield f"    {'; '.join(by_line[name, told])}"


def expected(text: str) -> dict[str, dict[str, str]]:
    """Return what came of requests by condition, of the lines of facts."""
    found: dict[str, dict[str, str]] = {}
    line = ""
    for row in text.splitlines():
        if row.startswith("    "):
            name, _, told = line.partition(": ")
            for condition in row.strip().split("; "):
                found.setdefault(condition, {})[name] = told
        line = row
    return found
