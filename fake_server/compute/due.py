"""What comes due at servers: Nova goes on with one that has unfinished work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common import due_work
from fake_server.compute.models import instances

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.due_work import Jump
    from fake_server.common.lab import Lab
    from fake_server.compute.service import ComputeService
    from fake_server.db.store import Record

#: Seconds after which Nova asks again how far Ironic is, if the node hasn't changed before.
_POLL = 2.0


class ServerStep:
    """A look at the node of a server, which goes on if the node has done what it was asked for.

    :param service: returns the Compute service, which is loaded then.
    """

    name = instances.STEP
    jump: Jump = "last"

    def __init__(self, service: Callable[[], ComputeService]) -> None:
        self._service = service

    def apply(self, lab: Lab, row: Record) -> bool:
        """Take a step, unless another process does; it asks others, so it has no transaction."""
        later = lab.clock.seconds() + lab.clock.late() + _POLL
        if lab.store.run(lambda tx: due_work.move(tx, row, later)):
            self._service().go_on(due_work.ident(row))
        return True
