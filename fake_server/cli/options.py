"""The options of ``baremetal-fake-server``, and the settings that they stand for."""

from __future__ import annotations

import argparse
import secrets
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Literal

from fake_server.baremetal import hardware_types, microversions, periodic
from fake_server.cli import defaults, values
from fake_server.cli.durations import seconds
from fake_server.cli.parsers import Parser
from fake_server.compute import microversions as compute_microversions
from fake_server.db.store import MEMORY
from fake_server.identity import accounts
from fake_server.settings import AGENTS, AUTH, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "baremetal-fake-server"
_SERVE = "Run a fake Ironic. The first line on standard output is its address."
_EXEC = (
    "Run a command beside a fake Ironic, with the OS_ variables that lead it there; with --auth, a "
    "clouds.yaml beside them."
)
_EPILOG = (
    f"Each option can also be set in the environment: --max-microversion by "
    f"{defaults.PREFIX}MAX_MICROVERSION, --automated-clean by "
    f"{defaults.PREFIX}AUTOMATED_CLEAN=true, and so on."
)
#: Names that documents have for network interfaces.
_PROVIDER_NAMES = {"none": "noop"}


def settings(options: argparse.Namespace) -> Settings:
    """Return the settings of parsed options; raise ValueError for an invalid file of accounts."""
    given = vars(options)
    names = [field.name for field in fields(Settings)]
    chosen = {name: given[name] for name in names if name in given and name != "host"} | {
        "interfaces": {
            kind: names
            for kind in hardware_types.KINDS
            if (names := given[f"enabled_{kind}_interfaces"]) is not None
        },
        "accounts": accounts.read(options.accounts) if options.accounts else accounts.DEFAULT,
        "control_token": _control_token(options),
        "periodic": dict(options.periodic),
        "tls": _tls(options),
    }
    return Settings(**chosen)


def _tls(options: argparse.Namespace) -> Literal["auto"] | tuple[str, str] | None:
    if options.tls_key and not options.tls_cert:
        raise ValueError("--tls-key needs --tls-cert.")
    if options.tls_cert:
        if options.tls:
            raise ValueError("--tls auto and --tls-cert exclude each other.")
        return options.tls_cert, options.tls_key or options.tls_cert
    return "auto" if options.tls else None


def _control_token(options: argparse.Namespace) -> str | None:
    """Return the token of the controls; one is made for a server that others can reach."""
    if options.control_token or options.host in ("127.0.0.1", "localhost", "::1"):
        return options.control_token or None
    token = secrets.token_urlsafe(16)
    print(f"baremetal-fake-server: the controls at /_fake/ need the token {token}", file=sys.stderr)
    return token


def parse(words: Sequence[str], *, running: bool = False) -> argparse.Namespace:
    """Return the options of a command line, of the environment and of the file of ``--config``.

    What is wrong ends the process with status 2.

    :param running: whether they are those of ``exec``.
    """
    others = defaults.named(_parser(running=not running))
    return defaults.parse(_parser(running=running), words, others)


def _parser(*, running: bool) -> Parser:
    """Return the parser; options of :class:`Settings` are stored under its names."""
    parser = Parser(
        prog=f"{NAME} exec" if running else f"{NAME} serve",
        usage="%(prog)s [OPTION ...] -- CMD [ARGUMENT ...]" if running else "%(prog)s [OPTION ...]",
        description=_EXEC if running else _SERVE,
        epilog=_EPILOG,
    )
    made: argparse._ActionsContainer = parser
    made.add_argument(
        "--config",
        metavar="FILE",
        help="a file in YAML with options by their names, such as 'max-microversion: 1.95'; those "
        "of the command line and of the environment win",
    )
    made = parser.add_argument_group("the address")
    made.add_argument("--host", default="127.0.0.1", help="address to listen on")
    made.add_argument(
        "--port", type=values.port, default=0 if running else 6385, help="0 for any free one"
    )
    made.add_argument(
        "--tls",
        choices=("auto",),
        help="speak HTTPS with a certificate that is made for localhost and --host; the "
        "certificate of its CA is named on standard error, and 'exec' sets OS_CACERT to it",
    )
    made.add_argument(
        "--tls-cert",
        metavar="FILE",
        help="speak HTTPS with this certificate, in PEM, with those of the CAs that clients don't "
        "know",
    )
    made.add_argument(
        "--tls-key",
        metavar="FILE",
        help="the private key of --tls-cert (default: in the same file)",
    )
    made = parser.add_argument_group("the database")
    made.add_argument(
        "--db", default=MEMORY, metavar="URL", help="SQLAlchemy URL; SQLite in memory by default"
    )
    made.add_argument(
        "--seed",
        metavar="FILE",
        help="a file in YAML or JSON whose lab is loaded into a new database",
    )
    made.add_argument(
        "--random-seed",
        type=int,
        metavar="N",
        help="give the same requests the same UUIDs, tokens, MAC addresses and request ids in each "
        "run",
    )
    made = parser.add_argument_group("the Bare Metal API")
    made.add_argument("--dialect", choices=("ironic", "spec"), default="ironic")
    made.add_argument(
        "--max-microversion",
        dest="max_minor",
        type=values.minor,
        default=microversions.MAXIMUM,
        metavar="1.N",
        help="the highest one that is offered",
    )
    made.add_argument(
        "--healthcheck",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="answer /healthcheck (Ironic: [healthcheck]enabled)",
    )
    made = parser.add_argument_group("who may come in")
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
    made = parser.add_argument_group("what happens to nodes")
    made.add_argument(
        "--delay",
        type=seconds,
        default=0.0,
        metavar="DURATION",
        help="of each transition of a node: 90, 90s, 500ms, 10m (default: 0)",
    )
    made.add_argument(
        "--automated-clean",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="make 'provide' pass through cleaning",
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
        "--deploy-http-url",
        default="http://127.0.0.1:8080",
        metavar="URL",
        help="where machines are told that the conductor serves images (Ironic: [deploy]http_url), "
        "'' for a conductor that serves none (default: http://127.0.0.1:8080)",
    )
    made.add_argument(
        "--default-network-provider",
        type=lambda name: _PROVIDER_NAMES.get(name, name),
        metavar="NAME",
        help="the network interface of nodes that are created without one",
    )
    made.add_argument("--provisioning-network", metavar="NAME|ID")
    made.add_argument("--cleaning-network", metavar="NAME|ID")
    made = parser.add_argument_group("Nova, Placement and volumes")
    made.add_argument(
        "--max-compute-microversion",
        dest="max_compute_minor",
        type=values.compute_minor,
        default=compute_microversions.MAXIMUM,
        metavar="2.N",
        help="the highest one of the Compute API that is offered",
    )
    made.add_argument(
        "--old-compute",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="simulate a compute service of Nova from before attach modes",
    )
    made.add_argument(
        "--show-volume-secrets",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="let volume targets show auth_password in clear text, as Ironic before 39 does",
    )
    made.add_argument(
        "--placement-sync",
        type=seconds,
        default=5.0,
        metavar="DURATION",
        help="between two reports of all nodes to Placement, which undo what was edited there by "
        "hand (default: 5s)",
    )
    made = parser.add_argument_group("the hardware")
    made.add_argument(
        "--enabled-hardware-types",
        dest="hardware_types",
        metavar="NAMES",
        type=values.names,
        default=(),
        help=f"some of {', '.join(hardware_types.TYPES)} (default: all of them that have an "
        "enabled interface of each kind)",
    )
    for kind in sorted(hardware_types.KINDS):
        made.add_argument(
            f"--enabled-{kind}-interfaces",
            metavar="NAMES",
            type=values.names,
            help="(default: those that come with the hardware types)",
        )
    made = parser.add_argument_group("the conductors")
    made.add_argument(
        "--conductors",
        metavar="HOST[:GROUP[:TYPES]],…",
        type=values.conductors,
        default=(),
        help="their names, the conductor group of each, and its hardware types if not all that are "
        "enabled: host1:rack1,host2:rack1:ipmi+redfish,host3 (default: localhost)",
    )
    made.add_argument(
        "--periodic",
        metavar="NAME=DURATION",
        type=values.periodic,
        action="extend",
        default=[],
        help="an option of Ironic's periodic tasks, 0 to turn it off; 'all' stands for all; may be "
        f"given more than once: {', '.join(periodic.DEFAULTS)} (default: as in Ironic)",
    )
    made = parser.add_argument_group("requests")
    made.add_argument(
        "--body-limit",
        type=values.positive,
        default=1024 * 1024,
        metavar="BYTES",
        help="that the body of a request may have (default: 1 MiB)",
    )
    if not running:
        made.add_argument(
            "--workers",
            type=values.positive,
            default=1,
            metavar="N",
            help="processes on the port, which share the database that --db names (default: 1)",
        )
    made = parser.add_argument_group("the command")
    if running:
        made.add_argument(
            "--account",
            metavar="NAME",
            help="whose OS_ variables the command gets, on its project (default: those of the "
            "first account, on the whole system where it has a role there)",
        )
        made.add_argument("command", nargs="+", metavar="CMD", help="what to run, after --")
    return parser
