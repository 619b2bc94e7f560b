"""Connections belong to the process that opened them.

After a fork, parent and child would read each other's responses from a connection of both.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from keystoneauth1.session import Session

_sessions: WeakSet[Session] = WeakSet()


def keep_out_of_children(session: Session) -> None:
    """Let child processes open connections of their own instead of using those of a session.

    :param session: a session of keystoneauth1.
    """
    _sessions.add(session)


def _forget_connections() -> None:
    from requests.adapters import HTTPAdapter

    adapters = (one for session in _sessions for one in session.session.adapters.values())
    for adapter in set[Any](one for one in adapters if isinstance(one, HTTPAdapter)):
        # Another thread of the parent may hold the locks of the old pools for ever.
        adapter.init_poolmanager(adapter._pool_connections, adapter._pool_maxsize)
        adapter.proxy_manager.clear()


if hasattr(os, "register_at_fork"):  # there is no fork on Windows
    os.register_at_fork(after_in_child=_forget_connections)
