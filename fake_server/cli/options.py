"""The options of ``baremetal-fake-server``, and the settings that they stand for."""

from __future__ import annotations

import argparse
import secrets
import sys
from dataclasses import fields

from fake_server.baremetal import hardware_types, microversions
from fake_server.compute import microversions as compute_microversions
from fake_server.db.store import MEMORY
from fake_server.identity import accounts
from fake_server.settings import AGENTS, AUTH, Settings

#: Names that documents have for network interfaces.
_PROVIDER_NAMES = {"none": "noop"}


def settings(options: argparse.Namespace) -> Settings:
    """Return the settings of parsed options; raise ValueError for an invalid file of accounts."""
    given = vars(options)
    names = [field.name for field in fields(Settings)]
    values = {name: given[name] for name in names if name in given and name != "host"} | {
        "interfaces": {
            kind: names
            for kind in hardware_types.KINDS
            if (names := given[f"enabled_{kind}_interfaces"]) is not None
        },
        "accounts": accounts.read(options.accounts) if options.accounts else accounts.DEFAULT,
        "control_token": _control_token(options),
    }
    return Settings(**values)


def _control_token(options: argparse.Namespace) -> str | None:
    """Return the token of the controls; one is made for a server that others can reach."""
    if options.control_token or options.host in ("127.0.0.1", "localhost", "::1"):
        return options.control_token or None
    token = secrets.token_urlsafe(16)
    print(f"baremetal-fake-server: the controls at /_fake/ need the token {token}", file=sys.stderr)
    return token


def parser(*, running: bool = False) -> argparse.ArgumentParser:
    """Return the parser of the command, or of ``exec``.

    Options of :class:`Settings` are stored under its names.

    :param running: whether it is that of ``exec``.
    """
    name = "baremetal-fake-server"
    made = argparse.ArgumentParser(
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
    made.add_argument("--host", default="127.0.0.1", help="address to listen on")
    made.add_argument("--port", type=int, default=0 if running else 6385, help="0 for any free one")
    made.add_argument(
        "--db", default=MEMORY, metavar="URL", help="SQLAlchemy URL; SQLite in memory by default"
    )
    made.add_argument(
        "--seed",
        metavar="FILE",
        help="a file in YAML or JSON whose lab is loaded into a new database",
    )
    made.add_argument("--dialect", choices=("ironic", "spec"), default="ironic")
    made.add_argument(
        "--max-microversion",
        dest="max_minor",
        type=_minor,
        default=microversions.MAXIMUM,
        metavar="1.N",
        help="the highest one that is offered",
    )
    made.add_argument(
        "--auth",
        choices=AUTH,
        default="none",
        help="how requests are authenticated: not at all, by a token of the server's own Keystone, "
        "or by name and password (default: none)",
    )
    made.add_argument(
        "--accounts",
        metavar="FILE",
        help="a file in YAML or JSON with the users, their passwords and roles (default: the "
        "server's own users)",
    )
    made.add_argument(
        "--control-token",
        metavar="TOKEN",
        help="the token that /_fake/ requires in X-Fake-Token (default: none on the loopback "
        "interface, else a random one that is printed on standard error)",
    )
    made.add_argument(
        "--delay", type=float, default=0.0, metavar="SECONDS", help="of each transition of a node"
    )
    made.add_argument(
        "--automated-clean", action="store_true", help="make 'provide' pass through cleaning"
    )
    made.add_argument(
        "--agent",
        choices=AGENTS,
        default="none",
        help="where the agents of nodes come from: there are none, so that none can be booted; "
        "from another program, which sends their heartbeats; or from the server itself (default: "
        "none)",
    )
    made.add_argument(
        "--agent-without-tls",
        dest="agent_tls",
        action="store_false",
        help="let agents be reached by plain HTTP (Ironic: [agent]require_tls)",
    )
    made.add_argument(
        "--default-network-provider",
        type=lambda name: _PROVIDER_NAMES.get(name, name),
        metavar="NAME",
        help="the network interface of nodes that are created without one",
    )
    made.add_argument("--provisioning-network", metavar="NAME|ID")
    made.add_argument("--cleaning-network", metavar="NAME|ID")
    made.add_argument(
        "--max-compute-microversion",
        dest="max_compute_minor",
        type=_compute_minor,
        default=compute_microversions.MAXIMUM,
        metavar="2.N",
        help="the highest one of the Compute API that is offered",
    )
    made.add_argument(
        "--old-compute",
        action="store_true",
        help="simulate a compute service of Nova from before attach modes",
    )
    made.add_argument(
        "--show-volume-secrets",
        action="store_true",
        help="let volume targets show auth_password in clear text, as Ironic before 39 does",
    )
    made.add_argument(
        "--placement-sync",
        type=_seconds,
        default=5.0,
        metavar="SECONDS",
        help="between two reports of all nodes to Placement, which undo what was edited there by "
        "hand (default: 5)",
    )
    made.add_argument(
        "--enabled-hardware-types",
        dest="hardware_types",
        metavar="NAMES",
        type=_names,
        default=(hardware_types.FAKE_HARDWARE,),
        help=f"some of {', '.join(hardware_types.TYPES)} (default: {hardware_types.FAKE_HARDWARE})",
    )
    for kind in sorted(hardware_types.KINDS):
        made.add_argument(
            f"--enabled-{kind}-interfaces",
            metavar="NAMES",
            type=_names,
            help="(default: those that come with the hardware types)",
        )
    made.add_argument(
        "--body-limit",
        type=_positive,
        default=1024 * 1024,
        metavar="BYTES",
        help="that the body of a request may have (default: 1 MiB)",
    )
    if not running:
        made.add_argument(
            "--workers",
            type=_positive,
            default=1,
            metavar="N",
            help="processes on the port, which share the database that --db names (default: 1)",
        )
    if running:
        made.add_argument(
            "--account",
            metavar="NAME",
            help="whose OS_ variables the command gets (default: those of the first account)",
        )
        made.add_argument("command", nargs="+", metavar="CMD", help="what to run, after --")
    return made


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


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
