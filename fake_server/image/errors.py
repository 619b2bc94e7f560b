"""The errors of the Image service."""

from __future__ import annotations

from fake_server.common.errors import Conflict, Forbidden, UnsupportedMediaType


class NotPermitted(Forbidden):
    """The client may not do this at all."""

    form = "Access was denied to this resource.<br /><br />\n{}"


class NoSuchProperty(Conflict):
    """An image has no such property."""

    form = (
        "There was a conflict when trying to complete your request.<br /><br />\n"
        "Property {} does not exist."
    )


class UnsupportedKind(UnsupportedMediaType):
    """The media type of the body is not supported."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(
            f"The request media type {kind or None} is not supported by this server."
            f"<br /><br />\n{detail}"
        )
