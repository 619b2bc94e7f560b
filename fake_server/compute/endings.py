"""How instances end: in ERROR, or by being taken off their nodes and removed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from fake_server.compute import driver, neutron, scheduler, volumes
from fake_server.compute.cloud import Refused
from fake_server.compute.errors import InstanceNotFound
from fake_server.compute.models import actions, block_devices, instances

if TYPE_CHECKING:
    from fake_server.compute.session import Session
    from fake_server.db.store import Record


def set_error_state(
    session: Session,
    instance: Record,
    message: str,
    details: str | None = None,
    *,
    unfinished: bool = False,
) -> bool:
    """Set an instance to ERROR, unless another request changed it since; return whether it was.

    :param details: what else administrators are told.
    :param unfinished: whether it is still to be taken off its node.
    """
    actions.finish(session, instance["id"], details or message)
    created = f"{session.clock.now():%Y-%m-%dT%H:%M:%SZ}"
    return instances.save(
        session,
        instance,
        vm_state=instances.ERROR,
        task_state=None,
        fault={"code": 500, "created": created, "message": message, "details": details or ""},
        unfinished=unfinished,
    )


def fail(session: Session, instance: Record, message: str, details: str | None = None) -> None:
    """Set an instance to ERROR, and take it off its node if possible now."""
    if set_error_state(session, instance, message, details, unfinished=True):
        # The next request tries again, unless another one did.
        with suppress(Refused, InstanceNotFound):
            clean_up(session, instance["id"])


def clean_up(session: Session, ident: str) -> None:
    """Take a broken instance off its node if possible now; raise Refused if a service fails."""
    if _shutdown(session, instances.get(session, ident)):
        instances.update(session, ident, node_uuid=None, unfinished=False)


def delete(session: Session, instance: Record) -> None:
    """Remove an instance if possible now; raise Refused if another service fails."""
    if not _shutdown(session, instance):
        return
    ident = instance["id"]
    for device in block_devices.volumes_of(session, [ident])[ident]:
        if device["delete_on_termination"]:
            volumes.delete(session, device["volume_id"])
    instances.destroy(session, ident)
    actions.finish(session, ident)


def _shutdown(session: Session, instance: Record) -> bool:
    """Take an instance off its node, and return its volumes, ports and allocation.

    :returns: whether that is possible now.
    :raises Refused: if another service fails.
    """
    if not driver.destroy(session, instance):
        return False
    ident = instance["id"]
    for device in block_devices.get_all(session, server_id=ident):
        volumes.attachment_delete(session, device)
    for port in block_devices.ports_of(session, ident).values():
        neutron.deallocate_port(session, port)
    scheduler.delete_allocation_for_instance(session, ident)
    return True
