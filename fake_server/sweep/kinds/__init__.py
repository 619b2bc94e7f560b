"""The kinds of faults: a small file for each, with one class.

A kind says which requests it can apply to, and answers the one that goes wrong. To add one, write a
class like those beside this file, and put it into :data:`KINDS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.sweep.kinds.cut_answer import CutAnswer
from fake_server.sweep.kinds.errors import Error, TooMany, Unavailable
from fake_server.sweep.kinds.failover import Failover
from fake_server.sweep.kinds.killed import Killed
from fake_server.sweep.kinds.kind import Kind, Situation
from fake_server.sweep.kinds.locked import Locked, LockedLong
from fake_server.sweep.kinds.lost_answer import LostAnswer
from fake_server.sweep.kinds.no_heartbeat import NoHeartbeat
from fake_server.sweep.kinds.operation_fails import OperationFails
from fake_server.sweep.kinds.refused import Refused
from fake_server.sweep.kinds.slow import Slow
from fake_server.sweep.kinds.stale_list import StaleList
from fake_server.sweep.kinds.token_expired import TokenExpired

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KINDS", "Kind", "Situation"]

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Refused(),
        LostAnswer(),
        CutAnswer(),
        Locked(),
        LockedLong(),
        Unavailable(),
        TooMany(),
        Error(),
        TokenExpired(),
        StaleList(),
        Slow(),
        OperationFails(),
        NoHeartbeat(),
        Failover(),
        Killed(),
    )
}
