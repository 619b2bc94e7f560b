"""Export: the resources of an Ironic in the form of a lab file."""

from __future__ import annotations

import json
import logging
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk import runner
from baremetalclient._bulk.fetcher import list_all
from baremetalclient._http.redact import MASK, masked
from baremetalclient._resource.resource import Fields
from baremetalclient.declare.count import unknown
from baremetalclient.declare.lab_kinds import KINDS, LISTS, POWER_STATES, WRITTEN_BY_IRONIC
from baremetalclient.declare.live import listed
from baremetalclient.declare.secrets import is_redacted
from baremetalclient.declare.transitions import ACTIVE, AVAILABLE
from baremetalclient.v1.provision_states import find_state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from baremetalclient.declare.lab_kinds import LabKind
    from baremetalclient.declare.live import Found
    from baremetalclient.v1.client import Client

    Entry = dict[str, Any]

LOG = logging.getLogger(__name__)

_FEW = 4
"""Below this number of nodes, resources that belong to them are fetched node by node."""

_USED_OR_NOT = (AVAILABLE, ACTIVE)
"""The states between which users move nodes."""

_FIRST = ("name", "uuid", "address", "description", "driver", "provision_state", "power_state")


def export(
    client: Client,
    select: str | Sequence[str] | None = None,
    *,
    nodes: Sequence[str] | None = None,
    uuids: bool = True,
    tell: Callable[[str], object] = LOG.warning,
) -> dict[str, Any]:
    """Return the present lab in the form of a lab file.

    Ironic's defaults, times, secrets and fields that only Ironic sets are left out.

    :param client: the client.
    :param select: selections of nodes, see ``client.node.select``: only these nodes are exported,
        and the chassis that they name.
    :param nodes: names or UUIDs of nodes, instead of a selection.
    :param uuids: whether UUIDs are exported where something else identifies a resource.
    :param tell: called with a message for each value that is left out or changed.
    :returns: the lists of the file by their keys.
    :raises NotFound: if one of the nodes does not exist.
    :raises ValidationError: if a selection is invalid.
    """
    expressions = [select] if isinstance(select, str) else select
    return _Export(client, tell, uuids=uuids).lab(expressions, nodes)


class _Export:
    def __init__(self, client: Client, tell: Callable[[str], object], *, uuids: bool) -> None:
        self._client = client
        self._tell = tell
        self._uuids = uuids
        self._drivers: dict[str, Found] = {}
        self._names: dict[str, str] = {}

    def lab(self, expressions: Sequence[str] | None, names: Sequence[str] | None) -> dict[str, Any]:
        everything = expressions is None and names is None
        nodes = self._nodes(expressions, names)
        self._names = {node["uuid"]: node.get("name") or node["uuid"] for node in nodes}
        self._drivers = self._driver_defaults() if nodes else {}
        chassis = self._list("chassis")
        if not everything:
            named = {node.get("chassis_uuid") for node in nodes}
            chassis = [one for one in chassis if one["uuid"] in named]
        lab: dict[str, list[Entry]] = {key: [] for key in LISTS}
        # Nodes are in their chassis if there is no UUID to name it.
        around: dict[str, Entry] = {}
        for found, entry in self._single("chassis", chassis):
            if "uuid" not in entry:
                around[found["uuid"]] = entry
            lab["chassis"].append(entry)
        parts = {key: self._of_nodes(key, nodes) for key in KINDS["nodes"].nested}
        for node in sorted(nodes, key=_label):
            own = {key: found.get(node["uuid"], []) for key, found in parts.items()}
            entry = self._node(node, own)
            chassis_uuid = node.get("chassis_uuid")
            if chassis_uuid in around:
                around[chassis_uuid].setdefault("nodes", []).append(entry)
            else:
                if chassis_uuid:
                    entry["chassis_uuid"] = chassis_uuid
                lab["nodes"].append(entry)
        if everything:
            for key in ("deploy_templates", "runbooks", "inspection_rules"):
                lab[key] = [entry for _, entry in self._single(key, self._list(key))]
            lab["allocations"] = list(self._allocations(nodes))
        return {key: entries for key, entries in lab.items() if entries}

    def _nodes(self, expressions: Sequence[str] | None, names: Sequence[str] | None) -> list[Found]:
        if names is not None:
            outcomes = list(runner.run(dict.fromkeys(names), self._client.node.get, reads=True))
            for outcome in outcomes:
                if outcome.error:
                    raise outcome.error
            # A node may be called by its name and by its UUID.
            found = {one.value.uuid: Fields(one.value) for one in outcomes if one.value}
            return list(found.values())
        from baremetalclient.v1.expressions import selection

        selected = selection(self._client.node.resource_type, expressions or ())
        nodes = list_all(self._client.node, selected.filters, detail=True)
        return [Fields(node) for node in nodes if selected.matches(vars(node))]

    def _of_nodes(self, key: str, nodes: Sequence[Found]) -> dict[str, list[Found]]:
        """Return the resources of a kind by the UUIDs of the nodes that they belong to."""
        found: dict[str, list[Found]] = {node["uuid"]: [] for node in nodes}
        if 0 < len(nodes) < _FEW:
            manager = getattr(self._client, KINDS[key].manager)
            for uuid in found:
                fetch = partial(manager.list, node=uuid, detail=True, limit=0)
                found[uuid] = self._fetch(key, fetch)
        elif nodes:
            for part in self._list(key):
                if part["node_uuid"] in found:
                    found[part["node_uuid"]].append(part)
        return found

    def _list(self, key: str) -> list[Found]:
        return self._fetch(key, partial(listed, self._client, KINDS[key]))

    def _fetch(self, key: str, fetch: Callable[[], Iterable[Any]]) -> list[Found]:
        """Return resources; none if the version of the API or the user's rights lack them."""
        try:
            return [Fields(found) for found in fetch()]
        except (exc.UnsupportedVersion, exc.Forbidden) as error:
            self._tell(f"No {key.replace('_', ' ')} are exported: {error}")
            return []

    def _driver_defaults(self) -> dict[str, Found]:
        try:
            return {driver.name: Fields(driver) for driver in self._client.driver.list(detail=True)}
        except (exc.UnsupportedVersion, exc.Forbidden):
            return {}

    def _node(self, node: Found, parts: Mapping[str, list[Found]]) -> Entry:
        entry = self._entry("nodes", node)
        label = f"node {_label(node)}"
        state = node["provision_state"]
        stable = find_state(state).main
        # Whether somebody uses a node is nothing that a file should decide.
        others = [one for one in _USED_OR_NOT if one != stable]
        entry["provision_state"] = [stable, *others] if stable in _USED_OR_NOT else stable
        if state != stable:
            self._tell(f"{label}: its state {state!r} is exported as {stable!r}.")
        elif node.get("power_state") in POWER_STATES and stable != "enroll":
            entry["power_state"] = node["power_state"]
        parent = node.get("parent_node")
        if parent and not self._uuids:
            entry["parent_node"] = self._names.get(parent, parent)
        if node.get("traits"):
            entry["traits"] = sorted(node["traits"])
        if node.get("target_raid_config"):
            self._put(entry, KINDS["nodes"], "target_raid_config", node, label)
        places = (part.get("internal_info") or {} for part in parts["portgroups"] + parts["ports"])
        vifs = [info["tenant_vif_port_id"] for info in places if info.get("tenant_vif_port_id")]
        if vifs:
            entry["vifs"] = sorted(vifs)
        entry = _ordered(entry)
        groups = {group["uuid"]: group for group in parts["portgroups"]}
        for key, found in parts.items():
            entries = []
            for part in sorted(found, key=_part_order):
                made = self._entry(key, part)
                if part.get("portgroup_uuid") in groups:
                    group = groups[part["portgroup_uuid"]]
                    made["portgroup"] = group["name"] or group["address"] or group["uuid"]
                entries.append(_ordered(made))
            if entries:
                entry[key] = entries
        return entry

    def _single(self, key: str, found: Sequence[Found]) -> Iterator[tuple[Found, Entry]]:
        """Yield resources that belong to no node, with their entries."""
        kind = KINDS[key]
        descriptions = Counter(one.get("description") for one in found)
        for one in sorted(found, key=_label):
            unique = descriptions[one.get("description")] == 1
            entry = self._entry(key, one, identified=unique or "name" in kind.known)
            if one.get("traits"):
                entry["traits"] = sorted(one["traits"])
            missing = [name for name in kind.required if name not in entry]
            if not missing:
                yield one, _ordered(entry)
                continue
            why = "it is sensitive" if one.get("sensitive") else f"it lacks {missing[0]}"
            self._tell(f"{kind.name} {_label(one)}: it is left out, because {why}.")

    def _allocations(self, nodes: Sequence[Found]) -> Iterator[Entry]:
        states = {node["uuid"]: node["provision_state"] for node in nodes}
        kind = KINDS["allocations"]
        for found in sorted(self._list("allocations"), key=_label):
            if not found.get("name") or found["state"] == "error":
                why = "its allocation failed" if found.get("name") else "it has no name"
                self._tell(f"{kind.name} {_label(found)}: it is left out, because {why}.")
                continue
            entry = self._entry("allocations", found)
            node = found.get("node_uuid")
            candidates = found.get("candidate_nodes") or []
            if node and find_state(states.get(node)).main == "active":
                entry["node"] = self._called(node)
            elif node:
                # Only active nodes can be given to an allocation.
                candidates = [node]
            if candidates:
                entry["candidate_nodes"] = sorted(map(self._called, candidates))
            yield _ordered(entry)

    def _called(self, uuid: str) -> str:
        return uuid if self._uuids else self._names.get(uuid, uuid)

    def _entry(self, key: str, found: Found, *, identified: bool = True) -> Entry:
        """Return the fields of a resource that are not defaults.

        :param identified: whether something else than its UUID can identify it.
        """
        kind = KINDS[key]
        label = f"{kind.name} {_label(found)}"
        entry: Entry = {}
        for name in kind.known:
            if name not in (*kind.special, "uuid", "chassis_uuid", "node_uuid", "portgroup_uuid"):
                self._put(entry, kind, name, found, label)
        identities = [names for names in kind.identity if names != ("uuid",)]
        if self._uuids or not (identified and any(entry.keys() >= {*one} for one in identities)):
            entry["uuid"] = found["uuid"]
            if not self._uuids:
                self._tell(f"{label}: its UUID is kept, because nothing else identifies it.")
        return entry

    def _put(self, entry: Entry, kind: LabKind, name: str, found: Found, label: str) -> None:
        """Add a field to an entry, unless it is a default, or Ironic's own."""
        value = found.get(name)
        if kind.manager == "node" and self._is_own(name, found):
            return
        if is_redacted(value):
            self._tell(f"{label}: {name} is left out, because you have no permission to see it.")
            return
        if name in kind.by_key and isinstance(value, dict):
            own = WRITTEN_BY_IRONIC.get(name, set())
            if name == "instance_info" and found.get("allocation_uuid"):
                own = own | {"traits"}
            # A key that is null is the same in a file as one that isn't there.
            value = {
                key: item
                for key, item in value.items()
                if item is not None
                and key not in own
                and self._can_be_exported({key: item}, f"{label}: {name}/{key}")
            }
        elif not self._can_be_exported({name: value}, f"{label}: {name}"):
            return
        required = name in kind.required and value is not None
        if required or (value not in (None, {}, [], "") and value != kind.defaults.get(name)):
            entry[name] = value

    def _is_own(self, name: str, node: Found) -> bool:
        """Return whether Ironic itself chose the value of a field of a node."""
        if name == "instance_uuid":
            return bool(node.get("allocation_uuid"))
        if name.endswith("_interface"):
            usual = self._drivers.get(node["driver"], {}).get(f"default_{name}")
            return usual is not None and node.get(name) == usual
        return False

    def _can_be_exported(self, value: Any, place: str) -> bool:
        """Return whether a file can hold a value; if not, report that it is left out."""
        if _holds_secret(value):
            self._tell(f"{place} is left out, because it is secret. Refer to it with '!secret'.")
            return False
        pattern = next(unknown(value, {}), None)
        if pattern:
            self._tell(f"{place} is left out, because {pattern} is a pattern in files.")
        return pattern is None


def _holds_secret(value: Any) -> bool:
    return bool(masked(value) != value) or MASK in json.dumps(value)


def _label(found: Found) -> str:
    return str(found.get("name") or found.get("description") or found["uuid"])


def _part_order(part: Found) -> tuple[Any, ...]:
    names = ("name", "address", "type", "connector_id", "uuid")
    return (part.get("boot_index"), *(str(part.get(name) or "") for name in names))


def _ordered(entry: Entry) -> Entry:
    first = {name: entry[name] for name in _FIRST if name in entry}
    return {**first, **entry}
