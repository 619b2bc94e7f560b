"""The requests of a program, each with an id that is the same in each run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from fake_server.sweep.addresses import route

if TYPE_CHECKING:
    from fake_server.common.wsgi import Request
    from fake_server.sweep.names import Names

#: The route of the provision state of a node.
PROVISION = "/v1/nodes/_/states/provision"


class Call(NamedTuple):
    """A request.

    :param id: the method, the route, the resource and the number, without blanks and colons.
    :param route: its path without names and identifiers.
    :param resource: the name of the resource that it is about; ``None`` for a collection.
    :param nth: how many-th it is of those with this method, route and resource.
    """

    id: str
    method: str
    route: str
    resource: str | None
    nth: int

    @property
    def writes(self) -> bool:
        """Whether it is to change something."""
        return self.method not in ("GET", "HEAD", "OPTIONS")

    @property
    def changes_node(self) -> bool:
        """Whether it is to change a node that is there."""
        return self.writes and self.resource is not None and self.route.startswith("/v1/nodes/")


@dataclass
class Asked:
    """A request with what became of it.

    :param seconds: the time of the server's clock at its beginning.
    :param has_token: whether it is sent with a token of Keystone.
    :param target: what it names as ``target``, such as a provision state or its verb.
    :param status: the status of the answer; ``0`` without one.
    :param size: bytes of the body of the answer.
    :param boots_agent: whether the node waits for an agent after it.
    """

    call: Call
    seconds: float
    has_token: bool = False
    target: str | None = None
    status: int = 0
    size: int = 0
    boots_agent: bool = False


class Numbering:
    """Numbers the requests of a run.

    :param names: finds the names of resources.
    """

    def __init__(self, names: Names) -> None:
        self._names = names
        self._seen: Counter[tuple[str, str, str | None]] = Counter()

    def next(self, request: Request) -> Call:
        """Return what a request is called, and count it."""
        path, ident = route(request.path)
        resource = None if ident is None else self._names.of(ident)
        key = (request.method, path, resource)
        self._seen[key] += 1
        nth = self._seen[key]
        about = "" if resource is None else f"@{quote(resource, safe='')}"
        shown = quote(path, safe="/")
        return Call(f"{request.method}{shown}{about}.{nth}", request.method, path, resource, nth)
