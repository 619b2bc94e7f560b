"""Which volumes there are, when they are ready, and at which nodes they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from baremetalclient import exc
from baremetalclient._resource import waiters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from baremetalclient.block_storage.service import BlockStorage
    from baremetalclient.v1.client import Client

NODE_FIELDS = ("uuid", "name", "instance_uuid", "power_state")
_READY = ("available", "in-use", "reserved", "attaching")


@dataclass(frozen=True)
class Attached:
    """A volume at a node.

    :param node_uuid: the UUID of the node.
    :param volume_id: the id of the volume.
    :param attachment_id: the id of the attachment in the storage, if there is one.
    :param target_uuid: the UUID of the node's volume target, if there is one.
    :param boot_index: its place in the boot order.
    :param mode: ``rw`` or ``ro``.
    :param status: the status of the attachment: ``reserved``, ``attaching`` or ``attached``.
    """

    node_uuid: str
    volume_id: str
    attachment_id: str | None = None
    target_uuid: str | None = None
    boot_index: int | None = None
    mode: str | None = None
    status: str | None = None


def find_volume(storage: BlockStorage, name_or_id: str) -> dict[str, Any]:
    """Return a volume by its id or name.

    :raises NotFound: if there is none.
    :raises NoUniqueMatch: if several have the name.
    """
    try:
        return storage.volume(name_or_id)
    except exc.NotFound:
        named = storage.volumes_named(name_or_id)
    except exc.BadRequest:  # not every server looks for what is no UUID
        named = storage.volumes_named(name_or_id)
    if not named:
        raise exc.NotFound(f"There is no volume {name_or_id!r}.", http_status=404)
    if len(named) > 1:
        found = ", ".join(str(volume["id"]) for volume in named)
        raise exc.NoUniqueMatch(f"Several volumes are called {name_or_id!r}: {found}.")
    return named[0]


def list_attached(
    ironic: Client, storage: BlockStorage, *, volume_id: str | None = None, node: str | None = None
) -> list[Attached]:
    """Return which volumes are at which nodes, as both services know it.

    A volume that only one of them knows of is listed, too: its other half is missing.

    :param volume_id: only this volume.
    :param node: only this node, by UUID or name.
    """
    owner = ironic.node.get(node, fields=NODE_FIELDS) if node else None
    targets = ironic.volume_target.list(
        node=owner.uuid if owner else None, volume_id=volume_id, limit=0, detail=True
    )
    nodes = [owner] if owner else ironic.node.list(limit=0, fields=["uuid", "instance_uuid"])
    node_of = {found.uuid: found.uuid for found in nodes}
    node_of |= {found.instance_uuid: found.uuid for found in nodes if found.instance_uuid}
    rows: dict[tuple[str, str], Attached] = {}
    for attachment in storage.attachments(volume_id=volume_id):
        node_uuid = node_of.get(attachment.get("instance"))
        if node_uuid is not None:
            rows[node_uuid, attachment["volume_id"]] = Attached(
                node_uuid,
                attachment["volume_id"],
                attachment["id"],
                mode=attachment.get("attach_mode"),
                status=attachment.get("status"),
            )
    for target in targets:
        key = (target.node_uuid, target.volume_id)
        known = rows.get(key, Attached(*key))
        rows[key] = Attached(
            known.node_uuid,
            known.volume_id,
            known.attachment_id,
            target.uuid,
            target.boot_index,
            known.mode,
            known.status,
        )
    return sorted(rows.values(), key=lambda row: (row.volume_id, row.node_uuid))


def wait_for_volume(
    storage: BlockStorage,
    volume_id: str,
    wanted: Iterable[str] = _READY,
    *,
    timeout: float = 0,
    poll_interval: float = 1.0,
    progress: Callable[[str], object] | None = None,
) -> dict[str, Any]:
    """Wait until a volume has a status, and return it.

    :param storage: the block storage service.
    :param volume_id: the id of the volume.
    :param wanted: the statuses to wait for; by default those in which it can be attached.
    :param timeout: seconds to wait at most, 0 for no limit.
    :param poll_interval: seconds between two looks.
    :param progress: is told each status.
    :raises StateTransitionFailed: if it comes to an error instead.
    :raises StateTransitionTimeout: if the time is over.
    """
    accepted = tuple(wanted)
    status = ""

    def story() -> str:
        return (
            f"Volume {volume_id} did not become {' or '.join(accepted)} in {timeout:g} seconds "
            f"(now {status!r})."
        )

    outage = waiters.Outage()
    for _ in waiters.poll(timeout, poll_interval, None, story):
        with outage.tolerated():
            volume = storage.volume(volume_id)
            status = str(volume.get("status"))
            if progress is not None:
                progress(status)
            if status in accepted:
                return volume
            if status.startswith("error"):
                raise exc.StateTransitionFailed(f"Volume {volume_id} came to {status!r}.")
    raise AssertionError("unreachable")
