"""What a kind of fault is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fake_server.sweep.addresses import route

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.app import Application
    from fake_server.common.wsgi import Request, Response
    from fake_server.settings import Settings
    from fake_server.sweep.calls import Asked, Call


@dataclass(frozen=True, slots=True)
class Situation:
    """The request that goes wrong, and what a fault needs.

    :param target: what the request names as ``target``.
    :param held: the seconds for which a slow answer is held back.
    :param next_node: the name of the node that the program asks for or changes next, if it does.
    :param kill: ends the program, with all its processes, at once.
    :param told: notes an answer that the program will get although none is returned.
    """

    app: Application
    request: Request
    call: Call
    target: str | None
    held: float
    next_node: str | None
    kill: Callable[[], None]
    told: Callable[[Response], None]

    @property
    def node(self) -> str:
        """The name or identifier of the node that a request changes, as the request has it."""
        return route(self.request.path).resource or ""


class Kind(Protocol):
    """A way in which a request goes wrong.

    :cvar name: what users call it.
    :cvar text: what happens, for the help and the documentation.
    """

    name: str
    text: str

    def applies(self, asked: Asked, settings: Settings) -> bool:
        """Return whether a request can go wrong in this way.

        :param asked: the request with its answer, in a run without a fault.
        """

    def act(self, situation: Situation, proceed: Callable[[Request], Response]) -> Response:
        """Answer the request that goes wrong.

        :param proceed: answers it as it should be.
        :raises ConnectionDropped: if the client gets no answer.
        """
