"""``failover``: the conductor of the node goes, and another one takes the node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sqlalchemy as sa

from fake_server.baremetal import periodic
from fake_server.baremetal.models import conductors
from fake_server.baremetal.session import open_session
from fake_server.baremetal.tables import nodes
from fake_server.sweep.kinds.lost_answer import finish

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Transaction
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked
    from fake_server.sweep.kinds.kind import Situation


class Failover:
    """The process that works on a node dies while it does so."""

    name = "failover"
    text = "the node's conductor goes after the request, and another one takes the node"

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether the request changes a node, and there is another conductor."""
        return asked.call.changes_node and len(settings.conductors) > 1

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Do what is asked for, and end the conductor; the others notice after a while."""
        app, ident = situation.app, situation.node
        response = proceed(situation.request)

        def find(tx: Transaction) -> str | None:
            named = sa.or_(nodes.c.uuid == ident, nodes.c.name == ident)
            found = tx.all(sa.select(nodes).where(named))
            return conductors.host_of(open_session(app.lab, tx), found[0]) if found else None

        host = app.store.run(find, write=False)
        if host is not None:
            app.control.conductors.change(host, {"alive": False})
            finish(response)
            response.afterwards = None
            # Nobody waits for it in real time.
            app.clock.advance(app.settings.periodic[periodic.CHECK])
        return response
