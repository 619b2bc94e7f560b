"""Resources that tests read, and put into any state in the middle of a test.

A change obeys the constraints of the database, not the state machine: a node is in the new state at
once, and nothing of what leads there has happened.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import sqlalchemy as sa

from fake_server.baremetal import errors, node_fields, states, tables
from fake_server.baremetal.fields import TIME
from fake_server.baremetal.hardware_types import FAKE_HARDWARE
from fake_server.baremetal.models import machines
from fake_server.baremetal.models import nodes as node_models
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.session import open_session
from fake_server.baremetal.step_flows import FLOWS
from fake_server.block_storage.tables import volumes
from fake_server.clock import parse_moment
from fake_server.common import due_work, durations
from fake_server.common.caller import Caller
from fake_server.common.suggestion import did_you_mean, suggestion
from fake_server.common.wsgi import internal_request
from fake_server.compute.tables import servers
from fake_server.db.store import DuplicateError
from fake_server.identity.roles import ROLES, identify
from fake_server.networking.kinds import KINDS
from fake_server.seeds import checks, schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fake_server.baremetal.session import Session
    from fake_server.common.lab import Lab
    from fake_server.common.wsgi import Request, Response
    from fake_server.control.state import ControlState
    from fake_server.db.store import Record, Transaction
    from fake_server.seeds.checks import Check

#: Who reads what Ironic has, and, in a project, what the other services have.
_OF_SYSTEM = Caller(identify("user", "admin"), "admin", frozenset(ROLES), system=True)
_OF_PROJECT = replace(_OF_SYSTEM, system=False, project_id=identify("project", "admin"))
_NEWEST = {
    "HTTP_X_OPENSTACK_IRONIC_API_VERSION": "latest",
    "HTTP_OPENSTACK_API_VERSION": "compute latest, volume latest",
}
#: What a flow of steps stores in ``driver_internal_info``, besides its steps and its position.
_MARKS = tuple(mark for flow in FLOWS.values() for mark in flow.marks)


class TakenError(ValueError):
    """A value has to be unique, and another resource has it."""


class Resource:
    """A resource of a server; its fields are attributes, always those of the present moment."""

    def __init__(self, resources: Resources[Any], key: Any) -> None:
        self._resources = resources
        self._key = key

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        fields = self.fields()
        if name not in fields:
            raise AttributeError(f"There is no field {name!r}. Fields: {', '.join(fields)}.")
        return fields[name]

    def __repr__(self) -> str:
        return f"<{self._resources.kind.singular} {self._key}>"

    def fields(self) -> dict[str, Any]:
        """Return all fields, by the names of the API.

        :raises KeyError: if it is gone.
        """
        return self._resources.fields(self._key)

    def set(self, **fields: Any) -> None:
        """Change fields, whatever state the resource is in.

        :param fields: new values by the names of the API.
        :raises ValueError: for an unknown field, an invalid value, or a violated constraint.
        :raises KeyError: if it is gone.
        """
        self._resources.change(self._key, fields)


class Node(Resource):
    """A node.

    A new ``provision_state`` ends what runs: the flow, due events, the lock and the target, unless
    they are given, too. ``provision_updated_at`` is a time, or an age such as ``-3h``.
    """

    def fail(self, error: str) -> None:
        """Fail the flow that the node is in.

        :param error: becomes ``last_error``.
        :raises ValueError: if it is in none.
        """
        state, target = self.provision_state, self.target_provision_state
        if not states.accepts(state, "fail"):
            raise ValueError(f"Node {self.uuid} is {state!r}: nothing is under way.")
        state, target = states.follow(state, "fail", target)
        self.set(provision_state=state, target_provision_state=target, last_error=error)

    def lock(self, holder: str | None = None) -> None:
        """Reserve the node; by default, for its conductor."""
        self.set(reservation=holder or self._resources.lab.settings.host)

    def unlock(self) -> None:
        """Release the node."""
        self.set(reservation=None)

    def power(self, state: str) -> None:
        """Switch the node, and its machine, ``on`` or ``off``.

        :raises ValueError: for another state.
        """
        if state not in ("on", "off"):
            raise ValueError(f"A node can be switched 'on' or 'off', not {state!r}.")
        self.set(power_state=f"power {state}", target_power_state=None)


ItemT = TypeVar("ItemT", bound=Resource)


@dataclass(frozen=True, slots=True)
class Kind(Generic[ItemT]):
    """A kind of resources.

    :param singular: how messages call one.
    :param path: the path of all in the API.
    :param names: the columns by which one is found, that of its identifier first.
    :param checks: returns what is wrong with a value, by field; nothing for a kind that can only be
        read.
    :param item: what stands for one.
    """

    singular: str
    path: str
    table: sa.Table
    names: tuple[str, ...]
    checks: Mapping[str, Check]
    item: type[ItemT]


class Resources(Generic[ItemT]):
    """The resources of a kind, by their names and identifiers.

    :param look: answers a request to a service.
    """

    def __init__(
        self,
        kind: Kind[ItemT],
        lab: Lab,
        state: ControlState,
        look: Callable[[Request], Response],
    ) -> None:
        self.kind = kind
        self.lab = lab
        self._state = state
        self._look = look

    def __getitem__(self, name: str) -> ItemT:
        keys = self._keys()
        if name in keys:
            return self.kind.item(self, keys[name])
        raise KeyError(self.missing(name))

    def __iter__(self) -> Iterator[ItemT]:
        return (self.kind.item(self, key) for key in dict.fromkeys(self._keys().values()))

    def __len__(self) -> int:
        return len(set(self._keys().values()))

    def __contains__(self, name: object) -> bool:
        return name in self._keys()

    def missing(self, name: str) -> str:
        """Return a sentence saying that there is none of this name, with the nearest name."""
        return f"There is no {self.kind.singular} {name!r}.{did_you_mean(name, self._keys())}"

    def fields(self, key: Any) -> dict[str, Any]:
        """Return the fields of one; raise KeyError if it is gone."""
        self._state.apply_due_work()
        caller = _OF_SYSTEM if self.kind.path.startswith("/v1/") else _OF_PROJECT
        request = internal_request(caller, "GET", f"{self.kind.path}/{key}", headers=_NEWEST)
        response = self._look(request)
        if response.status == HTTPStatus.NOT_FOUND:
            raise KeyError(f"There is no {self.kind.singular} {key!r} any more.")
        found: dict[str, Any] = json.loads(response.body)
        # All services but Ironic name in an answer what it is about.
        fields = next(iter(found.values())) if len(found) == 1 else found
        return {name: value for name, value in fields.items() if not _is_links(value)}

    def change(self, key: Any, fields: Mapping[str, Any]) -> None:
        """Change fields of one; see :meth:`Resource.set`."""
        self._state.apply_due_work()
        values = {name: self._checked(name, value) for name, value in fields.items()}
        try:
            self._state.transact(lambda tx: self._store(tx, self._row(tx, key), values))
        except (DuplicateError, errors.AlreadyExists, errors.InstanceAssociated) as exc:
            raise TakenError(f"A {self.kind.singular} with that exists: {exc}") from exc

    def _keys(self) -> dict[str, Any]:
        """Return the identifiers by all that names a resource."""
        self._state.apply_due_work()
        columns = [self.kind.table.c[name] for name in self.kind.names]
        order = next(iter(self.kind.table.primary_key.columns))
        query = sa.select(*columns).order_by(order)
        rows = self._state.transact(lambda tx: tx.all(query), write=False)
        own = self.kind.names[0]
        named = {row[name]: row[own] for name in self.kind.names[1:] for row in rows if row[name]}
        return {row[own]: row[own] for row in rows} | named

    def _row(self, tx: Transaction, key: Any) -> Record:
        row = tx.get(self.kind.table, **{self.kind.names[0]: key})
        if row is None:
            raise KeyError(f"There is no {self.kind.singular} {key!r} any more.")
        return row

    def _checked(self, name: str, value: Any) -> Any:
        """Return a value as it is stored; raise ValueError for one that can't be."""
        check = self.kind.checks.get(name)
        if check is None:
            known = self.kind.checks or ["none, it can only be read"]
            raise ValueError(
                f"A {self.kind.singular} has no field {name!r} that can be set."
                + suggestion(name, known, "Fields:")
            )
        if check is checks.time:
            return self._moment(name, value)
        if problem := check(value):
            raise ValueError(f"{name} {problem}" if problem.endswith("?") else f"{name} {problem}.")
        return value

    def _moment(self, name: str, value: Any) -> datetime | None:
        if isinstance(value, str) and value.startswith("-"):
            return self.lab.clock.now() - timedelta(seconds=durations.parse(value[1:]))
        text = value.isoformat() if isinstance(value, datetime) else value
        if problem := checks.time(text):
            raise ValueError(f"{name} {problem}, or an age such as '-3h'.")
        return None if text is None else parse_moment(text)

    def _store(self, tx: Transaction, row: Record, values: dict[str, Any]) -> None:
        if self.kind.table is not tables.nodes:
            tx.update_row(
                self.kind.table, row["id"], {**values, "updated_at": self.lab.clock.now()}
            )
            return
        session = open_session(self.lab, tx)
        if "provision_state" in values:
            values = _ended(session, row) | values
            due_work.cancel(tx, node_models.thing_of(row))
        NODES.update(session, row, values)
        if "power_state" in values and row["driver"] != FAKE_HARDWARE:
            machines.change(tx, row["id"], {"power_state": values["power_state"]})


def _ended(session: Session, row: Record) -> Record:
    """Return the columns of a node of which nothing is under way any more."""
    internal = dict(row["driver_internal_info"] or {})
    for kind in FLOWS:
        for key in (f"{kind}_steps", f"{kind}_step_index", *_MARKS):
            internal.pop(key, None)
    return {
        "target_provision_state": None,
        "reservation": None,
        "driver_internal_info": internal,
        "provision_updated_at": session.clock.now(),
        **{flow.step_field: {} for flow in FLOWS.values()},
    }


def _is_links(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict) and "href" in one for one in value)


_BELOW = {kind.key: kind for kind in schema.OF_NODES}
_TIMES = [field.name for field in node_fields.NODES.rows if field.kind is TIME]
#: The kinds by the attribute that has them.
COLLECTIONS: Mapping[str, Kind[Any]] = {
    "nodes": Kind(
        "node",
        "/v1/nodes",
        tables.nodes,
        ("uuid", "name"),
        {
            **{name: check for name, check in schema.NODES.fields.items() if name != "uuid"},
            **dict.fromkeys(_TIMES, checks.time),
        },
        Node,
    ),
    **{
        kind.key: Kind(
            singular,
            f"/v1/{path}",
            kind.table,
            names,
            {name: check for name, check in kind.fields.items() if name != "uuid"},
            Resource,
        )
        for singular, path, kind, names in (
            ("port", "ports", schema.PORTS, ("uuid", "address")),
            ("port group", "portgroups", schema.PORTGROUPS, ("uuid", "name", "address")),
            *(
                (
                    f"volume {name}",
                    f"volume/{name}s",
                    _BELOW[f"volume_{name}s"],
                    ("uuid",),
                )
                for name in ("connector", "target")
            ),
            ("allocation", "allocations", schema.ALLOCATIONS, ("uuid", "name")),
        )
    },
    **{
        f"{name}s": Kind(name, f"/{path}/{name}s", table, ("id", "name"), {}, Resource)
        for name, path, table in (
            ("server", "compute/v2.1", servers),
            ("volume", "volume/v3", volumes),
            ("network", "networking/v2.0", KINDS["networks"].table),
        )
    },
}
