"""The fake server for tests and programs: in a thread, in the foreground, or without a port."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Any, Self

from fake_server.extra import required

with required():
    from fake_server.app import Application
    from fake_server.clock import Clock
    from fake_server.control import guard
    from fake_server.db.store import MEMORY
    from fake_server.httpd.connections import Limits
    from fake_server.httpd.listener import Listener
    from fake_server.settings import Settings

if TYPE_CHECKING:
    from types import TracebackType

    from fake_server.adapter import InProcessAdapter
    from fake_server.control.conductors import Conductors
    from fake_server.control.delays import Delays
    from fake_server.control.faults import Faults
    from fake_server.control.machines import Machines
    from fake_server.control.recorder import Recorder
    from fake_server.control.snapshots import Snapshots
    from fake_server.httpd.tls import Tls
    from fake_server.seeds.parsing import Seed


class FakeServer:
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
    ) -> None:
        settings = settings or Settings()
        token = guard.token_for(host, settings.control_token)
        settings = replace(settings, control_token=token)
        if isinstance(clock, str):
            clock = Clock(clock)
        self.app = Application(settings, db=db, clock=clock, seed=seed)
        self._certificates = ExitStack()
        #: The certificate of the CA that clients have to trust, if one was created.
        self.ca_file: Path | None = None
        limits = Limits(self.app.body_limit)
        self._listener = Listener(self.app, host, port, limits, tls=self._tls(host))
        self._thread: Thread | None = None

    def _tls(self, host: str) -> Tls | None:
        files = self.app.settings.tls
        if files is None:
            return None
        from fake_server.httpd.tls import Tls

        if files != "auto":
            return Tls(*files)
        with required():
            from fake_server.httpd import certificates
        directory = TemporaryDirectory(prefix="baremetal-fake-server-")
        made = certificates.make(Path(self._certificates.enter_context(directory)), host)
        self.ca_file = made.ca
        return Tls(made.certificate, made.key)

    @property
    def url(self) -> str:
        """The URL of the server, without a path; available after :meth:`prepare`."""
        return self._listener.url

    @property
    def clock(self) -> Clock:
        """The clock of the server."""
        return self.app.clock

    @property
    def faults(self) -> Faults:
        """The faults in force."""
        return self.app.control.faults

    @property
    def delays(self) -> Delays:
        """The durations of the transitions of nodes."""
        return self.app.control.delays

    @property
    def conductors(self) -> Conductors:
        """The conductors, which can be stopped and started."""
        return self.app.control.conductors

    @property
    def machines(self) -> Machines:
        """The simulated machines of nodes."""
        return self.app.control.machines

    @property
    def requests(self) -> Recorder:
        """The recorded requests."""
        return self.app.control.requests

    @property
    def snapshots(self) -> Snapshots:
        """Snapshots of the state of the server."""
        return self.app.control.snapshots

    def adapter(self) -> InProcessAdapter:
        """Return a transport adapter for a session of ``requests``.

        It works without starting the server, which has no port then.
        """
        from fake_server.adapter import InProcessAdapter

        return InProcessAdapter(self.app)

    def seed(self, seed: Seed) -> dict[str, int]:
        """Add a lab; see :meth:`~fake_server.control.seeds.Seeds.load`."""
        with self.app.seeded():
            return self.app.control.seeds.load(seed)

    def export_seed(self) -> dict[str, Any]:
        """Return the present lab of the server as a seed."""
        return self.app.control.seeds.export()

    def reset(self) -> None:
        """Restore the initial state, and remove all faults, delays and recorded requests."""
        self.app.control.reset()

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
        self._certificates.close()
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
        self.stop()
