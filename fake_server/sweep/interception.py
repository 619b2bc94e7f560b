"""What stands around a server in a sweep: it names all requests, and lets one go wrong."""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from fake_server.common.redaction import secrets_of
from fake_server.common.rest import BadBodyError, decode
from fake_server.common.wsgi import CAN_POSTPONE, ConnectionDropped, Postponed
from fake_server.control.recorded_request import headers_of
from fake_server.control.service import PREFIX
from fake_server.sweep import state
from fake_server.sweep.calls import PROVISION, Asked, Numbering
from fake_server.sweep.kinds import Situation
from fake_server.sweep.names import Names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fake_server.app import Application
    from fake_server.common.wsgi import Request, Response
    from fake_server.db.store import Record
    from fake_server.sweep.kinds import Kind

#: Bytes of a body in which identifiers are looked for.
_LONGEST = 1024 * 1024
#: Seconds for which a program that was ended waits for an answer.
_FOREVER = 3600.0


class ProgramEnded(BaseException):
    """Ends a function that was killed, or whose time is over, where it sends a request."""


@dataclass
class Fault:
    """What goes wrong in a run: a kind of fault at one request.

    :param held: the seconds for which a slow answer is held back.
    :param next_node: the name of the node that the program asks for or changes next.
    """

    request: str
    kind: Kind
    held: float = 0.0
    next_node: str | None = None
    fired: bool = False
    #: What was a secret in its request, which may have reached no service that could record it.
    secrets: list[str] = field(default_factory=list)


@dataclass
class Run:
    """What a program asked for in a run.

    :param fault: what goes wrong in it, if anything.
    :param kill: ends the program at once.
    """

    numbering: Numbering
    kill: Callable[[], None]
    fault: Fault | None = None
    #: Whether the program is to be answered no more.
    over: bool = False
    answered: list[Asked] = field(default_factory=list)
    #: Identifiers and addresses in what it sent and was answered.
    chosen: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)

    def end(self) -> None:
        """Kill the program; what it still asks isn't answered."""
        self.over = True
        self.kill()

    def note_sent(self, request: Request) -> None:
        """Remember what a program says that nobody told it."""
        text = f"{request.path}?{request.environ.get('QUERY_STRING', '')}"
        if len(request.body) < _LONGEST:
            text += request.body.decode("utf-8", "replace")
        self.chosen |= set(state.tokens(text)) - self.told

    def note_told(self, asked: Asked, response: Response) -> None:
        """Remember what a program is told."""
        asked.status, asked.size = response.status, len(response.body)
        if len(response.body) < _LONGEST:
            self.told |= set(state.tokens(response.body.decode("utf-8", "replace"))) - self.chosen


class Interception:
    """Stands around an application, and passes its requests on.

    :param app: the application; what it answers with is replaced.
    """

    def __init__(self, app: Application) -> None:
        self._app = app
        self._proceed = app.answer
        self._names = Names(app.store)
        self._lock = threading.Lock()
        self._run: Run | None = None
        #: The threads of programs in this process that have to end.
        self.ended: set[int] = set()
        app.answer = self
        app.control.injection.agent_awaited = self._note_agent

    def remove(self) -> None:
        """Let the application answer by itself again."""
        self._app.answer = self._proceed
        self._app.control.injection.agent_awaited = lambda _: None

    def begin(self, fault: Fault | None, kill: Callable[[], None]) -> Run:
        """Begin a run."""
        self._names.forget()
        self._run = Run(Numbering(self._names), kill, fault)
        return self._run

    def end(self) -> Sequence[Asked]:
        """End a run; what is asked from now on is passed on unseen."""
        run, self._run = self._run, None
        if run is None:
            return ()
        run.over = True
        return run.answered

    def __call__(self, request: Request) -> Response:
        """Answer a request."""
        if threading.get_ident() in self.ended:
            raise ProgramEnded
        run = self._run
        if run is None or request.path.startswith(PREFIX):
            return self._proceed(request)
        if run.over:
            # Whoever tried again and again would only keep the server busy.
            if request.environ.get(CAN_POSTPONE):
                raise Postponed(_FOREVER, _drop)
            raise ConnectionDropped
        with self._lock:
            call = run.numbering.next(request)
            answered = Asked(
                *(call, self._app.clock.seconds(), bool(request.header("HTTP_X_AUTH_TOKEN"))),
                target=_target(request),
            )
            run.answered.append(answered)
            run.note_sent(request)
            fault = run.fault
            acts = fault is not None and fault.request == call.id and not fault.fired
            if fault is not None and acts:
                fault.fired = True
                query = request.environ.get("QUERY_STRING", "")
                fault.secrets = secrets_of(headers_of(request.environ), query, (request.body,))
        if fault is None or not acts:
            response = self._proceed(request)
        else:
            situation = Situation(
                *(self._app, request, call, answered.target),
                *(fault.held, fault.next_node, run.end, partial(run.note_told, answered)),
            )
            response = fault.kind.act(situation, self._proceed)
        run.note_told(answered, response)
        return response

    def _note_agent(self, node: Record) -> None:
        """Note which request made a node wait for an agent: the last one about its state."""
        name = node["name"] or self._names.noted(node["uuid"])
        for asked in reversed(self._run.answered if self._run else ()):
            if asked.call.route == PROVISION and asked.call.resource == name:
                asked.boots_agent = True
                break


def _target(request: Request) -> str | None:
    if request.method != "PUT":
        return None
    with suppress(BadBodyError):
        target = decode(request).get("target")
        return target if isinstance(target, str) else None
    return None


def _drop() -> NoReturn:
    raise ConnectionDropped
