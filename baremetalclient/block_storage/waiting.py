"""Waiting for volumes and their attachments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._resource.condition_waits import Kind, ListPoller
from baremetalclient._resource.waiters import wait_until
from baremetalclient.block_storage import lookup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from baremetalclient.block_storage.objects import Volume, VolumeStatus
    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.v1.client import Client

ATTACHMENT = Kind("volume attachment", "status", identifier="attachment_id")

_READY = ("available", "in-use", "reserved", "attaching")


def wait_for_volume(
    storage: BlockStorage,
    volume_id: str,
    wanted: Iterable[VolumeStatus] = _READY,
    *,
    timeout: float = 0,
    poll_interval: float = 1.0,
    progress: Callable[[str], object] | None = None,
) -> Volume:
    """Wait until a volume has a status, and return it.

    :param storage: the block storage service.
    :param volume_id: the id of the volume.
    :param wanted: the statuses to wait for; by default those in which it can be attached.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls.
    :param progress: called with the status after each poll.
    :raises StateTransitionFailed: if the volume has an error status.
    :raises StateTransitionTimeout: if the time is over.
    """
    accepted = tuple(wanted)
    status = ""

    def check(_: float) -> Volume | None:
        nonlocal status
        volume = storage.volume(volume_id)
        status = str(volume.get("status"))
        if progress is not None:
            progress(status)
        if status not in accepted and status.startswith("error"):
            raise exc.StateTransitionFailed(f"Volume {volume_id} has the status {status!r}.")
        return volume if status in accepted else None

    def timeout_message() -> str:
        return (
            f"Volume {volume_id} did not become {' or '.join(accepted)} in {timeout:g} seconds "
            f"(now {status!r})."
        )

    return wait_until(check, timeout, poll_interval, None, timeout_message)


def poller(ironic: Client, storage: BlockStorage) -> ListPoller:
    """Return a function that polls attachments of volumes to nodes.

    :param ironic: the Bare Metal service.
    :param storage: the Block Storage service.
    """
    return ListPoller(
        ATTACHMENT,
        ("attachment_id", "target_uuid"),
        lambda _: map(vars, lookup.list_attached(ironic, storage)),
        None,
    )
