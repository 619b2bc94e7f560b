"""``baremetal-fake-server`` itself, and ``exec``: run the server, or a command beside one."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from fake_server.app import Application
from fake_server.baremetal import microversions
from fake_server.cli import cloud_config, workers
from fake_server.cli.ctl_commands import TOKEN_VARIABLE, URL_VARIABLE
from fake_server.compute import microversions as compute_microversions
from fake_server.db.store import MEMORY
from fake_server.identity import accounts
from fake_server.server import FakeServer
from fake_server.settings import AGENTS, AUTH, ENABLED_INTERFACES, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence


#: Names that documents have for network interfaces.
_PROVIDER_NAMES = {"none": "noop"}


def main(words: Sequence[str]) -> int:
    """Run the command.

    :param words: its arguments.
    :returns: exit status.
    """
    running = list(words[:1]) == ["exec"]
    options = _parser(running).parse_args(words[1:] if running else words)
    try:
        server = FakeServer(
            _settings(options),
            host=options.host,
            port=options.port,
            db=options.db,
            seed=options.seed,
        )
        if options.seed and not server.app.control.snapshots.is_new:
            text = f"{options.seed} isn't used: the database was filled when it was new."
            print(f"baremetal-fake-server: {text}", file=sys.stderr)
        if not running and options.workers > 1 and server.app.store.in_memory:
            raise ValueError("Workers need a database that they can share: name one with --db.")
        server.prepare()
    except (OSError, ValueError) as exc:
        print(f"baremetal-fake-server: {exc}", file=sys.stderr)
        return 1
    if running:
        return _run_command(server, options.command, options.account)
    return _serve(server, options.workers)


def application_from(words: Sequence[str]) -> Application:
    """Return the application that these options of the command ask for.

    :raises ValueError: for a database or interfaces that there are not.
    """
    options = _parser(running=False).parse_args(words)
    return Application(_settings(options), db=options.db, seed=options.seed)


def _serve(server: FakeServer, number_of_workers: int) -> int:
    signal.signal(signal.SIGTERM, _leave)
    # Ten times as often as usual: a short answer needn't wait for a long list.
    sys.setswitchinterval(0.0005)
    try:
        print(server.url, flush=True)
        if number_of_workers > 1:
            server.app.control.requests.share()
            return workers.serve(server, number_of_workers)
        server.serve()
    except KeyboardInterrupt:
        pass
    finally:
        server.stop()
    return 0


def _leave(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt


def _run_command(server: FakeServer, command: list[str], account: str | None) -> int:
    with server, tempfile.TemporaryDirectory(prefix="baremetal-fake-server-") as directory:
        try:
            variables = cloud_config.environment(
                server.url, server.app.settings, Path(directory), account
            )
            kept = {name: value for name, value in os.environ.items() if not _leads_elsewhere(name)}
            variables[URL_VARIABLE] = server.url
            if server.app.settings.control_token:
                variables[TOKEN_VARIABLE] = server.app.settings.control_token
            environment = {**kept, **variables}
            return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603
        except ValueError as exc:
            print(f"baremetal-fake-server: {exc}", file=sys.stderr)
            return 2
        except OSError as exc:
            print(f"baremetal-fake-server: {exc}", file=sys.stderr)
            return 127


def _control_token(options: argparse.Namespace) -> str | None:
    """Return the token of the controls; one is made for a server that others can reach."""
    if options.control_token or options.host in ("127.0.0.1", "localhost", "::1"):
        return options.control_token or None
    token = secrets.token_urlsafe(16)
    print(f"baremetal-fake-server: the controls at /_fake/ need the token {token}", file=sys.stderr)
    return token


def _leads_elsewhere(name: str) -> bool:
    """Tell whether a variable of the environment would lead a client to another cloud."""
    if not name.startswith("OS_") or name.startswith("OS_BAREMETAL_"):
        return False
    # Two underscores are those of options of a service, as oslo.config reads them.
    return "__" not in name


def _parser(running: bool) -> argparse.ArgumentParser:
    name = "baremetal-fake-server"
    parser = argparse.ArgumentParser(
        prog=f"{name} exec" if running else name,
        description=(
            "Run a command beside a fake Ironic, with the OS_ variables that lead it there; with "
            "--auth, a clouds.yaml beside them."
            if running
            else "Run a fake Ironic. The first line on standard output is its address. "
            f"'{name} exec -- CMD' runs a command beside one, '{name} ctl' controls one that runs, "
            f"'{name} capture URL' makes a seed of an Ironic."
        ),
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument(
        "--port", type=int, default=0 if running else 6385, help="0 for any free one"
    )
    parser.add_argument(
        "--db", default=MEMORY, metavar="URL", help="SQLAlchemy URL; SQLite in memory by default"
    )
    parser.add_argument(
        "--seed",
        metavar="FILE",
        help="a lab in YAML or JSON that a new database is filled with",
    )
    parser.add_argument("--dialect", choices=("ironic", "spec"), default="ironic")
    parser.add_argument(
        "--max-microversion",
        type=_minor,
        default=microversions.MAXIMUM,
        metavar="1.N",
        help="highest on offer",
    )
    parser.add_argument(
        "--auth",
        choices=AUTH,
        default="none",
        help="who may come in: anyone, who has a token of the server's own Keystone, or who gives "
        "a name and a password (default: none)",
    )
    parser.add_argument(
        "--accounts",
        metavar="FILE",
        help="users, with their passwords and roles, in YAML or JSON; instead of those of the "
        "server's own",
    )
    parser.add_argument(
        "--control-token",
        metavar="TOKEN",
        help="what /_fake/ asks for in X-Fake-Token (default: none on the loopback interface, else "
        "one that is made and printed on standard error)",
    )
    parser.add_argument(
        "--delay", type=float, default=0.0, metavar="SECONDS", help="of each transition of a node"
    )
    parser.add_argument(
        "--automated-clean", action="store_true", help="make 'provide' pass through cleaning"
    )
    parser.add_argument(
        "--agent",
        choices=AGENTS,
        default="none",
        help="who plays the agents of nodes: nobody, so that none can be booted; whoever sends "
        "their heartbeats; or the server itself (default: none)",
    )
    parser.add_argument(
        "--agent-without-tls",
        action="store_true",
        help="let agents be reached by plain HTTP (Ironic: [agent]require_tls)",
    )
    parser.add_argument(
        "--default-network-provider",
        metavar="NAME",
        help="the network interface of nodes that name none",
    )
    parser.add_argument("--provisioning-network", metavar="NAME|ID")
    parser.add_argument("--cleaning-network", metavar="NAME|ID")
    parser.add_argument(
        "--max-compute-microversion",
        type=_compute_minor,
        default=compute_microversions.MAXIMUM,
        metavar="2.N",
        help="highest of the Compute API on offer",
    )
    parser.add_argument(
        "--old-compute",
        action="store_true",
        help="let Nova's compute service be one that doesn't know attach modes",
    )
    parser.add_argument(
        "--show-volume-secrets",
        action="store_true",
        help="let volume targets show auth_password in clear text, as Ironic before 39 does",
    )
    parser.add_argument(
        "--placement-sync",
        type=_seconds,
        default=5.0,
        metavar="SECONDS",
        help="between two reports of all nodes to Placement, which undo what was edited there by "
        "hand (default: 5)",
    )
    for kind, names in ENABLED_INTERFACES.items():
        parser.add_argument(
            f"--enabled-{kind}-interfaces", metavar="NAMES", default=",".join(names)
        )
    parser.add_argument(
        "--body-limit",
        type=_positive,
        default=1024 * 1024,
        metavar="BYTES",
        help="that the body of a request may have (default: 1 MiB)",
    )
    if not running:
        parser.add_argument(
            "--workers",
            type=_positive,
            default=1,
            metavar="N",
            help="processes on the port, which share the database that --db names (default: 1)",
        )
    if running:
        parser.add_argument(
            "--account",
            metavar="NAME",
            help="whose OS_ variables the command gets (default: those of the first account)",
        )
        parser.add_argument("command", nargs="+", metavar="CMD", help="what to run, after --")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return seconds


def _minor(text: str) -> int:
    return _offered(text, microversions.MAJOR, microversions.MINIMUM, microversions.MAXIMUM)


def _compute_minor(text: str) -> int:
    versions = compute_microversions
    return _offered(text, versions.MAJOR, versions.MINIMUM, versions.MAXIMUM)


def _offered(text: str, major: int, lowest: int, highest: int) -> int:
    wanted, _, minor = text.partition(".")
    if wanted != str(major) or not minor.isdigit() or not lowest <= int(minor) <= highest:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a version from {major}.{lowest} to {major}.{highest}"
        )
    return int(minor)


def _settings(options: argparse.Namespace) -> Settings:
    interfaces = {
        kind: tuple(getattr(options, f"enabled_{kind}_interfaces").split(","))
        for kind in ENABLED_INTERFACES
    }
    return Settings(
        dialect=options.dialect,
        max_minor=options.max_microversion,
        delay=options.delay,
        body_limit=options.body_limit,
        interfaces=interfaces,
        automated_clean=options.automated_clean,
        agent=options.agent,
        agent_tls=not options.agent_without_tls,
        provisioning_network=options.provisioning_network,
        cleaning_network=options.cleaning_network,
        default_network_provider=_PROVIDER_NAMES.get(
            options.default_network_provider, options.default_network_provider
        ),
        auth=options.auth,
        accounts=accounts.read(options.accounts) if options.accounts else accounts.DEFAULT,
        placement_sync=options.placement_sync,
        max_compute_minor=options.max_compute_microversion,
        old_compute=options.old_compute,
        show_volume_secrets=options.show_volume_secrets,
        control_token=_control_token(options),
    )
