"""``baremetal-fake-server``: run the server in the foreground or for a command."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING

from fake_server.cli.messages import tell
from fake_server.cli.options import parse, refused, settings
from fake_server.cli.remote_sweeps import operations
from fake_server.cli.signals import interruptible
from fake_server.common.setting_error import SettingError
from fake_server.control.service import PREFIX
from fake_server.db.engines import names_memory
from fake_server.extra import MissingExtraError
from fake_server.httpd import ports
from fake_server.server import FakeServer

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from fake_server.seeds.parsing import Seed


def main(words: Sequence[str]) -> int:
    """Run the command with its arguments, ``serve`` or ``exec`` first; return the exit status."""
    options = parse(words[1:], words[0])
    if words[0] == "exec":
        from fake_server.cli import sweep

        if sweep.is_asked(options):
            return sweep.run(options, words)
    return start(options, options.seed, options.seed)


def start(options: argparse.Namespace, seed: Seed | None, called: str | None) -> int:
    """Serve, or run the command of the options; return the exit status.

    :param seed: the lab for a new database.
    :param called: what messages call it.
    """
    running = bool(options.command)
    try:
        if not running and options.workers > 1:
            _check_workers(options.db)
        # Before there is a database.
        ports.listening(options.host, options.port).close()
        server = FakeServer(
            settings(options),
            host=options.host,
            port=options.port,
            db=options.db,
            upgrade=options.upgrade,
            clock=options.clock,
            seed=seed,
        )
        if seed and not server.app.control.snapshots.is_new:
            text = f"{called} is ignored, because the database is not new."
            tell(text)
        server.prepare()
        if server.ca_file:
            text = f"clients have to trust the CA in {server.ca_file}"
            tell(text)
    except SettingError as exc:
        return refused(options, exc)
    except (OSError, ValueError, MissingExtraError) as exc:
        tell(f"{exc}{_origin(options, exc)}")
        return 1
    server.app.control.add(operations(server))
    if running:
        from fake_server.cli.run import run

        return run(server, options.command, options.account)
    return _serve(server, options.workers)


def _check_workers(database: str) -> None:
    """Raise SettingError where there can't be several processes."""
    if names_memory(database):
        raise SettingError(
            "workers", "More than one worker needs a database that they can share: give --db."
        )
    if not hasattr(os, "fork"):
        raise SettingError("workers", "It needs os.fork(), which this system lacks.")


def _origin(options: argparse.Namespace, exc: Exception) -> str:
    """Return where the port that can't be had comes from, and which other there is."""
    if not isinstance(exc, OSError) or exc.errno not in (errno.EADDRINUSE, errno.EACCES):
        return ""
    source = options.sources.get("port")
    return f" (the port is that of {source})" if source else "; choose another with --port, or 0"


def _serve(server: FakeServer, number_of_workers: int) -> int:
    # Ten times as often as usual: a short answer needn't wait for a long list.
    sys.setswitchinterval(0.0005)
    try:
        with interruptible():
            print(server.url, flush=True)
            page = f"page: {server.url}{PREFIX}/"
            tell(page)
            if number_of_workers > 1:
                from fake_server.cli import workers

                server.app.control.requests.share()
                return workers.serve(server, number_of_workers)
            server.serve()
    except KeyboardInterrupt:
        pass
    finally:
        for line in server.unmet_faults():
            tell(line)
        server.stop()
    return 0
