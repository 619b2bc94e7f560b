"""The options of ``baremetal-fake-server``, and the settings made from them."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING, Literal

from fake_server.baremetal import hardware_types, microversions, periodic
from fake_server.cli import defaults, values
from fake_server.cli.durations import seconds
from fake_server.cli.messages import tell
from fake_server.cli.parsers import Parser
from fake_server.compute import microversions as compute_microversions
from fake_server.control import guard
from fake_server.db.store import MEMORY
from fake_server.identity import accounts
from fake_server.settings import AGENTS, AUTH, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "baremetal-fake-server"
_SERVE = "Run a fake Ironic. The first line on standard output is its URL."
_EXEC = (
    "Start a fake Ironic, run a command against it, and stop it. The OS_ variables of the command, "
    "and with --auth a clouds.yaml, are for this server."
)
_EPILOG = (
    f"Each option can also be set in the environment, such as --max-microversion by "
    f"{defaults.PREFIX}MAX_MICROVERSION and --automated-clean by "
    f"{defaults.PREFIX}AUTOMATED_CLEAN=true."
)
#: Names of network interfaces in the specifications that differ from those of Ironic.
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
            raise ValueError("--tls auto and --tls-cert cannot be used together.")
        return options.tls_cert, options.tls_key or options.tls_cert
    return "auto" if options.tls else None


def _control_token(options: argparse.Namespace) -> str | None:
    token = guard.token_for(options.host, options.control_token)
    if token and not options.control_token:
        text = f"the controls at /_fake/ need the token {token}"
        tell(text)
    return token


def parse(words: Sequence[str], *, running: bool = False) -> argparse.Namespace:
    """Return the options of a command line, of the environment and of the file of ``--config``.

    An invalid option ends the process with exit code 2.

    :param running: whether the command is ``exec``.
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
        help="YAML file with options, such as 'max-microversion: 1.95'; the command line and the "
        "environment take precedence",
    )
    made = parser.add_argument_group("address")
    made.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
    )
    made.add_argument(
        "--port",
        type=values.port,
        default=0 if running else 6385,
        help=f"port to listen on, 0 for any free one (default: {0 if running else 6385})",
    )
    made.add_argument(
        "--tls",
        choices=("auto",),
        help="serve HTTPS with a new certificate for localhost and --host; standard error names "
        "the file of its CA, and 'exec' sets OS_CACERT to it",
    )
    made.add_argument(
        "--tls-cert",
        metavar="FILE",
        help="serve HTTPS with this certificate: a PEM file that also has the intermediate "
        "certificates",
    )
    made.add_argument(
        "--tls-key",
        metavar="FILE",
        help="private key of --tls-cert, in PEM (default: in the file of --tls-cert)",
    )
    made = parser.add_argument_group("database")
    made.add_argument(
        "--db", default=MEMORY, metavar="URL", help="SQLAlchemy URL (default: SQLite in memory)"
    )
    made.add_argument(
        "--seed",
        metavar="FILE",
        help="YAML or JSON file with a lab, which is loaded into a new database",
    )
    made.add_argument(
        "--random-seed",
        type=int,
        metavar="N",
        help="give the same requests the same UUIDs, tokens, MAC addresses and request ids in each "
        "run",
    )
    made = parser.add_argument_group("Bare Metal API")
    made.add_argument(
        "--dialect",
        choices=("ironic", "spec"),
        default="ironic",
        help="answer as the released Ironic, or as its specifications (default: ironic)",
    )
    made.add_argument(
        "--max-microversion",
        dest="max_minor",
        type=values.minor,
        default=microversions.MAXIMUM,
        metavar="1.N",
        help="newest version of the Bare Metal API to offer (default: that of Ironic 39)",
    )
    made.add_argument(
        "--healthcheck",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="serve /healthcheck (in Ironic: [healthcheck]enabled)",
    )
    made = parser.add_argument_group("authentication")
    made.add_argument(
        "--auth",
        choices=AUTH,
        default="none",
        help="how requests are authenticated: not at all, with a token of the server's own "
        "Keystone, or with user name and password (default: none)",
    )
    made.add_argument(
        "--accounts",
        metavar="FILE",
        help="YAML or JSON file with the users, their passwords and roles (default: the users in "
        "the documentation)",
    )
    made.add_argument(
        "--control-token",
        metavar="TOKEN",
        help="token that /_fake/ requires in X-Fake-Token (default: none on the loopback "
        "interface, else a random one that is printed on standard error)",
    )
    made = parser.add_argument_group("nodes")
    made.add_argument(
        "--delay",
        type=seconds,
        default=0.0,
        metavar="DURATION",
        help="duration of each transition of a node, and of creating a volume, such as 90, 90s, "
        "500ms or 10m (default: 0)",
    )
    made.add_argument(
        "--automated-clean",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="clean nodes at 'provide' and 'undeploy' (in Ironic: [conductor]automated_clean)",
    )
    made.add_argument(
        "--agent",
        choices=AGENTS,
        default="none",
        help="none: no agent can be booted; external: another program sends their heartbeats; "
        "simulated: the server simulates them (default: none)",
    )
    made.add_argument(
        "--agent-without-tls",
        dest="agent_tls",
        action="store_false",
        help="accept agents with http:// URLs (in Ironic: [agent]require_tls = false)",
    )
    made.add_argument(
        "--deploy-http-url",
        default="http://127.0.0.1:8080",
        metavar="URL",
        help="URL from which machines fetch images (in Ironic: [deploy]http_url), '' for a "
        "conductor that serves none (default: http://127.0.0.1:8080)",
    )
    made.add_argument(
        "--default-network-provider",
        type=lambda name: _PROVIDER_NAMES.get(name, name),
        metavar="NAME",
        help="network interface of nodes that are created without one",
    )
    for use in ("provisioning", "cleaning"):
        made.add_argument(
            f"--{use}-network",
            metavar="NAME|ID",
            help=f"network for {use}, created if it does not exist",
        )
    made = parser.add_argument_group("Nova, Placement and volumes")
    made.add_argument(
        "--max-compute-microversion",
        dest="max_compute_minor",
        type=values.compute_minor,
        default=compute_microversions.MAXIMUM,
        metavar="2.N",
        help="newest version of the Compute API to offer (default: 2.105)",
    )
    made.add_argument(
        "--old-compute",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="simulate a Nova compute service that is too old for attach modes",
    )
    made.add_argument(
        "--show-volume-secrets",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="show auth_password of volume targets in clear text, as Ironic before 39 does",
    )
    made.add_argument(
        "--placement-sync",
        type=seconds,
        default=5.0,
        metavar="DURATION",
        help="interval of the reports of all nodes to Placement, which undo changes made there by "
        "hand (default: 5s)",
    )
    made = parser.add_argument_group("hardware")
    made.add_argument(
        "--enabled-hardware-types",
        dest="hardware_types",
        metavar="NAMES",
        type=values.names,
        default=(),
        help=f"hardware types, separated by commas: {', '.join(hardware_types.TYPES)} (default: "
        "all that have an enabled interface of each kind)",
    )
    for kind in sorted(hardware_types.KINDS):
        made.add_argument(
            f"--enabled-{kind}-interfaces",
            metavar="NAMES",
            type=values.names,
            help=f"{kind} interfaces, separated by commas (default: those of the hardware types)",
        )
    made = parser.add_argument_group("conductors")
    made.add_argument(
        "--conductors",
        metavar="HOST[:GROUP[:TYPES]],…",
        type=values.conductors,
        default=(),
        help="host name of each conductor, and optionally its conductor group and its hardware "
        "types, such as host1:rack1,host2:rack1:ipmi+redfish,host3 (default: localhost)",
    )
    made.add_argument(
        "--periodic",
        metavar="NAME=DURATION",
        type=values.periodic,
        action="extend",
        default=[],
        help="option of Ironic's periodic tasks, 0 to turn it off. Can be repeated. "
        f"NAME is 'all' or one of {', '.join(periodic.DEFAULTS)} (default: as in Ironic)",
    )
    made = parser.add_argument_group("requests")
    made.add_argument(
        "--body-limit",
        type=values.positive,
        default=1024 * 1024,
        metavar="BYTES",
        help="maximum size of a request body (default: 1 MiB)",
    )
    if not running:
        made.add_argument(
            "--workers",
            type=values.positive,
            default=1,
            metavar="N",
            help="number of processes that serve the port; more than one need --db (default: 1)",
        )
    made = parser.add_argument_group("command")
    if running:
        made.add_argument(
            "--account",
            metavar="NAME",
            help="account of the command's OS_ variables, with its project (default: the first "
            "account, on the whole system if it has a role there)",
        )
        made.add_argument("command", nargs="+", metavar="CMD", help="command to run, after --")
    return parser
