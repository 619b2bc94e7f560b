"""The WSGI application: every service under its prefix, on one port."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from fake_server.baremetal import interfaces
from fake_server.baremetal.api import body_limits, rendering
from fake_server.baremetal.api.service import BaremetalService
from fake_server.baremetal.drivers import registry
from fake_server.block_storage.service import BlockStorageService
from fake_server.clock import Clock
from fake_server.common.wsgi import (
    CAN_POSTPONE,
    RESUME,
    ConnectionDropped,
    Environ,
    Postponed,
    Request,
    Response,
    StartResponse,
)
from fake_server.control import snapshot_tables
from fake_server.control.service import PREFIX, Control
from fake_server.db.store import (
    MEMORY,
    ConflictError,
    Store,
    UnstorableError,
    WriteNeededError,
    in_turn,
)
from fake_server.identity.service import IdentityService
from fake_server.middleware.authentication import PasswordGate, TokenGate
from fake_server.networking.handlers import NetworkingService
from fake_server.settings import Settings
from fake_server.tables import metadata

if TYPE_CHECKING:
    from fake_server.compute.service import ComputeService
    from fake_server.control.fault import Fault
    from fake_server.image.service import ImageService
    from fake_server.placement.service import PlacementService
    from fake_server.seeds.parsing import Seed

LOG = logging.getLogger(__name__)
snapshot_tables.provide(metadata)

#: A lab of 100,000 nodes has some 100 MB.
SEED_PATH, SEED_LIMIT = f"{PREFIX}/seed", 256 * 1024 * 1024
#: Services that show what Nova does; it gets on with that when one of them is asked.
_WITH_NOVA = frozenset({"compute", "networking", "placement", "volume"})
#: So does the one part of the Bare Metal API that Nova leaves something in.
_TARGETS = "/volume/targets"
#: Services whose resources change when the time of a node's transition has come.
_CHANGED_BY_NODES = frozenset({"networking", "volume"})
#: How often a request is tried that others get in the way of.
_TURNS = 100
#: A service: answers a request whose path has lost the given prefix.
Service = Callable[[Request, str], Response]


class Application:
    """All services of one server.

    :param settings: its options.
    :param db: SQLAlchemy URL of the database; SQLite in memory if not given.
    :param clock: the time it lives in; the system's if not given.
    :param seed: the lab that a database has from its first use on.
    :raises ValueError: for hardware interfaces that there are not, or a seed that can't be.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        db: str = MEMORY,
        clock: Clock | None = None,
        seed: Seed | None = None,
    ) -> None:
        self.settings = settings or Settings()
        registry.check_known(self.settings.interfaces)
        interfaces.check_default_network(self.settings)
        self.clock = Clock() if clock is None else clock
        self.store = Store(metadata, db)
        self._baremetal = BaremetalService(self.store, self.clock, self.settings)
        #: Services by the first segment of their path; what has no service is Ironic's.
        self.services: dict[str, Service] = {
            "baremetal": self._baremetal.answer,
            "compute": lambda request, prefix: self._compute.answer(request, prefix),
            "image": lambda request, prefix: self._image.answer(request, prefix),
            "networking": self._networking().answer,
            "placement": lambda request, prefix: self._placement.answer(request, prefix),
            "volume": BlockStorageService(self.store, self.clock, self.settings).answer,
        }
        self._gate = self._make_gate()
        #: Time, faults, state and requests, for tests.
        self.control = Control(
            self.store, self.clock, self.settings, clock_given=clock is not None, seed=seed
        )
        self._baremetal.script = self.control.script

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request the WSGI way."""
        request = Request(environ)
        try:
            resume = environ.pop(RESUME, None)
            response = resume() if resume else self.answer(request)
        except (ConnectionDropped, Postponed):
            raise
        except Exception:
            LOG.exception("%s %s failed", request.method, request.path)
            message = "The fake server failed at this request; its log says why."
            body = json.dumps({"error_message": message}).encode()
            response = Response(500, body, [("Content-Type", "application/json")])
        return response.start(environ, start_response)

    def answer(self, request: Request) -> Response:
        """Answer a request by the service it is meant for."""
        if body_limits.is_too_large(request, self.body_limit(request.path)):
            return rendering.bare_fault(413, "Request body is too large.")
        path = request.path
        if path.startswith(PREFIX) and path[len(PREFIX) :][:1] in ("", "/"):
            return self.control.answer(request)
        self.control.state.refresh()
        if path[1:].partition("/")[0] in _WITH_NOVA or _TARGETS in path:
            self._compute.keep_up()
        return self.inside(request)

    def inside(self, request: Request) -> Response:
        """Answer a request that faults can meet, and that is noted.

        Who sends it may stand in it already: so one service asks another.
        """
        began = time.time()
        fault = self.control.faults.met_by(request)
        answer = partial(self._noted, request, fault, began)
        if delay := fault.do.get("delay") if fault else None:
            if request.environ.get(CAN_POSTPONE):
                raise Postponed(delay, answer)
            time.sleep(delay)
        return answer()

    def _noted(self, request: Request, fault: Fault | None, began: float) -> Response:
        """Answer a request that met a fault, or none, and note it."""
        path, response = request.path, None
        try:
            response = self.control.faults.act(fault, request, self._answer_in_turn)
            return response
        finally:
            self.control.requests.note(request, path, response, began)

    def _answer_in_turn(self, request: Request) -> Response:
        """Answer a request, again from its beginning where others got in its way."""
        path = request.path

        def once() -> Response:
            request.path = path
            try:
                return self._answer_once(request)
            except WriteNeededError:
                request.path, request.writes = path, True
                return self._answer_once(request)

        try:
            return in_turn(once, turns=_TURNS)
        except ConflictError:
            return rendering.bare_fault(409, "Too many others write the same. Send it again.")
        except UnstorableError as exc:
            return rendering.bare_fault(400, f"A value of the request can't be stored: {exc}")

    def _answer_once(self, request: Request) -> Response:
        segment, slash, rest = request.path[1:].partition("/")
        service = self.services.get(segment)
        if service is None:
            segment = ""
        else:
            request.path = slash + rest or "/"
        gate = self._gate if request.caller is None else None
        refusal = gate.admit(request, segment) if gate else None
        if refusal is not None:
            return rendering.identified(refusal)
        if service is None:
            return self._baremetal.answer(request)
        if segment in _CHANGED_BY_NODES:
            self._baremetal.settle(write=request.writes)
        return service(request, f"/{segment}")

    # Their code is loaded when they are first asked: most servers are only asked as Ironic.

    @cached_property
    def _compute(self) -> ComputeService:
        from fake_server.compute.service import ComputeService

        return ComputeService(self.store, self.clock, self.settings, self.inside)

    @cached_property
    def _image(self) -> ImageService:
        from fake_server.image.service import ImageService

        return ImageService(self.store, self.clock)

    @cached_property
    def _placement(self) -> PlacementService:
        from fake_server.placement.service import PlacementService

        service = PlacementService(self.store, self.clock, self.settings)
        service.script = self.control.script
        return service

    def body_limit(self, path: str) -> int:
        """Return how many bytes the body of a request to a path may have."""
        if path.rstrip("/") == SEED_PATH:
            return max(SEED_LIMIT, self.settings.body_limit)
        return body_limits.limit(path, self.settings.body_limit)

    def _make_gate(self) -> TokenGate | PasswordGate | None:
        if self.settings.auth == "none":
            return None
        identity = IdentityService(
            self.store, self.clock, self.settings.accounts, self.services.keys
        )
        if self.settings.auth == "http_basic":
            return PasswordGate(self.store)
        self.services["identity"] = identity.answer
        return TokenGate(identity)

    def _networking(self) -> NetworkingService:
        service = NetworkingService(self.store, self.clock)
        for name in (self.settings.provisioning_network, self.settings.cleaning_network):
            service.ensure_network(name)
        return service

    def close(self) -> None:
        """Give the database back."""
        self.control.state.close()
        self.store.close()
