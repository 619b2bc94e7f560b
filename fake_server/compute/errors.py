"""Errors of the Compute service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, NotFound, ServiceError

if TYPE_CHECKING:
    from collections.abc import Mapping


class InvalidBDM(BadRequest):
    """A block device mapping isn't valid."""

    form = "Block Device Mapping is Invalid: {}"


class InvalidVolume(BadRequest):
    """A volume can't be used."""

    form = "Invalid volume: {}"


class InstanceNotFound(NotFound):
    """There is no such server."""

    form = "Instance {} could not be found."


class InstanceInvalidState(Conflict):
    """The state of the server doesn't allow this."""

    def __init__(
        self, action: str, instance: Mapping[str, Any], attribute: str | None = "vm_state"
    ) -> None:
        if attribute is None:
            super().__init__(f"Instance {instance['id']} is in an invalid state for '{action}'")
            return
        state = f"{attribute} {instance[attribute]}"
        super().__init__(f"Cannot '{action}' instance {instance['id']} while it is in {state}")


class InstanceNotReady(Conflict):
    """The server has no node yet, or none any more."""

    form = "Instance {} is not ready"


class InstanceIsLocked(Conflict):
    """The server is locked for all but administrators."""

    form = "Instance {} is locked"


class BuildAbortException(Exception):
    """An instance can't be built; the message is that of its fault."""


class PortInUse(BuildAbortException):
    """An instance has the port."""

    def __init__(self, port_id: str) -> None:
        super().__init__(f"Port {port_id} is still in use.")


class RescheduledException(BuildAbortException):
    """An instance can't be built on a node, but perhaps on another one."""


class UnsupportedError(ServiceError):
    """Nova's driver for Ironic can't do this."""

    status = 501

    def __init__(self) -> None:
        super().__init__("The requested functionality is not supported.")
