"""Waiting for volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baremetalclient import exc
from baremetalclient._bulk.goal import StateGoal
from baremetalclient._bulk.kinds import VOLUME
from baremetalclient._bulk.wait import Pacing, wait_for_one

if TYPE_CHECKING:
    from collections.abc import Iterable

    from baremetalclient._bulk.listener import Listener
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
    listener: Listener | None = None,
) -> Volume:
    """Wait until a volume has a status, and return it.

    :param storage: the block storage service.
    :param volume_id: the id of the volume.
    :param wanted: the statuses to wait for; by default those in which it can be attached.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls; None for a quarter of a second at first,
        then more and more up to five.
    :param listener: told what each poll has seen.
    :raises StateTransitionFailed: if the volume has an error status.
    :raises StateTransitionTimeout: if the time is over.
    """
    accepted = tuple(wanted)
    goal = StateGoal(VOLUME, " or ".join(accepted), ("status",), accepted, stable_fails=False)

    volume, verdict = wait_for_one(
        lambda limit: storage.volume(volume_id, deadline=limit),
        goal,
        Pacing(timeout, poll_interval),
        volume_id,
        listener,
    )
    status = str(volume.get("status")) if volume else ""
    if verdict.outcome == "failed":
        reason = verdict.reason or VOLUME.unknown
        raise exc.StateTransitionFailed(
            f"Volume {volume_id} has the status {status!r}: {reason}", state=status, reason=reason
        )
    if volume is None or verdict.outcome == "waiting":
        raise exc.StateTransitionTimeout(
            f"Volume {volume_id} did not become {goal.description} in {timeout:g} seconds "
            f"(now {status!r})."
        )
    return volume
