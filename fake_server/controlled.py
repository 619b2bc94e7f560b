"""What tests read of a server, and change: its clock, its faults, its state, its requests."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import SQLAlchemyError

from fake_server.control import mistakes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_server.app import Application
    from fake_server.clock import Clock
    from fake_server.control.conductors import Conductors
    from fake_server.control.delays import Delays
    from fake_server.control.faults import Faults
    from fake_server.control.machines import Machines
    from fake_server.control.recorder import Recorder
    from fake_server.control.resources import Node, Resource, Resources
    from fake_server.control.snapshots import Snapshots
    from fake_server.seeds.parsing import Seed


class Controlled:
    """A server as tests control it.

    :ivar app: the WSGI application.
    """

    app: Application

    @property
    def clock(self) -> Clock:
        """The clock of the server."""
        return self.app.clock

    @property
    def faults(self) -> Faults:
        """The faults in force."""
        return self.app.control.faults

    @property
    def delays(self) -> Delays:
        """The durations of the transitions of nodes."""
        return self.app.control.delays

    @property
    def conductors(self) -> Conductors:
        """The conductors, which can be stopped and started."""
        return self.app.control.conductors

    @property
    def machines(self) -> Machines:
        """The simulated machines of nodes."""
        return self.app.control.machines

    @property
    def nodes(self) -> Resources[Node]:
        """The nodes, by name or UUID."""
        return self.app.control.resources["nodes"]

    @property
    def ports(self) -> Resources[Resource]:
        """The ports, by UUID or address."""
        return self.app.control.resources["ports"]

    @property
    def portgroups(self) -> Resources[Resource]:
        """The port groups, by UUID, name or address."""
        return self.app.control.resources["portgroups"]

    @property
    def volume_connectors(self) -> Resources[Resource]:
        """The volume connectors, by UUID."""
        return self.app.control.resources["volume_connectors"]

    @property
    def volume_targets(self) -> Resources[Resource]:
        """The volume targets, by UUID."""
        return self.app.control.resources["volume_targets"]

    @property
    def allocations(self) -> Resources[Resource]:
        """The allocations, by UUID or name."""
        return self.app.control.resources["allocations"]

    @property
    def servers(self) -> Resources[Resource]:
        """The servers of Nova, by id or name; they can only be read."""
        return self.app.control.resources["servers"]

    @property
    def volumes(self) -> Resources[Resource]:
        """The volumes of Cinder, by id or name; they can only be read."""
        return self.app.control.resources["volumes"]

    @property
    def networks(self) -> Resources[Resource]:
        """The networks of Neutron, by id or name; they can only be read."""
        return self.app.control.resources["networks"]

    @property
    def requests(self) -> Recorder:
        """The recorded requests."""
        return self.app.control.requests

    def report(self, title: str = "Fake Ironic", note: str = "") -> str:
        """Return a report as HTML: what was asked, which states nodes were in, what is due next.

        :param note: a text that is shown above the timeline.
        """
        return self.app.control.report(title, note)

    @contextmanager
    def fault(
        self,
        method: str,
        path: str,
        *,
        times: int | None = None,
        seconds: float | None = None,
        **action: Any,
    ) -> Iterator[FaultInForce]:
        """Have requests go wrong as long as a block runs.

        :param path: path of the requests; ``*`` stands for any characters.
        :param times: maximum number of times that it applies.
        :param seconds: maximum duration, by the server's clock.
        :param action: what happens, such as ``status=503``; see
            :class:`~fake_server.control.fault.Fault`.
        :returns: the fault; ``met`` is the number of requests that it applied to.
        :raises ValueError: for an invalid value; the message says which.
        """
        match = {"method": method, "path": path}
        added = self.faults.add(match, action, times, seconds=seconds)
        fault = FaultInForce(self.faults, added.id)
        try:
            yield fault
        finally:
            fault.remove()

    @property
    def snapshots(self) -> Snapshots:
        """Snapshots of the state of the server."""
        return self.app.control.snapshots

    def seed(self, seed: Seed, *, replace: bool = False) -> dict[str, int]:
        """Add a lab; see :meth:`~fake_server.control.seeds.Seeds.load`."""
        with self.app.seeded():
            return self.app.control.seeds.load(seed, replace=replace)

    def export_seed(self) -> dict[str, Any]:
        """Return the present lab of the server as a seed."""
        return self.app.control.seeds.export()

    def reset(self) -> None:
        """Restore the initial state, and remove all faults, delays and recorded requests."""
        self.app.control.reset()

    def check_unmet(self) -> None:
        """Check that each fault met something, and each request had a path that a service has.

        :raises AssertionError: if not; the message names the faults and the requests.
        """
        __tracebackhide__ = True
        control = self.app.control
        lines = mistakes.unmet(control.faults.unmet()) + mistakes.unrouted(control.unrouted)
        if lines:
            raise AssertionError("\n".join(lines))

    def unmet_faults(self) -> list[str]:
        """Return a sentence for each fault that met nothing; none if the database is gone."""
        with suppress(SQLAlchemyError):
            return mistakes.unmet(self.faults.unmet())
        return []


class FaultInForce:
    """A fault that ends with a block.

    :param ident: its id.
    """

    def __init__(self, faults: Faults, ident: int) -> None:
        self._faults = faults
        self._ident = ident
        self._met = 0

    @property
    def met(self) -> int:
        """The number of requests that it applied to."""
        for fault in self._faults.rules():
            if fault.id == self._ident:
                self._met = fault.done
        return self._met

    def remove(self) -> None:
        """End it."""
        self.met  # noqa: B018 - the last count is kept
        self._faults.remove(self._ident)
