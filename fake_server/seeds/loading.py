"""Store a seed, completely or not at all."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from fake_server.baremetal import errors, interfaces, periodic, states, tables
from fake_server.baremetal.hardware_types import FAKE_HARDWARE
from fake_server.baremetal.models import (
    allocations,
    conductors,
    enrolment,
    machines,
    nodes,
    step_lists,
)
from fake_server.baremetal.rules import checks as rule_checks
from fake_server.clock import parse_moment
from fake_server.common import due_work, durations, randomness
from fake_server.common.formats import is_mac
from fake_server.compute.models import instances
from fake_server.db import bulk
from fake_server.seeds import accounts, networks, rows, schema, services
from fake_server.seeds.parsing import Entries, Entry, SeedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fake_server.clock import Clock
    from fake_server.db.store import Record, Transaction
    from fake_server.seeds.resource_kind import ResourceKind
    from fake_server.settings import Settings

#: States of nodes whose machines run.
_RUNNING = frozenset({states.ACTIVE, states.RESCUE})


def store(tx: Transaction, clock: Clock, settings: Settings, seed: Entries) -> dict[str, int]:
    """Store a seed and return the number of each kind; raise SeedError if that is impossible."""
    accounts.load(tx, seed)
    loader = _Loader(tx, clock, settings)
    found = loader.rows(seed)
    for kind, entries in found.items():
        rows.check_unique(tx, kind, entries)
    for kind, entries in found.items():
        bulk.insert(tx, kind.table, (row for row, _ in entries))
        if kind.traits is not None:
            bulk.insert(tx, kind.traits, _traits(kind.traits, entries))
    bulk.insert(tx, due_work.due_work, loader.due)
    bulk.insert(tx, tables.machines, _machines(found[schema.NODES]))
    bulk.insert(tx, tables.node_inventory, _inventories(found[schema.NODES]))
    networks.load(tx, clock, seed)
    for kind in services.ROWS:
        rows.load(tx, clock, kind, seed[kind.key])
    if seed[services.SERVERS.key]:
        instances.plan_unfinished(tx, clock.seconds())
    others = {kind.key: len(seed[kind.key]) for kind in services.LISTS if seed[kind.key]}
    return {kind.key: len(entries) for kind, entries in found.items()} | others


def remove_nodes(tx: Transaction, names: Iterable[str | None]) -> None:
    """Remove the nodes with some names, and what belongs to them."""
    query, column = sa.select(tables.nodes.c.id, tables.nodes.c.uuid), tables.nodes.c.name
    for row in tx.among(query, column, [name for name in names if name]):
        # MariaDB doesn't see that what refers to port groups goes, too.
        tx.remove(tables.ports, node_id=row["id"])
        tx.remove(tables.nodes, id=row["id"])
        due_work.cancel(tx, due_work.thing("nodes", row["uuid"]))


class _Loader:
    """Converts entries to rows."""

    def __init__(self, tx: Transaction, clock: Clock, settings: Settings) -> None:
        self.tx = tx
        self.settings = settings
        self.now, self._seconds = clock.now(), clock.seconds()
        #: What is to happen later.
        self.due: list[Record] = []

    def rows(self, seed: Entries) -> dict[ResourceKind, list[tuple[Record, Entry]]]:
        """Return the rows of all kinds, each with the entry that it is made of."""
        found: dict[ResourceKind, list[tuple[Record, Entry]]] = {
            kind: list(self._numbered(kind, seed[kind.key])) for kind in schema.LISTS
        }
        found |= {kind: [] for kind in schema.OF_NODES}
        for kind in schema.LISTS:
            if kind.step_number is not None:
                for row, entry in found[kind]:
                    row["steps"] = _steps(row["steps"], kind.step_number, entry)
        chassis = self._ids_of_chassis(found[schema.CHASSIS])
        for row, entry in found[schema.NODES]:
            self._complete(row, entry, chassis)
        self._link_parents(found[schema.NODES])
        for row, entry in found[schema.INSPECTION_RULES]:
            _complete_rule(row, entry)
        self._link_allocations(found[schema.ALLOCATIONS], found[schema.NODES])
        for kind in schema.OF_NODES:
            entries = [
                (item, node["id"])
                for node, entry in found[schema.NODES]
                for item in entry.children[kind.key]
            ]
            numbered = self._numbered(kind, [entry for entry, _ in entries])
            for (row, entry), (_, node_id) in zip(numbered, entries, strict=True):
                row["node_id"] = node_id
                found[kind].append((row, entry))
        self._link_ports(found[schema.PORTS], found[schema.PORTGROUPS])
        return found

    def _numbered(
        self, kind: ResourceKind, entries: Iterable[Entry]
    ) -> Iterator[tuple[Record, Entry]]:
        defaults = kind.defaults()
        first = bulk.next_id(self.tx, kind.table) if "id" in defaults else 0
        for number, entry in enumerate(entries, start=first):
            row = {**defaults, **entry.values}
            if "id" in row:
                row["id"] = number
            written = entry.values.get("created_at")
            row["created_at"] = parse_moment(written) if written else self.now
            row = rows.resolved(self.tx, row, ("owner", "lessee"))
            if "uuid" in row:
                row["uuid"] = row["uuid"] or randomness.uuid()
            if row.get("address"):
                row["address"] = row["address"].lower()
            yield row, entry

    def _complete(self, row: Record, entry: Entry, chassis: dict[str, int]) -> None:
        """Add the defaults to the entry of a node."""
        row["driver"] = row["driver"] or self.settings.hardware_types[0]
        row["conductor_group"] = row["conductor_group"] or ""
        try:
            if not conductors.candidates(self.settings, row):
                raise conductors.no_valid_host(row)
            interfaces.set_defaults(self.settings, row)
            enrolment.check_properties(row["uuid"], row["properties"])
        except errors.ApiError as exc:
            raise SeedError(entry.place, str(exc).rstrip(".")) from exc
        # Files of labs list the states that will do, the one of a new node first.
        written = row["provision_state"] or states.ENROLL
        state = row["provision_state"] = written if isinstance(written, str) else written[0]
        if "power_state" not in entry.values and state != states.ENROLL:
            row["power_state"] = "power on" if state in _RUNNING else states.POWER_OFF
        row["provision_updated_at"] = self._since(entry, state)
        if row["reservation"] is None:
            # Ironic leaves locked nodes alone, whoever locked them.
            options = self.settings.periodic
            left = periodic.seconds_left(options, row, self.now)
            if left is not None:
                self._make_due(periodic.CALLBACK_TIMEOUT, nodes.thing_of(row), left)
            differs = bool(entry.links.get("machine"))
            if wait := periodic.interval(options, row, 0, changed=differs):
                self._make_due(periodic.POWER_SYNC, nodes.thing_of(row), wait, failures=0)
        wanted = entry.links.get("chassis_uuid")
        if wanted is not None:
            if wanted not in chassis:
                raise SeedError(f"{entry.place}.chassis_uuid", f"there is no chassis {wanted}")
            row["chassis_id"] = chassis[wanted]

    def _make_due(self, kind: str, thing: str, seconds: float, **arguments: Any) -> None:
        self.due.append(due_work.row(kind, thing, self._seconds + seconds, arguments))

    def _since(self, entry: Entry, state: str) -> datetime | None:
        """Return since when a node is in its state."""
        written, age = entry.links.get("provision_updated_at"), entry.links.get("age")
        if written is not None and age is not None:
            raise SeedError(entry.place, "it has both age and provision_updated_at")
        if written is not None:
            return parse_moment(written)
        if age is not None:
            return self.now - timedelta(seconds=durations.parse(str(age)))
        return None if state == states.ENROLL else self.now

    def _ids_of_chassis(self, rows: list[tuple[Record, Entry]]) -> dict[str, int]:
        table = tables.chassis
        stored = self.tx.all(sa.select(table.c.uuid, table.c.id))
        return {row["uuid"]: row["id"] for row in [*stored, *(row for row, _ in rows)]}

    def _link_parents(self, rows: list[tuple[Record, Entry]]) -> None:
        children = [(row, entry) for row, entry in rows if entry.links.get("parent_node")]
        if not children:
            return
        table = tables.nodes
        stored = self.tx.all(sa.select(table.c.uuid, table.c.name))
        known = [*stored, *(row for row, _ in rows)]
        uuids = {row["name"]: row["uuid"] for row in known} | {
            row["uuid"]: row["uuid"] for row in known
        }
        for row, entry in children:
            parent = entry.links["parent_node"]
            if parent not in uuids:
                raise SeedError(f"{entry.place}.parent_node", f"there is no node {parent}")
            if uuids[parent] == row["uuid"]:
                raise SeedError(f"{entry.place}.parent_node", "a node is not its own parent")
            row["parent_node"] = uuids[parent]

    def _link_allocations(
        self, rows: list[tuple[Record, Entry]], nodes: list[tuple[Record, Entry]]
    ) -> None:
        """Give allocations the nodes that they name; those without one are looked at when due."""
        named = {row[key]: row for row, _ in nodes for key in ("name", "uuid") if row[key]}
        for row, entry in rows:
            wanted = entry.links.get("node")
            default = allocations.ALLOCATING if wanted is None else allocations.ACTIVE
            row["state"] = row["state"] or default
            if (row["state"] == allocations.ACTIVE) != (wanted is not None):
                raise SeedError(
                    entry.place, "an active allocation needs a node, and no other one can have one"
                )
            if wanted is None and row["resource_class"] is None:
                raise SeedError(entry.place, "resource_class is missing")
            if row["state"] == allocations.ALLOCATING:
                self._make_due(allocations.SEARCH, allocations.thing_of(row), 0, attempts=0)
            if wanted is None:
                continue
            node = named.get(wanted)
            if node is None:
                raise SeedError(f"{entry.place}.node", f"there is no node {wanted} in the seed")
            if node["allocation_id"] is not None or node["instance_uuid"] not in (
                None,
                row["uuid"],
            ):
                raise SeedError(f"{entry.place}.node", f"node {wanted} has another instance")
            row["node_id"] = node["id"]
            row["resource_class"] = row["resource_class"] or node["resource_class"]
            node |= {
                "allocation_id": row["id"],
                "instance_uuid": row["uuid"],
                "instance_info": {**(node["instance_info"] or {}), "traits": row["traits"] or []},
            }

    def _link_ports(
        self, ports: list[tuple[Record, Entry]], groups: list[tuple[Record, Entry]]
    ) -> None:
        """Put ports into the port groups of their nodes that they name."""
        ids: dict[tuple[int, str], int] = {}
        for row, _ in groups:
            row["mode"] = row["mode"] or "active-backup"
            for name in filter(None, (row["uuid"], row["name"], row["address"])):
                ids[row["node_id"], name] = row["id"]
        for row, entry in ports:
            wanted = entry.links.get("portgroup") or entry.links.get("portgroup_uuid")
            if wanted is None:
                continue
            ident = wanted.lower() if is_mac(wanted) else wanted
            if (row["node_id"], ident) not in ids:
                raise SeedError(f"{entry.place}.portgroup", f"the node has no port group {wanted}")
            row["portgroup_id"] = ids[row["node_id"], ident]


def _complete_rule(row: Record, entry: Entry) -> None:
    row["phase"] = row["phase"] or rule_checks.PHASES[0]
    row["priority"] = row["priority"] or 0
    row["conditions"] = row["conditions"] or []
    try:
        rule_checks.check(row)
    except errors.ApiError as exc:
        raise SeedError(entry.place, str(exc).rstrip(".")) from exc


def _steps(steps: list[dict[str, Any]], number: str, entry: Entry) -> list[dict[str, Any]]:
    try:
        return step_lists.stored(steps, number)
    except errors.ApiError as exc:
        raise SeedError(f"{entry.place}.steps", str(exc).rstrip(".")) from exc


def _machines(nodes: Iterable[tuple[Record, Entry]]) -> Iterator[Record]:
    """Return the machines that differ from new ones; they run where their nodes do."""
    for row, entry in nodes:
        if row["driver"] != FAKE_HARDWARE:
            running = {"power_state": row["power_state"] or states.POWER_OFF}
            state = machines.differing({**running, **(entry.links.get("machine") or {})})
            if state:
                yield {"node_id": row["id"], "state": state}


def _inventories(nodes: Iterable[tuple[Record, Entry]]) -> Iterator[Record]:
    for row, entry in nodes:
        found = entry.links.get("inventory")
        if found:
            yield {
                "node_id": row["id"],
                "created_at": row["created_at"],
                "inventory_data": found["inventory"],
                "plugin_data": found["plugin_data"],
            }


def _traits(table: sa.Table, entries: Iterable[tuple[Record, Entry]]) -> Iterator[Record]:
    owner, trait = table.primary_key.columns.keys()
    for row, entry in entries:
        for name in entry.traits:
            yield {owner: row["id"], trait: name}
