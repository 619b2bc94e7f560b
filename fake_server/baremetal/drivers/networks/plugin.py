"""Call the network interface of a node, which may be a plug-in of a third party."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import errors
from fake_server.baremetal.drivers.interface import Interface
from fake_server.baremetal.drivers.networks.base import NetworkProvider
from fake_server.baremetal.task.objects import NetworkTask, Port, Portgroup
from fake_server.common import logs
from fake_server.db.store import RetryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fake_server.baremetal.task.objects import Connection
    from fake_server.baremetal.task.protocol import Task
    from fake_server.db.store import Record

LOG = logs.logger(__name__)
#: The defaults of methods that a provider doesn't have.
_DEFAULTS = NetworkProvider()


class NetworkDriver(Interface):
    """Adapts a network interface to the tasks and records of the conductor.

    Other methods than those below are the interface's own, with a task as first argument.

    :param name: the name under which it is enabled.
    :param provider: the interface, of any class.
    """

    kind = "network"

    def __init__(self, name: str, provider: Any) -> None:
        super().__init__(name, type(provider).__name__)
        self._provider = provider

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(task: Task, *args: Any) -> Any:
            return self._call(name, NetworkTask(task), *args)

        return call

    def validate(self, task: Task) -> None:
        """Raise ApiError if the node lacks something that the interface needs."""
        self._call("validate", NetworkTask(task))

    def vif_list(self, task: Task) -> list[dict[str, Any]]:
        """Return the attached VIFs."""
        return list(self._call("vif_list", NetworkTask(task)))

    def get_current_vif(self, task: Task, port: Record) -> str | None:
        """Return what is attached to a port."""
        found = self._call("get_current_vif", NetworkTask(task), Port(task.session, port))
        return None if found is None else str(found)

    def port_changed(self, task: Task, port: Record, changes: Mapping[str, Any]) -> Record:
        """Handle a change of a port.

        :param port: as it is stored.
        :param changes: columns that are to get other values.
        :returns: these, and what the interface changes beside them.
        :raises ApiError: if the change isn't possible.
        """
        return self._changed("port_changed", task, Port(task.session, port), changes)

    def portgroup_changed(self, task: Task, group: Record, changes: Mapping[str, Any]) -> Record:
        """Handle a change of a port group; see :meth:`port_changed`."""
        return self._changed("portgroup_changed", task, Portgroup(task.session, group), changes)

    def _changed(
        self, method: str, task: Task, row: Connection, changes: Mapping[str, Any]
    ) -> Record:
        for name, value in changes.items():
            setattr(row, name, value)
        self._call(method, NetworkTask(task), row)
        return {**changes, **row.changes()}

    def _call(self, name: str, *args: Any) -> Any:
        method = getattr(self._provider, name, None) or getattr(_DEFAULTS, name)
        try:
            return method(*args)
        except (errors.ApiError, RetryError):
            raise
        except Exception as exc:
            failure = _translated(exc)
            if failure is None:
                LOG.exception("%s of network interface %s failed", name, self.name)
                failure = errors.NetworkError(f"{type(exc).__name__}: {exc}")
            raise failure from exc


def _translated(exc: Exception) -> errors.ApiError | None:
    """Return the error that is named like one of Ironic's exceptions, if it is one of those."""
    for kind in type(exc).__mro__:
        known = getattr(errors, kind.__name__, None)
        if isinstance(known, type) and issubclass(known, errors.ApiError):
            return known(str(exc))
    return None
