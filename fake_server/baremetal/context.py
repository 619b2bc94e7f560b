"""One request on its way through the Bare Metal API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

from ..wsgi import Request, mixed
from .errors import Invalid

if TYPE_CHECKING:
    from .session import Session

_FORMS = ("", "application/x-www-form-urlencoded")
_JSON = ("application/json", "application/javascript")


class Context:
    """What a handler is given beside its arguments.

    :param request: the HTTP request.
    :param session: transaction, clock and settings for the models.
    :param base_url: where links point to, without ``/v1``.
    :param minor: negotiated minor version.
    """

    __slots__ = (
        "_data",
        "base_url",
        "json_suffix",
        "location",
        "minor",
        "request",
        "routing_args",
        "session",
        "status",
    )

    def __init__(self, request: Request, session: Session, base_url: str) -> None:
        self.request = request
        self.session = session
        self.base_url = base_url
        self.minor = 0
        self.json_suffix = False
        self.location: str | None = None
        #: Status of a success where it isn't the handler's usual one.
        self.status: int | None = None
        self.routing_args: list[str] = []
        self._data: tuple[Any] | None = None

    def link(self, resource: str, arguments: str) -> str:
        """Return the address of something under ``/v1``."""
        return f"{self.base_url}/v1/{resource}/{arguments}"

    def links(self, resource: str, arguments: str) -> list[dict[str, str]]:
        """Return the ``self`` and ``bookmark`` links of something."""
        return [
            {"href": f"{self.base_url}/v1/{resource}/{arguments}", "rel": "self"},
            {"href": f"{self.base_url}/{resource}/{arguments}", "rel": "bookmark"},
        ]

    @property
    def is_timeless(self) -> bool:
        """Whether nothing that was done so far depended on the time, or changed anything."""
        return self.session.timeless and not self.request.writes

    def data(self) -> Any:
        """Return the body as JSON, whatever its media type says; ``{}`` if there is none.

        :raises Invalid: for anything that isn't JSON.
        """
        if self._data is None:
            self._data = (_decode(self.request.body),)
        return self._data[0]

    def parameters(self) -> dict[str, Any]:
        """Return the named arguments: those of the query, and of a body that is a JSON object."""
        request = self.request
        values = dict(request.query)
        if request.method == "GET":
            return values
        if request.content_type in _JSON:
            if request.body:
                data = self.data()
                if isinstance(data, dict):
                    values = {**data, **values}
        elif request.method == "POST" and request.content_type in _FORMS:
            form = mixed(request.body.decode("utf-8", "replace"))
            values = {**form, **values}
        return values


def _decode(body: bytes) -> Any:
    if not body:
        return {}
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        if b"\\u" in body:
            json.dumps(data, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as exc:
        raise Invalid(f"The request body can't be read as JSON: {exc}") from None
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")
