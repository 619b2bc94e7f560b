"""The conductors of a server, which tests can read, stop and start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal.conductor import conductor_outages
from fake_server.baremetal.models import conductors
from fake_server.baremetal.session import open_session
from fake_server.common.rest import known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.lab import Lab
    from fake_server.control.state import ControlState
    from fake_server.db.store import Transaction


class Conductors:
    """Shows, stops and starts conductors.

    :param state: gives transactions, and brings what is stored up to date.
    """

    def __init__(self, lab: Lab, state: ControlState) -> None:
        self._lab = lab
        self._state = state
        self._hosts = {
            host.hostname: {
                "hostname": host.hostname,
                "conductor_group": host.group,
                "drivers": list(host.hardware_types),
            }
            for host in lab.settings.conductors
        }

    def all(self) -> list[dict[str, Any]]:
        """Return all conductors."""
        return self._state.transact(self._list, write=False)

    def get(self, hostname: str) -> dict[str, Any]:
        """Return a conductor; raise KeyError if there is none."""
        return self.change(hostname, {})

    def change(self, hostname: str, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Stop or start a conductor, and return it.

        :param changes: ``{"alive": False}`` or ``{"alive": True}``.
        :raises KeyError: if there is no such conductor.
        :raises ValueError: for other changes.
        """
        alive = known(changes, ("alive",)).get("alive")
        if "alive" in changes and not isinstance(alive, bool):
            raise ValueError(f"alive has to be true or false, not {alive!r}.")
        self._hosts[hostname]

        def work(tx: Transaction) -> dict[str, Any]:
            session = open_session(self._lab, tx)
            is_alive = hostname in conductors.alive(session)
            if alive is False and is_alive:
                conductor_outages.take_down(session, hostname)
            elif alive and not is_alive:
                conductor_outages.bring_up(session, hostname)
            return {**self._hosts[hostname], "alive": is_alive if alive is None else alive}

        self._state.apply_due_work()
        return self._state.transact(work)

    def _list(self, tx: Transaction) -> list[dict[str, Any]]:
        down = conductors.down(tx)
        return [{**host, "alive": name not in down} for name, host in self._hosts.items()]
