"""Waiting for volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._bulk.fetcher import has_failed
from baremetalclient._bulk.poller import Poller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from baremetalclient.block_storage.objects import Volume, VolumeStatus
    from baremetalclient.block_storage.service import BlockStorage

_READY = ("available", "in-use", "reserved", "attaching")


def wait_for_volume(
    storage: BlockStorage,
    volume_id: str,
    wanted: Iterable[VolumeStatus] = _READY,
    *,
    timeout: float = 0,
    poll_interval: float | None = None,
    progress: Callable[[str], object] | None = None,
) -> Volume:
    """Wait until a volume has a status, and return it.

    :param storage: the block storage service.
    :param volume_id: the id of the volume.
    :param wanted: the statuses to wait for; by default those in which it can be attached.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls; None for a quarter of a second at first,
        then more and more up to five.
    :param progress: called with the status after each poll.
    :raises StateTransitionFailed: if the volume has an error status.
    :raises StateTransitionTimeout: if the time is over.
    """
    accepted = tuple(wanted)
    status = ""
    poller = Poller(lambda _: storage.volume(volume_id), timeout=timeout, interval=poll_interval)
    for volume in poller:
        status = str(volume.get("status"))
        if progress is not None:
            progress(status)
        if status in accepted:
            return volume
        if has_failed(status):
            raise exc.StateTransitionFailed(f"Volume {volume_id} has the status {status!r}.")
    raise exc.StateTransitionTimeout(
        f"Volume {volume_id} did not become {' or '.join(accepted)} in {timeout:g} seconds "
        f"(now {status!r})."
    )
