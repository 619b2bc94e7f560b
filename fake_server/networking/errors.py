"""The errors of the Networking service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Conflict, NotFound, ServiceError

if TYPE_CHECKING:
    from collections.abc import Mapping


class InvalidInput(BadRequest):
    """A value that can't be used."""

    form = "Invalid input for operation: {}."

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "InvalidInput")


class InvalidAttribute(BadRequest):
    """An invalid value of an attribute."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"Invalid input for {name}. Reason: {reason}.")
        self.reason = reason


class Missing(NotFound):
    """There is no resource of a kind with an id.

    :param kind: such as ``Network``.
    """

    def __init__(self, kind: str, ident: Any) -> None:
        super().__init__(f"{kind} {ident} could not be found.", f"{kind}NotFound")


class PortInUse(Conflict):
    """A port is something's already."""

    def __init__(self, port: Mapping[str, Any]) -> None:
        super().__init__(
            f"Unable to complete operation on port {port['id']} for network {port['network_id']}. "
            f"Port already has an attached device {port['device_id']}.",
            "PortInUse",
        )


class RevisionMismatch(ServiceError):
    """The client names another revision than there is."""

    status = 412

    def __init__(self, wanted: int, current: int) -> None:
        super().__init__(
            f"Constrained to {wanted}, but current revision is {current}",
            "RevisionNumberConstraintFailed",
        )
