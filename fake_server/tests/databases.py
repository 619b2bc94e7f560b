"""Databases for the tests: in memory, or in a PostgreSQL or MariaDB server that is started here.

The servers run in a temporary directory, in memory if there is room, on a free port of the loopback
interface, without any care for what a power failure would do, and as a user who isn't root. They
and their directory are gone when the process that started them ends, even if it is killed. A
database lasts as long as the test or the fixture that made it. On PostgreSQL it is a copy of one
that has the tables: each has hundreds of files, which take long on a disk.
"""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import sqlalchemy as sa

import fake_server.app  # noqa: F401 - has all tables
from fake_server.db import schema
from fake_server.db.store import MEMORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Finalizer = Callable[[], object]

_MEMORY, _ROOM = Path("/dev/shm"), 4 << 30
KINDS = ("sqlite", "postgresql", "mariadb")
_numbers = count()
_servers: dict[str, Server] = {}
_owners: list[Callable[[Finalizer], object]] = []

_CLEANING = """
cat > /dev/null  # until the process that started it has ended
"$@"
rm -rf "$0"
"""


class Server:
    """A database server of the tests' own; subclasses know how to start which."""

    user: str
    url: str
    programs: tuple[str, ...]
    first = ""
    dropping: str

    def __init__(self) -> None:
        # Where the programs are missing, so may be their user.
        self.paths = {program: self.find(program) for program in self.programs}
        self.directory = Path(tempfile.mkdtemp(prefix="fake-server-db-", dir=_folder()))
        self.port = _free_port()
        if os.geteuid() == 0:
            shutil.chown(self.directory, self.user)
        self._cleaner = subprocess.Popen(
            ["sh", "-c", _CLEANING, str(self.directory), *self.stopping()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        self.start()
        self.engine = sa.create_engine(self.url.format(port=self.port, name=self.first))

    def start(self) -> None:
        raise NotImplementedError

    def stopping(self) -> list[str]:
        """Return the command that stops it."""
        raise NotImplementedError

    def stop(self) -> None:
        self.engine.dispose()
        self._cleaner.communicate()

    def find(self, program: str) -> str:
        """Return the path of a program.

        :raises FileNotFoundError: if it isn't installed.
        """
        found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/bin")
        if found is None:
            raise FileNotFoundError(f"{program} isn't installed")
        return found

    def database(self, *, copied: bool) -> str:
        """Make a database, for as long as its owner lasts; return its URL.

        :param copied: whether it may have the tables already.
        """
        name = f"test{next(_numbers)}"
        source = self.template if copied else None
        self._execute(f"CREATE DATABASE {name}{f' TEMPLATE {source}' if source else ''}")
        if _owners:
            _owners[-1](partial(self._execute, self.dropping.format(name)))
        return self.url.format(port=self.port, name=name)

    @property
    def template(self) -> str | None:
        """The name of a database with the tables and no rows, if others can be copied from it."""
        return None

    def _execute(self, statement: str) -> None:
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(sa.text(statement))

    def run(self, *command: str) -> None:
        subprocess.run(self.command(*command), check=True, capture_output=True, cwd="/")

    def command(self, *command: str) -> list[str]:
        return ["runuser", "-u", self.user, "--", *command] if os.geteuid() == 0 else [*command]


class PostgreSQL(Server):
    user = "postgres"
    url = "postgresql+psycopg://ironic@127.0.0.1:{port}/{name}"
    programs = ("initdb", "pg_ctl")
    first = "postgres"
    dropping = "DROP DATABASE {} WITH (FORCE)"

    def find(self, program: str) -> str:
        debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
        return str(debian[-1]) if debian else super().find(program)

    def start(self) -> None:
        data = f"{self.directory}/data"
        self.run(self.paths["initdb"], "-D", data, "-A", "trust", "-U", "ironic", "--no-sync")
        self.launch()

    def launch(self) -> None:
        """Start it again after :meth:`stopping`."""
        data = f"{self.directory}/data"
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off"
        options += f" -c unix_socket_directories={self.directory} -c max_connections=300"
        options += " -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=96MB"
        log = f"{self.directory}/log"
        # Its output goes to the log, or the run would wait for the server to end.
        self.run(self.paths["pg_ctl"], "-D", data, "-o", options, "-l", log, "-w", "start")

    @cached_property
    def template(self) -> str:
        self._execute("CREATE DATABASE tables")
        engine = sa.create_engine(self.url.format(port=self.port, name="tables"))
        schema.prepare(engine, schema.metadata)
        engine.dispose()
        return "tables"

    def stopping(self) -> list[str]:
        data = f"{self.directory}/data"
        return self.command(self.paths["pg_ctl"], "-D", data, "-m", "immediate", "stop")


class MariaDB(Server):
    user = "mysql"
    url = "mariadb+pymysql://ironic:ironic@127.0.0.1:{port}/{name}"
    programs = ("mariadb-install-db", "mariadbd", "mariadb")
    dropping = "DROP DATABASE {}"

    def start(self) -> None:
        data = f"{self.directory}/data"
        install, server, shell = (self.paths[program] for program in self.programs)
        self.run(install, f"--datadir={data}", "--auth-root-authentication-method=normal")
        command = [server, "--no-defaults", f"--datadir={data}", f"--port={self.port}"]
        command += [f"--socket={self.directory}/socket", "--bind-address=127.0.0.1"]
        command += [f"--pid-file={self.directory}/pid", "--skip-name-resolve"]
        log = (self.directory / "log").open("w")
        self.process = subprocess.Popen(self.command(*command), stdout=log, stderr=log)
        script = "CREATE USER ironic IDENTIFIED BY 'ironic'; GRANT ALL ON *.* TO ironic"
        client = [shell, f"--socket={self.directory}/socket", "-u", "root"]
        for _ in range(100):
            time.sleep(0.1)
            if not subprocess.run([*client, "-e", script], capture_output=True).returncode:
                return
        raise RuntimeError((self.directory / "log").read_text())

    def stopping(self) -> list[str]:
        return ["sh", "-c", 'kill -9 "$(cat "$0")"', f"{self.directory}/pid"]

    def stop(self) -> None:
        super().stop()
        self.process.wait()


def server(kind: str) -> Server:
    """Return the server of a kind, started once in this process.

    The test is skipped where there is none, but it fails where they are required.
    """
    if kind not in _servers:
        try:
            _servers[kind] = {"postgresql": PostgreSQL, "mariadb": MariaDB}[kind]()
        except (OSError, LookupError, subprocess.CalledProcessError) as exc:
            if os.environ.get("FAKE_SERVER_DATABASES") == "required":
                raise
            pytest.skip(f"NOT TESTED: {kind} can't be started by {getpass.getuser()}: {exc}")
    return _servers[kind]


def new(kind: str | None = None, *, copied: bool = True) -> str:
    """Return the URL of a database without rows.

    :param kind: its kind; if not given, that which was asked for.
    :param copied: whether it may have the tables already.
    """
    kind = kind or os.environ.get("FAKE_SERVER_TEST_DB", "sqlite")
    return MEMORY if kind == "sqlite" else server(kind).database(copied=copied)


def params() -> list[Any]:
    """Return the kinds of databases as parameters of tests: those that need a server are slow."""
    slow = pytest.mark.slow("needs a database server")
    return ["sqlite", *(pytest.param(kind, marks=slow) for kind in KINDS if kind != "sqlite")]


@contextmanager
def owned_by(add_finalizer: Callable[[Finalizer], object]) -> Iterator[None]:
    """Let the databases that are made meanwhile last as long as a test or a fixture.

    :param add_finalizer: the function that adds what is called at its end.
    """
    _owners.append(add_finalizer)
    try:
        yield
    finally:
        _owners.pop()


def stop_all() -> None:
    """Stop every server that was started."""
    while _servers:
        _servers.popitem()[1].stop()


def _folder() -> Path | None:
    """Return a folder in memory, if there is one with room for the databases of some workers."""
    if _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
        return _MEMORY
    return None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])
