"""Task, node, ports and port groups as network interfaces see them.

The names are Ironic's, so that an interface that was written for
``ironic.drivers.base.NetworkInterface`` works here as it is. Every column of a record is an
attribute, and ``save()`` stores what was changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import tables
from fake_server.common.json_text import copied

if TYPE_CHECKING:
    import sqlalchemy as sa

    from fake_server.baremetal.session import Session
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

#: Columns that hold objects; what was never set counts as empty.
_OBJECTS = frozenset({"extra", "internal_info", "local_link_connection", "properties"})


@dataclass(frozen=True)
class RequestContext:
    """The request context, always that of the service itself."""

    auth_token: str | None = None
    global_id: str | None = None
    is_admin: bool = True
    project_id: str | None = None
    user_id: str | None = None


class _Columns:
    """The columns of a record as attributes."""

    _values: Record

    def __getattr__(self, name: str) -> Any:
        try:
            return vars(self)["_values"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no attribute {name}.") from None

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._values:
            self._values[name] = value
        else:
            super().__setattr__(name, value)

    def as_dict(self) -> dict[str, Any]:
        """Return all columns with their values."""
        return dict(self._values)


class Node(_Columns):
    """The node of a task."""

    def __init__(self, task: Task) -> None:
        vars(self).update(_task=task)

    def __getattr__(self, name: str) -> Any:
        node = vars(self)["_task"].node
        if name == "_values":
            return node
        try:
            return node[name]
        except KeyError:
            raise AttributeError(f"Node has no attribute {name}.") from None

    def save(self) -> None:
        """Store what was changed."""
        self._task.save()

    def set_driver_internal_info(self, key: str, value: Any) -> None:
        """Put a value into ``driver_internal_info``."""
        self._task.node["driver_internal_info"][key] = value

    def del_driver_internal_info(self, key: str) -> Any:
        """Remove a value from ``driver_internal_info`` and return it."""
        return self._task.node["driver_internal_info"].pop(key, None)


class Connection(_Columns):
    """A port or a port group of the node.

    :param session: the session of the request.
    :param record: as it is stored.
    """

    table: ClassVar[sa.Table]

    def __init__(self, session: Session, record: Record) -> None:
        stored = {
            name: ({} if value is None and name in _OBJECTS else value)
            for name, value in record.items()
        }
        vars(self).update(_session=session, _stored=stored, _values=copied(stored))

    def obj_what_changed(self) -> set[str]:
        """Return the names of the columns that were changed."""
        return {name for name, value in self._values.items() if value != self._stored[name]}

    def changes(self) -> dict[str, Any]:
        """Return the columns that were changed, with their values."""
        return {name: self._values[name] for name in self.obj_what_changed()}

    def save(self) -> None:
        """Store what was changed."""
        changes = self.changes()
        if not changes:
            return
        self.updated_at = changes["updated_at"] = self._session.clock.now()
        self._session.tx.update_row(self.table, self.id, changes)
        vars(self)["_stored"] = copied(self._values)


class Port(Connection):
    """A port of the node."""

    table = tables.ports


class Portgroup(Connection):
    """A port group of the node."""

    table = tables.portgroups


class NetworkTask:
    """The task that the methods of a network interface get.

    :param task: the task on the node.

    ``session``, with the transaction and the settings, is this server's own.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self.session = task.session
        self.shared = task.shared
        self.context = RequestContext()
        self.node = Node(task)

    @cached_property
    def ports(self) -> list[Port]:
        """The node's ports."""
        return [Port(self.session, row) for row in self._task.ports]

    @cached_property
    def portgroups(self) -> list[Portgroup]:
        """The node's port groups."""
        return [Portgroup(self.session, row) for row in self._task.portgroups]

    def interface_name(self, kind: str) -> str:
        """Return the name of the interface that the node has in force."""
        return self._task.interface_name(kind)
