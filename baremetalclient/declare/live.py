"""The resources on the server of the kinds that a lab names, read with few requests."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk import runner
from baremetalclient._bulk.fetcher import list_all
from baremetalclient._resource.resource import Fields
from baremetalclient.declare.lab_kinds import KINDS, folded
from baremetalclient.declare.transitions import bound_for

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping

    from baremetalclient.declare.compare import Path
    from baremetalclient.declare.lab import Lab, LabItem
    from baremetalclient.declare.lab_kinds import LabKind
    from baremetalclient.v1.client import Client

Found = dict[str, Any]
"""A resource as the server shows it."""

_NEVER_UNSET = ("uuid", "provision_state", "power_state")
"""Fields whose null in a file is ignored."""

_OF_FIRST_STATE = (
    *("power_state", "instance_uuid", "instance_info", "vifs", "protected", "protected_reason"),
)
"""Fields of a node that a file means for the first of several allowed states."""

REASON = "baremetal apply is changing this node"
"""The reason of a maintenance in which a plan changes what Ironic lets be changed only there."""
POWERED_ON = f"{REASON}; it was powered on"
"""The same of a node that is powered off for that."""

_EMPTY: Mapping[str, Any] = {"object": {}, "list": []}


def listed(client: Client, kind: LabKind) -> list[Any]:
    """Return all resources of a kind, child nodes included."""
    options = {} if kind.manager == "allocation" else {"detail": True}
    return list_all(getattr(client, kind.manager), {}, **options)


class Live:
    """The resources of the kinds that a lab names.

    VIFs and BIOS settings are read only of nodes for which the lab names them.

    :param empty: whether there are none, so that nothing is read.
    :raises ClientException: if they cannot be read.
    """

    def __init__(self, client: Client, lab: Lab, *, empty: bool = False) -> None:
        self._client = client
        named = {key: lab.all(key) for key in KINDS}
        owners = (*named["nodes"], *named["portgroups"])
        lists = {name for item in owners for name in item.nested}
        self._found: dict[str, list[Found]] = {
            key: self._list(key) if not empty and (named[key] or key in lists) else []
            for key in KINDS
        }
        names_nodes = any(
            item.fields.get(name)
            for item in named["allocations"]
            for name in ("node", "candidate_nodes")
        )
        if not empty and not self._found["nodes"] and names_nodes:
            self._found["nodes"] = self._list("nodes")
        self._indexes: dict[tuple[str, tuple[str, ...]], dict[Hashable, Found]] = {}
        #: The resources of the lab that are there.
        self.items: dict[LabItem, Found] = {}
        for key, items in named.items():
            for item in items:
                found = self._match(key, item)
                if found is not None:
                    self.items[item] = found
        self._drivers: dict[Any, Found] = self._driver_defaults(named["nodes"])
        self._read_of_each(named["nodes"], "vifs", self.vifs, list)
        self._read_of_each(named["nodes"], "bios_settings", self._bios_settings, dict)

    def vifs(self, uuid: str) -> list[str]:
        """Fetch the VIFs of a node."""
        return [vif.id for vif in self._client.node.vif_list(uuid)]

    def _bios_settings(self, uuid: str) -> dict[str, Any]:
        settings = self._client.node.list_bios_settings(uuid)
        return {setting["name"]: setting["value"] for setting in settings}

    def of_node(self, key: str, uuid: str) -> list[Found]:
        """Return the resources of a kind that belong to a node."""
        return self._of_nodes.get((key, uuid), [])

    @cached_property
    def _of_nodes(self) -> dict[tuple[str, str], list[Found]]:
        grouped: dict[tuple[str, str], list[Found]] = {}
        for key in KINDS["nodes"].nested:
            for found in self._found[key]:
                grouped.setdefault((key, found["node_uuid"]), []).append(found)
        return grouped

    def by(self, key: str, value: str | None, *names: str) -> Found | None:
        """Return the resource with a value in one of several fields."""
        for name in names:
            found = self._index(key, (name,)).get((None, folded(name, value)))
            if value is not None and found is not None:
                return found
        return None

    def add(self, item: LabItem, found: Found) -> None:
        """Record that a resource of the lab exists now."""
        self.items[item] = found
        for (key, names), index in list(self._indexes.items()):
            if KINDS[key] is item.kind:
                index[_key(found, names)] = found

    def uuid_of(self, item: LabItem) -> str | None:
        """Return the UUID of a resource of the lab, None if it doesn't exist yet."""
        found = self.items.get(item)
        return found["uuid"] if found else item.fields.get("uuid")

    def wanted(self, item: LabItem) -> dict[Path, Any]:
        """Return the values that a file owns of a resource, as the API shows them.

        Names of resources that don't exist yet stay names.
        """
        kind = item.kind
        values: dict[Path, Any] = {}
        allowed, state = item.fields.get("provision_state"), self._state(item)
        is_other = isinstance(allowed, list) and state != allowed[0]
        for one in item.links:
            values[one.kind.parent_field,] = self.uuid_of(one) or one.label
        for name, value in item.fields.items():
            if (value is None and name in _NEVER_UNSET) or (is_other and name in _OF_FIRST_STATE):
                continue
            if name == "portgroup":
                group = item.portgroup
                values["portgroup_uuid",] = group and (self.uuid_of(group) or value)
            elif name == "parent_node":
                values[name,] = self._node_uuid(value)
            elif name == "node":
                values["node_uuid",] = self._node_uuid(value)
            elif name == "candidate_nodes":
                values[name,] = list(map(self._node_uuid, value or ()))
            elif name == "provision_state":
                values[name,] = state
            elif name == "bios_settings":
                values |= {(name, key): str(inner) for key, inner in (value or {}).items()}
            elif name in ("actions", "conditions"):
                values[name,] = [_as_shown(one, name) for one in value or ()]
            elif isinstance(value, dict) and name in kind.by_key:
                values |= {(name, key): inner for key, inner in value.items()}
            else:
                values[name,] = self.default(item, name) if value is None else value
        if kind.manager == "node" and item in self.items:
            _restore(self.items[item], values)
        return values

    def _state(self, item: LabItem) -> str | None:
        """Return the provision state that a node is to be in: its own if that is allowed."""
        allowed: str | list[str] | None = item.fields.get("provision_state")
        if not isinstance(allowed, list):
            return allowed
        found = self.items.get(item)
        state = bound_for(found) if found else None
        return state if state in allowed else allowed[0]

    def _node_uuid(self, name: str | None) -> str | None:
        node = self.by("nodes", name, "uuid", "name")
        return node["uuid"] if node else name

    def default(self, item: LabItem, name: str) -> Any:
        """Return the value that null stands for."""
        if name in item.kind.defaults:
            return item.kind.defaults[name]
        if name.endswith("_interface"):
            driver = item.fields.get("driver") or self.items.get(item, {}).get("driver")
            return self._drivers.get(driver, {}).get(f"default_{name}")
        known = item.kind.schema.by_name.get(name)
        return _EMPTY.get(known.type) if known else _EMPTY["list"]

    def _match(self, key: str, item: LabItem) -> Found | None:
        names = item.identity
        scope = item.node and self.uuid_of(item.node) if names == ("boot_index",) else None
        if names == ("boot_index",) and scope is None:
            return None
        values = tuple(folded(name, item.fields.get(name)) for name in names)
        return self._index(key, names).get((scope, *values))

    def _index(self, key: str, names: tuple[str, ...]) -> dict[Hashable, Found]:
        if (key, names) not in self._indexes:
            self._indexes[key, names] = {_key(found, names): found for found in self._found[key]}
        return self._indexes[key, names]

    def _list(self, key: str) -> list[Found]:
        return [Fields(found) for found in listed(self._client, KINDS[key])]

    def _driver_defaults(self, nodes: Iterable[LabItem]) -> dict[Any, Found]:
        asked = any(
            value is None and name.endswith("_interface")
            for item in nodes
            for name, value in item.fields.items()
        )
        if not asked:
            return {}
        return {driver.name: Fields(driver) for driver in self._client.driver.list(detail=True)}

    def _read_of_each(
        self, nodes: Iterable[LabItem], name: str, read: Callable[[str], Any], empty: type
    ) -> None:
        """Read what lists of nodes don't show, for the nodes for which the lab names it."""
        asked = [self.items[item] for item in nodes if name in item.fields and item in self.items]
        for outcome in runner.run(asked, lambda found: read(found["uuid"]), reads=True):
            if outcome.error and not isinstance(outcome.error, exc.BadRequest | exc.NotFound):
                raise outcome.error
            # A node whose interface can't say has none; it says why when they are set.
            outcome.item[name] = empty() if outcome.value is None else outcome.value


def _restore(found: Found, wanted: dict[Path, Any]) -> None:
    """Add to the wanted values of a node what an interrupted plan has not restored."""
    reason = found.get("maintenance_reason")
    if not found.get("maintenance") or reason not in (REASON, POWERED_ON):
        return
    wanted.setdefault(("maintenance",), False)
    if reason == POWERED_ON:
        wanted.setdefault(("power_state",), "power on")


def _as_shown(operation: Any, name: str) -> Any:
    """Return an action or a condition of an inspection rule as the server shows it."""
    if not isinstance(operation, dict):
        return operation
    loop = operation.get("loop")
    rest = {key: value for key, value in operation.items() if key not in ("loop", "multiple")}
    if not loop:
        return rest
    multiple = {"multiple": operation.get("multiple", "any")} if name == "conditions" else {}
    return {**rest, "loop": loop, **multiple}


def _key(found: Found, names: tuple[str, ...]) -> Hashable:
    scope = found["node_uuid"] if names == ("boot_index",) else None
    return (scope, *(folded(name, found.get(name)) for name in names))
