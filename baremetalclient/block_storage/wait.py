"""Waiting for volumes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._bulk.goal import StateGoal
from baremetalclient._bulk.kinds import VOLUME
from baremetalclient._bulk.poller import Progress, log_progress
from baremetalclient._bulk.wait import Pacing, wait_for_one

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from baremetalclient._bulk.goal import Verdict
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
    progress: Progress = log_progress,
) -> Volume:
    """Wait until a volume has a status, and return it.

    :param storage: the block storage service.
    :param volume_id: the id of the volume.
    :param wanted: the statuses to wait for; by default those in which it can be attached.
    :param timeout: the maximum seconds to wait, 0 for no limit.
    :param poll_interval: the seconds between two polls; None for a quarter of a second at first,
        then more and more up to five.
    :param progress: called with the result of each poll.
    :raises StateTransitionFailed: if the volume has an error status.
    :raises StateTransitionTimeout: if the time is over.
    """
    accepted = tuple(wanted)
    goal = StateGoal(VOLUME, " or ".join(accepted), ("status",), accepted, stable_fails=False)

    def tell(volume: Mapping[str, Any], verdict: Verdict, seconds: float) -> None:
        name = str(volume.get("name") or volume_id)
        target = None if verdict.outcome == "reached" or len(accepted) > 1 else accepted[0]
        progress(name, str(volume.get("status")), target, seconds)

    volume, verdict = wait_for_one(
        lambda limit: storage.volume(volume_id, deadline=limit),
        goal,
        Pacing(timeout, poll_interval),
        tell,
    )
    status = str(volume.get("status")) if volume else ""
    if verdict.outcome == "failed":
        raise exc.StateTransitionFailed(
            f"Volume {volume_id} has the status {status!r}.", state=status
        )
    if volume is None or verdict.outcome == "waiting":
        raise exc.StateTransitionTimeout(
            f"Volume {volume_id} did not become {goal.description} in {timeout:g} seconds "
            f"(now {status!r})."
        )
    return volume
