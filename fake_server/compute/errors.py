"""What the Compute service refuses; each error carries its status, one place renders it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.rest import named_fault

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response


class ComputeError(Exception):
    """A refused request; subclasses say with which status."""

    status = 500

    def render(self) -> Response:
        """Return the answer."""
        return named_fault(self.status, str(self))


class BadRequest(ComputeError):
    """The request can't be understood, or can't be done."""

    status = 400


class InvalidBlockDevice(BadRequest):
    """A block device can't be like that."""

    def __init__(self, details: str) -> None:
        super().__init__(f"Block Device Mapping is Invalid: {details}")


class InvalidVolume(BadRequest):
    """A volume can't be had."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Invalid volume: {reason}")


class Forbidden(ComputeError):
    """The client may not do this."""

    status = 403

    @classmethod
    def action(cls, policy: str) -> Forbidden:
        """Return the error for an action of Nova's policy."""
        return cls(f"Policy doesn't allow {policy} to be performed.")


class NotFound(ComputeError):
    """There is no such thing."""

    status = 404

    def __init__(self, message: str = "The resource could not be found.") -> None:
        super().__init__(message)


class ServerNotFound(NotFound):
    """There is no such server."""

    def __init__(self, ident: str) -> None:
        super().__init__(f"Instance {ident} could not be found.")


class MethodNotAllowed(ComputeError):
    """The address knows other methods."""

    status = 405

    def __init__(self) -> None:
        super().__init__("The method is not allowed for this resource.")


class NotAcceptable(ComputeError):
    """The microversion isn't offered."""

    status = 406


class Conflict(ComputeError):
    """Something else is in the way."""

    status = 409


class WrongState(Conflict):
    """The server is in no state for this."""

    def __init__(self, action: str, ident: str, attribute: str, state: str | None) -> None:
        super().__init__(f"Cannot '{action}' instance {ident} while it is in {attribute} {state}")


class BuildError(Exception):
    """A server can't be built; says why, as its fault does.

    :param elsewhere: whether another node might do.
    """

    def __init__(self, message: str, *, elsewhere: bool = False) -> None:
        super().__init__(message)
        self.elsewhere = elsewhere
