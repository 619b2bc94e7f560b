"""What comes due at volumes: the end of making or extending one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.block_storage.models import volumes
from fake_server.common import due_work

if TYPE_CHECKING:
    from fake_server.common.due_work import Jump
    from fake_server.common.lab import Lab
    from fake_server.db.store import Record


class VolumeReady:
    """The end of making or extending a volume."""

    name = volumes.READY
    jump: Jump = "first"

    def apply(self, lab: Lab, row: Record) -> bool:
        """Let the volume be used, unless another process did."""
        with lab.store.transaction() as tx:
            if due_work.current(tx, row) and due_work.take(tx, row):
                volumes.end_work(tx, due_work.ident(row), **row["arguments"])
        return True
