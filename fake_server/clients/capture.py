"""Capture a seed from any Ironic through its REST API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from fake_server.baremetal import hardware_types, microversions, states
from fake_server.baremetal.conductor_hosts import ConductorHost
from fake_server.baremetal.drivers import registry
from fake_server.baremetal.hardware_types import FAKE_HARDWARE, KINDS
from fake_server.common.masking import MASK
from fake_server.seeds import schema
from fake_server.seeds.export import differing
from fake_server.seeds.parsing import SeedError, read

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    import requests

    from fake_server.seeds.resource_kind import ResourceKind

_VERSION = "X-OpenStack-Ironic-API-Version"
_PAGE = 500
_GONE = (404, 406)
_SECONDS = 60
#: Paths below ``/v1`` of what belongs to nodes; which service has them depends on its version.
_PATHS = {
    schema.PORTGROUPS: "portgroups/detail",
    schema.PORTS: "ports/detail",
    schema.VOLUME_CONNECTORS: "volume/connectors",
    schema.VOLUME_TARGETS: "volume/targets",
}
#: What nodes have below their own path, where it is, and since which version.
_OF_NODES = (
    (schema.HISTORY, microversions.HISTORY, "history?detail=True"),
    (schema.BIOS, microversions.BIOS_REGISTRY, "bios?detail=True"),
    (schema.FIRMWARE, microversions.FIRMWARE, "firmware"),
)
_INTERFACES = tuple(f"{kind}_interface" for kind in KINDS)
_IN_BETWEEN = states.UNSTABLE - states.WAITING


class CaptureError(Exception):
    """An Ironic can't be captured; the message says why."""


@dataclass(slots=True)
class Captured:
    """The result of a capture.

    :param seed: the lab.
    :param notes: what it lacks, or has otherwise than the original.
    :param needs: the options that a fake server needs for it.
    :param keeps_masked: whether what is secret is in it, as the API masks it.
    """

    seed: dict[str, Any]
    notes: list[str] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    keeps_masked: bool = False


class Source:
    """An Ironic to capture from.

    :param url: URL of its API, with or without ``/v1``.
    :param session: sends requests, with what authentication needs.
    """

    def __init__(self, url: str, session: requests.Session) -> None:
        self._url = url.rstrip("/").removesuffix("/v1")
        self._session = session
        #: The highest minor version of the service.
        self.minor = 0
        answer = self._get("/v1", "latest")
        try:
            self.minor = int(answer.headers[_VERSION].partition(".")[2])
        except (KeyError, ValueError):
            raise CaptureError(f"No Ironic found at {self._url}/v1.") from None

    def everything(self, path: str, **query: str) -> Iterator[dict[str, Any]]:
        """Return all resources of a list, page after page; none where there is no such list."""
        marker: dict[str, str] = {}
        while True:
            arguments = urlencode({"limit": _PAGE, **query, **marker})
            answer = self._read(f"/v1/{path}?{arguments}")
            # Documents and releases call some lists differently; there is but one in an answer.
            found = next((value for value in answer.values() if isinstance(value, list)), [])
            yield from found
            # Links to the next page forget some arguments, and may lead to another host.
            if not found or not answer.get("next"):
                return
            marker = {"marker": found[-1]["uuid"]}

    def knows(self, minor: int) -> bool:
        """Return whether the service has a minor version."""
        return self.minor >= minor

    def one(self, path: str) -> dict[str, Any]:
        """Return the resource at a path, an empty object if there is none."""
        return self._read(f"/v1/{path}")

    def _read(self, address: str) -> dict[str, Any]:
        """Return the body of a response, an empty object if this version lacks the path."""
        answer = self._get(address, f"1.{self.minor}")
        if answer.status_code in _GONE:
            return {}
        try:
            return dict(answer.json())
        except (ValueError, TypeError):
            raise CaptureError(
                f"The response of {self._url}{address} is not a JSON object."
            ) from None

    def _get(self, address: str, version: str) -> requests.Response:
        import requests

        try:
            answer = self._session.get(
                self._url + address,
                headers={_VERSION: version},
                timeout=_SECONDS,
                # Given here, since REQUESTS_CA_BUNDLE of the environment wins over the session's.
                verify=self._session.verify,
            )
        except requests.RequestException as exc:
            raise CaptureError(f"No response from {self._url}: {exc}") from exc
        if answer.status_code in (401, 403):
            raise CaptureError(
                f"{self._url}{address} responded with {answer.status_code}. Give a token, or a "
                "user name and password, with access to everything."
            )
        if answer.status_code >= 400 and answer.status_code not in _GONE:
            raise CaptureError(
                f"{self._url}{address} responded with {answer.status_code}: {answer.text}"
            )
        return answer


def capture(
    source: Source, *, keep_drivers: bool = False, brief: bool = False, masked: bool = False
) -> Captured:
    """Return a seed of an Ironic.

    :param keep_drivers: whether to keep drivers that the fake server doesn't have.
    :param brief: whether to leave out what needs further requests for each node.
    :param masked: whether to keep secrets as the API masks them, instead of leaving them out.
    """
    captured = Captured({}, keeps_masked=masked)
    nodes: dict[str, dict[str, Any]] = {}
    query = {"include_children": "True"} if source.knows(microversions.CHILD_NODES) else {}
    for shown in source.everything("nodes/detail", **query):
        entry = _entry(schema.NODES, shown)
        # The seed has no conductor that would release the lock.
        entry.pop("reservation", None)
        entry["power_state"] = shown.get("power_state")
        for name in ("chassis_uuid", "parent_node", "traits"):
            if shown.get(name):
                entry[name] = shown[name]
        called = shown.get("name") or shown["uuid"]
        _note_node(captured, entry, called, keep_drivers=keep_drivers)
        nodes[shown["uuid"]] = entry
        if not brief:
            entry |= _details(source, shown["uuid"])
        _unmask(captured, entry, called)
    for kind, path in _PATHS.items():
        for shown in source.everything(path, **_detail(path)):
            owner = nodes.get(shown["node_uuid"])
            if owner is None:
                continue
            entry = _entry(kind, shown)
            if kind is schema.PORTS and shown.get("portgroup_uuid"):
                entry["portgroup"] = shown["portgroup_uuid"]
            _unmask(captured, entry, f"{kind.key} {shown['uuid']}")
            owner.setdefault(kind.key, []).append(entry)
    chassis = [_entry(schema.CHASSIS, shown) for shown in source.everything("chassis/detail")]
    lists = {
        schema.CHASSIS.key: chassis,
        schema.NODES.key: list(nodes.values()),
        schema.DEPLOY_TEMPLATES.key: _others(captured, source, schema.DEPLOY_TEMPLATES),
        schema.RUNBOOKS.key: _others(captured, source, schema.RUNBOOKS),
        schema.INSPECTION_RULES.key: _others(captured, source, schema.INSPECTION_RULES),
        schema.ALLOCATIONS.key: _allocations(source),
    }
    captured.seed = {key: entries for key, entries in lists.items() if entries}
    captured.needs += _needs(nodes.values())
    hosts = conductors(source)
    if len(hosts) > 1 or any(host.group for host in hosts):
        option = ",".join(f"{host.hostname}:{host.group}" for host in hosts)
        captured.needs.append(f"the fake server needs --conductors {option}.")
    try:
        read(captured.seed)
    except SeedError as exc:
        captured.notes.append(str(exc))
    return captured


def conductors(source: Source) -> tuple[ConductorHost, ...]:
    """Return the conductors of an Ironic, with the hardware types that the fake server has, too."""
    drivers = source.one("drivers").get("drivers", [])
    found = source.one("conductors?limit=1000") if source.knows(microversions.CONDUCTORS) else {}
    return tuple(
        ConductorHost(
            one["hostname"],
            one["conductor_group"],
            tuple(
                driver["name"]
                for driver in drivers
                if one["hostname"] in driver["hosts"] and driver["name"] in hardware_types.TYPES
            ),
        )
        for one in found.get("conductors", [])
    )


def drivers(source: Source) -> list[dict[str, Any]]:
    """Return the hardware types of an Ironic, with their interfaces."""
    found: list[dict[str, Any]] = source.one("drivers?detail=True").get("drivers", [])
    return found


def options_like(source: Source) -> tuple[dict[str, Any], list[str]]:
    """Return the settings that make a fake server like an Ironic, and notes of what it lacks."""
    found = drivers(source)
    notes: list[str] = []

    def known(kind: str, names: Iterable[str], all_known: Collection[str]) -> tuple[str, ...]:
        for name in names:
            if name not in all_known:
                notes.append(f"the fake server has no {kind} {name}.")
        return tuple(name for name in names if name in all_known)

    types = known("hardware type", [one["name"] for one in found], hardware_types.TYPES)
    interfaces = {}
    for kind in KINDS:
        names = {name for one in found for name in one.get(f"enabled_{kind}_interfaces") or ()}
        if names:
            interfaces[kind] = known(f"{kind} interface", sorted(names), registry.known(kind))
    options = {
        "max_minor": min(source.minor, microversions.MAXIMUM),
        "interfaces": interfaces,
        "conductors": conductors(source),
        "hardware_types": types,
    }
    return {name: value for name, value in options.items() if value}, notes


def _details(source: Source, uuid: str) -> dict[str, Any]:
    """Return the parts of a node that have their own paths."""
    found: dict[str, Any] = {}
    for kind, minor, path in _OF_NODES:
        shown = source.one(f"nodes/{uuid}/{path}") if source.knows(minor) else {}
        if entries := [_entry(kind, one) for one in shown.get(kind.key, [])]:
            found[kind.key] = entries
    if source.knows(microversions.INVENTORY) and (
        inventory := source.one(f"nodes/{uuid}/inventory")
    ):
        found["inventory"] = inventory
    return found


def _needs(nodes: Collection[Mapping[str, Any]]) -> Iterator[str]:
    """Return notes about the options that a fake server needs for the interfaces of nodes."""
    for kind, enabled in hardware_types.enabled_interfaces(hardware_types.TYPES).items():
        used = {name for node in nodes if (name := node.get(f"{kind}_interface"))}
        if missing := sorted(used - set(enabled)):
            names = ",".join([*enabled, *missing])
            yield f"the fake server needs --enabled-{kind}-interfaces {names}."


def _others(captured: Captured, source: Source, kind: ResourceKind) -> list[dict[str, Any]]:
    """Return the entries of a kind that belongs to no node."""
    entries = []
    for shown in source.everything(kind.key, detail="True"):
        entry = _entry(kind, shown)
        called = shown.get("name") or f"{kind.key} {shown['uuid']}"
        if any(shown.get(name) is None for name in kind.required):
            captured.notes.append(f"{called}: it is left out, because it is sensitive.")
            continue
        if shown.get("traits"):
            entry["traits"] = shown["traits"]
        _unmask(captured, entry, called)
        entries.append(entry)
    return entries


def _allocations(source: Source) -> list[dict[str, Any]]:
    return [
        _entry(schema.ALLOCATIONS, shown)
        | ({"node": shown["node_uuid"]} if shown.get("node_uuid") else {})
        for shown in source.everything(schema.ALLOCATIONS.key)
    ]


def _detail(path: str) -> Mapping[str, str]:
    return {} if path.endswith("/detail") else {"detail": "True"}


def _entry(kind: ResourceKind, shown: Mapping[str, Any]) -> dict[str, Any]:
    return differing(kind, {name: shown[name] for name in kind.fields if name in shown})


def _note_node(
    captured: Captured, entry: dict[str, Any], called: str, *, keep_drivers: bool
) -> None:
    driver = entry["driver"]
    if driver not in hardware_types.TYPES and not keep_drivers:
        captured.notes.append(f"{called}: the driver is {FAKE_HARDWARE} instead of {driver}.")
        entry["driver"] = FAKE_HARDWARE
        for name in _INTERFACES:
            entry.pop(name, None)
    if entry.get("provision_state") in _IN_BETWEEN:
        captured.notes.append(f"{called}: it will stay in {entry['provision_state']!r}.")


def _unmask(captured: Captured, entry: dict[str, Any], called: str) -> None:
    """Remove masked values, with a note for each."""
    for name, value in list(entry.items()):
        if isinstance(value, dict):
            entry[name] = _without_masked(captured, value, f"{called}: {name}")
            if not entry[name]:
                del entry[name]
        elif name == "steps":
            place = f"{called}: {name}"
            entry[name] = [_without_masked(captured, step, place) for step in value]


def _without_masked(captured: Captured, value: Mapping[str, Any], place: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, item in value.items():
        if item == MASK and not captured.keeps_masked:
            captured.notes.append(f"{place}.{key} is left out, because it is secret.")
        elif isinstance(item, dict):
            kept[key] = _without_masked(captured, item, f"{place}.{key}")
        else:
            kept[key] = item
    return kept
