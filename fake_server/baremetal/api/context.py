"""One request on its way through the Bare Metal API."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from fake_server.baremetal.errors import MALFORMED, Invalid, NotAcceptable, NotJSON
from fake_server.common import json_text
from fake_server.common.wsgi import Request, mixed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.baremetal.session import Session
    from fake_server.common.policies import Policies

_FORM = "application/x-www-form-urlencoded"
_JSON = ("application/json", "application/javascript")
_CHARSET = re.compile(r";\s*charset=([^;]*)", re.IGNORECASE)


class Context:
    """The context of a request, which handlers get besides its arguments.

    :param request: the HTTP request.
    :param session: transaction, clock and settings for the models.
    :param base_url: where links point to, without ``/v1``.
    :param policies: who may do what.
    :param minor: negotiated minor version.
    """

    __slots__ = (
        "_credentials",
        "_data",
        "asked",
        "base_url",
        "json_suffix",
        "location",
        "minor",
        "policies",
        "policy",
        "request",
        "routing_args",
        "session",
        "status",
    )

    def __init__(
        self, request: Request, session: Session, base_url: str, policies: Policies
    ) -> None:
        self.request = request
        self.session = session
        self.base_url = base_url
        self.policies = policies
        self.minor = 0
        self.json_suffix = False
        self.location: str | None = None
        #: Status of a success where it isn't the handler's usual one.
        self.status: int | None = None
        self.routing_args: list[str] = []
        #: The policy of the handler, and all that were asked so far.
        self.policy = ""
        self.asked: set[str] = set()
        self._credentials: Mapping[str, Any] | None = None
        self._data: tuple[Any] | None = None

    @property
    def credentials(self) -> Mapping[str, Any]:
        """What policies know of the caller."""
        if self._credentials is None:
            caller = self.request.caller
            self._credentials = {} if caller is None else caller.credentials()
        return self._credentials

    def require(self, since: int, text: str = NotAcceptable.template) -> None:
        """Raise NotAcceptable before the minor version that added what is asked for.

        :param text: what the error says, with ``{}`` for that version.
        """
        if self.minor < since:
            raise NotAcceptable(text.format(since))

    def link(self, resource: str, arguments: str) -> str:
        """Return the address of something under ``/v1``."""
        return f"{self.base_url}/v1/{resource}/{arguments}"

    def links(self, resource: str, arguments: str) -> list[dict[str, str]]:
        """Return the ``self`` and ``bookmark`` links of something."""
        return [
            {"href": f"{self.base_url}/v1/{resource}/{arguments}", "rel": "self"},
            {"href": f"{self.base_url}/{resource}/{arguments}", "rel": "bookmark"},
        ]

    def data(self) -> Any:
        """Return the body, or ``{}`` without one; raise Invalid for anything that isn't JSON."""
        if self._data is None:
            self._data = (_decode(self.request),)
        return self._data[0]

    def submitted(self) -> dict[str, Any]:
        """Return the named arguments of the query and of a form."""
        request = self.request
        if not _is_form(request):
            return dict(request.query)
        return _joined(request.query, mixed(request.body.decode("utf-8", "replace")))

    def parameters(self) -> dict[str, Any]:
        """Return the named arguments: those of the query, and of a form or a JSON object.

        A body that is neither has none. What both give is a list of what they give.
        """
        request = self.request
        if _is_json(request):
            try:
                data = self.data()
            except NotJSON:
                data = None
            if isinstance(data, dict):
                return _joined(request.query, data)
        return self.submitted()

    @property
    def has_broken_text(self) -> bool:
        """Whether the body has to be read as JSON for its arguments, and isn't even text."""
        request = self.request
        if not _is_json(request):
            return False
        try:
            request.body.decode(_charset(request))
        except LookupError:
            return False
        except ValueError:
            return True
        return False


def _is_json(request: Request) -> bool:
    """Return whether arguments are looked for in a body of JSON; a GET has none there."""
    return request.method != "GET" and request.content_type in _JSON


def _is_form(request: Request) -> bool:
    """Return whether the body of a request is a form; of a POST that says nothing, it is."""
    if request.method in ("GET", "HEAD"):
        return False
    if request.header("CONTENT_TYPE") is None:
        return request.method == "POST"
    return request.content_type == _FORM


def _joined(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    values = dict(query)
    for name, value in body.items():
        if name not in query:
            values[name] = value
        elif isinstance(query[name], list):
            values[name] = [*query[name], value]
        else:
            values[name] = [query[name], value]
    return values


def _charset(request: Request) -> str:
    found = _CHARSET.search(request.header("CONTENT_TYPE") or "")
    return (found[1].strip('"').strip() if found else "") or "utf-8"


def _decode(request: Request) -> Any:
    body = request.body
    if not body:
        return {}
    try:
        text = body.decode(_charset(request))
    except (ValueError, LookupError):  # which codecs raise that aren't those of texts
        raise NotJSON(MALFORMED) from None
    try:
        return json_text.parse(text)
    except ValueError as exc:
        kind = Invalid if isinstance(exc, json_text.NotInJSON) else NotJSON
        raise kind(f"The request body can't be read as JSON: {exc}") from None
