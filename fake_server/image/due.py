"""What comes due at images: downloads of what they are to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common import due_work, logs, outgoing_calls

if TYPE_CHECKING:
    from fake_server.common.due_work import Jump
    from fake_server.common.lab import Lab
    from fake_server.db.store import Record

LOG = logs.logger(__name__)


class Download:
    """The download of what an image is to hold, while no transaction is open."""

    name = "image_download"
    jump: Jump = "first"

    def apply(self, lab: Lab, row: Record) -> bool:
        """Fetch it and fill the image, unless another process does."""
        # Most servers download nothing.
        from fake_server.image import downloads
        from fake_server.image.models import tasks

        calling = outgoing_calls.begin(lab.store, row)
        if calling is None:
            return False
        found = None
        try:
            found = downloads.fetch(row["arguments"]["url"])
        except downloads.DownloadError as exc:
            LOG.warning("The image %s can't be downloaded: %s", due_work.ident(row), exc)
        with lab.store.transaction() as tx:
            if due_work.current(tx, calling) and due_work.take(tx, calling):
                tasks.end_download(tx, lab.clock, due_work.ident(row), found)
        return True
