"""The WSGI application: a chain of handlers, and behind it every service, on one port."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from fake_server.baremetal import interfaces
from fake_server.baremetal.api.service import BaremetalService
from fake_server.baremetal.conductor.due import registry as due_at_nodes
from fake_server.baremetal.drivers import registry
from fake_server.baremetal.models import ports
from fake_server.block_storage.due import VolumeReady
from fake_server.block_storage.models import types as volume_types
from fake_server.clock import Clock
from fake_server.common import randomness
from fake_server.common.lab import Lab
from fake_server.common.setting_error import SettingError
from fake_server.common.wsgi import RESUME, Environ, Request, Response, StartResponse
from fake_server.compute.due import ServerStep
from fake_server.control import snapshot_tables
from fake_server.control.handlers import OPERATIONS
from fake_server.control.service import Control, NodeFaultInjection
from fake_server.control.state import ControlState
from fake_server.db import engines
from fake_server.db.schema import metadata
from fake_server.db.store import MEMORY, Store
from fake_server.identity import models as identity
from fake_server.image.due import Download
from fake_server.middleware.chain import (
    BodyLimits,
    Controls,
    Mounts,
    Origins,
    answer_errors,
    chain,
    retry,
)
from fake_server.middleware.due_work import DueWork
from fake_server.middleware.faults import FaultsAndRecording
from fake_server.middleware.healthcheck import healthcheck
from fake_server.middleware.waits import Waits
from fake_server.networking.client import NetworkingClient
from fake_server.seeds import parsing
from fake_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractContextManager
    from random import Random

    from fake_server.block_storage.service import BlockStorageService
    from fake_server.compute.service import ComputeService
    from fake_server.db.migration import Upgrade
    from fake_server.db.store import Transaction
    from fake_server.image.service import ImageService
    from fake_server.middleware.chain import Handler
    from fake_server.networking.service import NetworkingService
    from fake_server.object_storage.service import ObjectStorageService
    from fake_server.placement.service import PlacementService
    from fake_server.seeds.parsing import Seed

snapshot_tables.provide(metadata)


class Application:
    """All services of one server.

    :param settings: its options.
    :param db: SQLAlchemy URL of the database; SQLite in memory if not given.
    :param clock: the clock of the server; the system's if not given.
    :param seed: the lab that a database has from its first use on.
    :param upgrade: what is done with a database that has the schema of another version:
        ``refuse``, ``migrate`` or ``fresh``.
    :raises ValueError: for unknown hardware interfaces, or a seed that isn't valid.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        db: str = MEMORY,
        clock: Clock | None = None,
        seed: Seed | None = None,
        upgrade: Upgrade = "refuse",
    ) -> None:
        self.settings = (settings or Settings()).completed()
        registry.check_known(self.settings.interfaces)
        interfaces.check_settings(self.settings)
        self.clock = Clock() if clock is None else clock
        number = self.settings.random_seed
        if number is not None and not engines.names_memory(db):
            raise SettingError(
                "random_seed",
                "A random seed needs a new database in memory: one that was used before has the "
                "identifiers already.",
            )
        if seed is not None and engines.names_new_file(db):
            # One that can't be loaded is refused before there is a file.
            seed = parsing.load(seed)
            Application(self.settings, seed=seed).close()
        self.store = Store(metadata, db, upgrade=upgrade)
        self._generators = None if number is None else randomness.Generators(number)
        with self.seeded():
            self._compose(seed, clock_given=clock is not None)

    def _compose(self, seed: Seed | None, *, clock_given: bool) -> None:
        """Make the services and the chain of handlers."""
        state = ControlState(self.store, self.clock, given=clock_given)
        injection = NodeFaultInjection(state, self.clock, self.settings)
        self.lab = Lab(self.store, self.clock, self.settings, injection)
        self._baremetal = BaremetalService(self.lab)
        #: Services by the first segment of their path; what has no service is Ironic's.
        self.services: dict[str, Callable[[Request], Response]] = {
            "baremetal": self._baremetal.answer,
            "compute": lambda request: self._compute.answer(request),
            "image": lambda request: self._image.answer(request),
            "networking": lambda request: self._networking.answer(request),
            "object-store": lambda request: self._object_storage.answer(request),
            "placement": lambda request: self._placement.answer(request),
            "volume": lambda request: self._block_storage.answer(request),
        }
        self._provide()
        served: list[Handler] = [
            retry,
            *([healthcheck] if self.settings.healthcheck else []),
            Mounts(self.services),
            *self._authentication(),
        ]
        kinds = (ServerStep(lambda: self._compute), VolumeReady(), Download())
        due = DueWork(self.lab, {**due_at_nodes.KINDS, **{kind.name: kind for kind in kinds}})
        #: Time, faults, state and requests, for tests.
        self.control = Control(
            self.lab,
            state,
            injection,
            chain(served, self._serve),
            due.apply,
            OPERATIONS,
            seed,
            self._generators,
        )
        limits = BodyLimits(self.settings.body_limit)
        #: Returns how many bytes the body of a request to a path may have.
        self.body_limit = limits.of
        origins = Origins(self.settings.allowed_origins)
        waits = Waits(self.lab, due)
        #: Has all that is pending happen, whatever the clock says.
        self.settle = waits.settle
        recorded = FaultsAndRecording(self.control, waits)
        #: How one service asks another: as clients do, but as a caller that is known already.
        self._ask = chain([recorded, *served], self._serve)
        #: Answers a request by the service that it is meant for.
        self.answer = chain(
            [limits, Controls(self.control, waits.is_wait), recorded, origins, waits, due, *served],
            self._serve,
        )

    def _provide(self) -> None:
        """Store what the services have from the start."""
        volume_types.install(self.store)
        with self.store.transaction() as tx:
            neutron = NetworkingClient(tx, self.clock, ports.physical_networks)
            for name in (self.settings.provisioning_network, self.settings.cleaning_network):
                if name:
                    neutron.ensure_network(name)
        if self.settings.auth != "none":
            identity.install(self.store, self.settings.accounts)

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request the WSGI way."""
        resume: Callable[[], Response] | None = environ.pop(RESUME, None)
        proceed = self.answer if resume is None else lambda _: resume()
        request = Request(environ)
        if self._generators is None:
            return answer_errors(proceed, request).start(environ, start_response)
        generator = self._generators.next(request.method)
        with randomness.use(generator):
            response = answer_errors(proceed, request)
        if response.afterwards is not None:
            response.afterwards = partial(_run_with, generator, response.afterwards)
        return response.start(environ, start_response)

    def seeded(self) -> AbstractContextManager[None]:
        """Return a context in which a change outside requests has the next generator, if any."""
        generator = None if self._generators is None else self._generators.next("POST")
        return randomness.use(generator)

    def _serve(self, request: Request) -> Response:
        return self.services.get(request.mount, self._baremetal.answer)(request)

    # Their code is loaded when they are first asked: most servers are only asked as Ironic.

    @cached_property
    def _block_storage(self) -> BlockStorageService:
        from fake_server.block_storage.context import Neighbours
        from fake_server.block_storage.service import BlockStorageService

        return BlockStorageService(self.lab, Neighbours(_attachment_of, _hides_image))

    @cached_property
    def _compute(self) -> ComputeService:
        from fake_server.compute.service import ComputeService

        return ComputeService(self.lab, self._ask)

    @cached_property
    def _image(self) -> ImageService:
        from fake_server.image.service import ImageService

        return ImageService(self.lab)

    @cached_property
    def _networking(self) -> NetworkingService:
        from fake_server.networking.service import NetworkingService

        return NetworkingService(self.lab, ports.physical_networks)

    @cached_property
    def _object_storage(self) -> ObjectStorageService:
        from fake_server.object_storage.service import ObjectStorageService

        return ObjectStorageService(self.lab)

    @cached_property
    def _placement(self) -> PlacementService:
        from fake_server.placement.service import PlacementService

        return PlacementService(self.lab)

    def _authentication(self) -> list[Handler]:
        if self.settings.auth == "none":
            return []
        from fake_server.identity.service import IdentityService
        from fake_server.middleware.authentication import BasicAuthentication, TokenAuthentication

        if self.settings.auth == "http_basic":
            return [BasicAuthentication(self.store)]
        keystone = IdentityService(self.lab)
        self.services["identity"] = keystone.answer
        return [TokenAuthentication(keystone)]

    def close(self) -> None:
        """Close the database."""
        self.control.state.close()
        self.store.close()


def _run_with(generator: Random, act: Callable[[], object]) -> None:
    with randomness.use(generator):
        act()


def _attachment_of(tx: Transaction, server_id: str, volume_id: str) -> str | None:
    from fake_server.compute.models import block_devices

    device = block_devices.get(tx, server_id, volume_id)
    return device["attachment_id"] if device else None


def _hides_image(tx: Transaction, ident: str, project_id: str | None) -> bool:
    from fake_server.image import client

    return client.hides(tx, ident, project_id)
