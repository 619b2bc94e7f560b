"""The fake server for tests and programs: in a thread, in the foreground, or without a port."""

from __future__ import annotations

import warnings
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import fields, replace
from functools import cached_property, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, Self

from fake_server.extra import required

with required():
    from fake_server import cloud_config
    from fake_server.app import Application
    from fake_server.clock import Clock
    from fake_server.common.suggestion import did_you_mean
    from fake_server.control import guard
    from fake_server.control.faults import FaultWarning
    from fake_server.controlled import Controlled
    from fake_server.db.store import MEMORY
    from fake_server.decorators import decorate
    from fake_server.httpd.connections import Limits
    from fake_server.httpd.listener import Listener
    from fake_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from fake_server.adapter import InProcessAdapter
    from fake_server.db.migration import Upgrade
    from fake_server.decorators import Target
    from fake_server.httpd.tls import Tls
    from fake_server.seeds.parsing import Seed


#: The options of :class:`FakeServer`.
_OPTIONS = ("settings", "host", "port", "db", "clock", "seed", "strict", "upgrade")


class FakeServer(Controlled):
    """A fake Ironic that listens on a port while a ``with`` block runs.

    ``server.url`` is its URL. Without a ``with`` block it has no port, but can be used through
    :meth:`adapter`; ``server.app`` is the WSGI application.

    :param settings: options of the server.
    :param host: address to listen on. Beyond the loopback interface, the controls need a token; if
        the settings have none, one is made: ``server.app.settings.control_token``.
    :param port: port to listen on; 0 for any free one.
    :param db: SQLAlchemy URL of the database; SQLite in memory by default.
    :param clock: the clock of the server, or its mode; the system's by default.
    :param seed: the lab for a new database: the path of a YAML or JSON file, or its content. It is
        ignored for a database that was used before.
    :param strict: whether it is an error at the end of a ``with`` block if a fault met nothing, or
        a request had a path that no service has; it isn't by default.
    :param upgrade: what is done with a database that has the schema of another version of the fake
        server: ``refuse`` it, ``migrate`` it if it can be carried over, or begin a ``fresh`` one.
    :raises SeedError: for an invalid seed; the message names the place.
    :raises ValueError: for invalid settings, or a certificate that can't be used.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        db: str = MEMORY,
        clock: Clock | str | None = None,
        seed: Seed | None = None,
        strict: bool | None = None,
        upgrade: Upgrade = "refuse",
    ) -> None:
        given = {"settings": settings, "clock": clock, "seed": seed, "strict": strict}
        self._options = {"host": host, "port": port, "db": db, "upgrade": upgrade} | {
            name: value for name, value in given.items() if value is not None
        }
        settings = settings or Settings()
        token = guard.token_for(host, settings.control_token)
        settings = replace(settings, control_token=token)
        if isinstance(clock, str):
            clock = Clock(clock)
        self._files = ExitStack()
        #: The certificate of the CA that clients have to trust, if one was created.
        self.ca_file: Path | None = None
        #: Whether it is an error at the end if a fault met nothing, or a path is of no service.
        #: ``None``: say nothing of unmet faults, for a test that fails anyway.
        self.strict: bool | None = bool(strict)
        tls = self._tls(settings.tls, host)
        try:
            self.app = Application(settings, db=db, clock=clock, seed=seed, upgrade=upgrade)
        except BaseException:
            self._files.close()
            raise
        limits = Limits(self.app.body_limit)
        self._listener = Listener(self.app, host, port, limits, tls=tls)
        self._thread: Thread | None = None

    def _tls(self, files: Literal["auto"] | tuple[str, str] | None, host: str) -> Tls | None:
        if files is None:
            return None
        from fake_server.httpd.tls import Tls

        if files != "auto":
            return Tls(*files)
        with required():
            from fake_server.httpd import certificates
        directory = TemporaryDirectory(prefix="baremetal-fake-server-")
        made = certificates.make(Path(self._files.enter_context(directory)), host)
        self.ca_file = made.ca
        return Tls(made.certificate, made.key)

    @property
    def url(self) -> str:
        """The URL of the server, without a path; available after :meth:`prepare`."""
        return self._listener.url

    @classmethod
    def with_options(cls, **options: Any) -> Self:
        """Return a server for a test.

        :param options: those of the class, and fields of :class:`~fake_server.settings.Settings`.
            By default, time stands still until a client waits, and the server is strict.
        :raises TypeError: for an unknown option.
        """
        names = [field.name for field in fields(Settings)]
        known = [*_OPTIONS, *names]
        for name in options:
            if name not in known:
                hint = did_you_mean(name, known)
                raise TypeError(f"A server has no option {name!r}.{hint}")
        own = {name: options.pop(name) for name in _OPTIONS if name in options}
        own["settings"] = replace(own.get("settings", Settings()), **options)
        return cls(**{"clock": "auto", "strict": True, **own})

    @contextmanager
    def in_environment(self) -> Iterator[Self]:
        """Run the server, and have clients in this process use it by their environment."""
        __tracebackhide__ = True
        with self, cloud_config.in_use(self.environ):
            yield self

    @cached_property
    def environ(self) -> dict[str, str]:
        """The variables ``OS_…`` with which clients use the server, as its first account.

        With accounts, one of them names a ``clouds.yaml`` that is there until the server stops.
        A server that has no port yet gets one.
        """
        self.prepare()
        directory = self._files.enter_context(TemporaryDirectory(prefix="baremetal-fake-server-"))
        settings = self.app.settings
        return cloud_config.environment(self.url, settings, Path(directory), ca_file=self.ca_file)

    @property
    def client_options(self) -> dict[str, Any]:
        """The options of ``baremetalclient.client.get_client`` for the first account."""
        return cloud_config.options(self.url, self.app.settings, self.ca_file)

    def adapter(self) -> InProcessAdapter:
        """Return a transport adapter for a session of ``requests``.

        It works without starting the server, which has no port then.
        """
        from fake_server.adapter import InProcessAdapter

        return InProcessAdapter(self.app)

    def prepare(self) -> None:
        """Bind the port, so that ``url`` is available and clients can connect."""
        self._listener.bind()

    def serve(self) -> None:
        """Answer requests until :meth:`stop` is called, in this thread."""
        self._listener.serve()

    def start(self) -> None:
        """Answer requests in a thread of its own; if that fails, the server is closed.

        :raises OSError: if the port isn't free, or there are no file descriptors left.
        :raises RuntimeError: if no more threads can be started.
        """
        started: Future[None] = Future()
        thread = Thread(target=self._run, args=(started,), name="fake-server", daemon=True)
        try:
            thread.start()
            started.result()
        except Exception:
            self._release()
            raise
        self._thread = thread

    def _run(self, started: Future[None]) -> None:
        try:
            self._listener.serve(lambda: started.set_result(None))
        except Exception as error:
            if started.done():
                raise
            started.set_exception(error)

    def stop(self) -> None:
        """Stop listening and close the database."""
        self._listener.stop()
        if self._thread is not None:
            self._thread.join()
        self._listener.close()
        self._release()

    def _release(self) -> None:
        self._files.close()
        self.app.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        __tracebackhide__ = True
        try:
            if self.strict and exc is None:
                self.check_unmet()
            elif self.strict is False:
                for line in self.unmet_faults():
                    warnings.warn(line, FaultWarning, stacklevel=2)
        finally:
            self.stop()

    async def __aenter__(self) -> Self:
        return self.__enter__()

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        __tracebackhide__ = True
        self.__exit__(exc_type, exc, traceback)

    def __call__(self, target: Target) -> Target:
        """Give a test a new server like this one; this one is closed.

        It stands in the parameter ``server``, if the test has one. Its time moves when a client
        waits and it is strict, unless this one is otherwise; the environment is for it.

        :param target: a function, a coroutine function, or a class whose methods ``test…`` are
            tests.
        """
        self.stop()
        again = partial(type(self).with_options, **self._options)
        return decorate(target, lambda: again().in_environment())
