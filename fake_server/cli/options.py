"""The options of ``baremetal-fake-server``, and the settings made from them."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Literal

from fake_server import cloud_config
from fake_server.baremetal import hardware_types
from fake_server.baremetal.api.policies import POLICIES
from fake_server.cli import defaults, values
from fake_server.cli.durations import seconds
from fake_server.cli.messages import tell
from fake_server.cli.parsers import Parser
from fake_server.common import policies, timing
from fake_server.common.setting_error import SettingError
from fake_server.control import guard
from fake_server.db.store import MEMORY
from fake_server.identity import accounts
from fake_server.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    #: Its group in the help, its name and what it takes, its help, and more for argparse.
    _Option = tuple[str, str, str, dict[str, Any]]

NAME = "baremetal-fake-server"
#: The port of Ironic.
SERVED = 6385
#: The default port of each command, and how the help calls it; that of ``twin`` depends on CMD.
_PORTS: Mapping[str, tuple[int | None, str]] = {
    "serve": (SERVED, f"{SERVED}"),
    "exec": (0, "0"),
    "twin": (None, f"{SERVED}, or 0 for a command"),
}
_SERVE = "Run a fake Ironic. The first line on standard output is its URL."
_EXEC = (
    "Start a fake Ironic, run a command against it, and stop it. The OS_ variables of the command, "
    "and with --auth a clouds.yaml, are for this server."
)
_TWIN = (
    "Capture an Ironic, and start a fake one with the same lab, version and drivers: to serve it, "
    "or to run a command against it, as 'exec' does. The Ironic is only read; it masks its secrets."
)
#: What each command that runs a server takes beside options, and its description.
_COMMANDS: Mapping[str, tuple[str, str]] = {
    "serve": ("", _SERVE),
    "exec": (" -- CMD [ARGUMENT ...]", _EXEC),
    "twin": (" [-- CMD [ARGUMENT ...]]", _TWIN),
}
_EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "serve": (f"{NAME} --port 0 --seed lab.yaml", f"{NAME} --auth keystone --clock manual"),
    "exec": (
        f"{NAME} exec --seed lab.yaml -- baremetal node list",
        f"{NAME} exec --auth keystone --account system-reader -- ./my-tests.sh",
        f"{NAME} exec --sweep --sweep-kinds lost-answer,killed -- ./provision-rack.sh",
    ),
    "twin": (f"{NAME} twin --os-cloud production -- baremetal apply lab.yaml",),
}
_EPILOG = (
    f"Each option can also be set in the environment, such as --max-microversion by "
    f"{defaults.PREFIX}MAX_MICROVERSION and --automated-clean by "
    f"{defaults.PREFIX}AUTOMATED_CLEAN=true; only 'serve' takes its port from there."
)
#: What is done with a database that has the schema of another version, by the option for it.
_UPGRADES = {
    "migrate": "carry a database of another version of the fake server over, if that is possible",
    "fresh": "remove all that is in a database of another version of the fake server",
}
#: How a value is parsed by the word that stands for it, and what the help says of its form.
_FORMS: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "1.N": (values.minor, ""),
    "2.N": (values.compute_minor, ""),
    "ARCH:URL,…": (values.by_architecture, ""),
    "BYTES": (values.whole(1), ""),
    "DELAY": (values.delay, f"; it can be {timing.FORMS}".replace("%", "%%")),
    "DURATION": (seconds, "; or a duration such as 90s, 500ms or 10m"),
    "CMD": (str, ""),
    "DIR": (values.folder, ""),
    "FILE": (values.file, ""),
    "HOST": (values.host, ""),
    "HOST[:GROUP[:TYPES]],…": (values.conductors, ""),
    "ID": (values.case, ""),
    "KINDS": (values.kinds, ""),
    "MODE|FACTOR": (values.clock, ""),
    "LEVELS": (values.whole(8, 1000), ""),
    "N": (values.whole(0), ""),
    "NAME": (values.name, ""),
    "NAME|ID": (values.name, ""),
    "NAME=like:TYPE": (values.hardware_type, ""),
    "NAME=DURATION": (values.periodic, ""),
    "NAMES": (values.names, "; separated by commas"),
    "ORIGINS": (values.origins, "; separated by commas"),
    "PATTERNS": (values.patterns, ""),
    "PORT": (values.whole(0, 65535), ""),
    "STEPS": (values.steps, "; separated by commas"),
    "TOKEN": (values.token, ""),
    "URL": (values.url, ""),
    "VERDICTS": (values.verdicts, ""),
}


def settings(options: argparse.Namespace) -> Settings:
    """Return the settings of parsed options; raise ValueError for what can't be."""
    given = {name: value for name, value in vars(options).items() if value is not None}
    chosen = {field.name: given.get(field.name) for field in fields(Settings)} | {
        "host": None,
        "interfaces": {
            kind: given[name]
            for kind in hardware_types.KINDS
            if (name := f"interfaces.{kind}") in given
        },
        "accounts": accounts.read(options.accounts) if options.accounts else None,
        "added_hardware_types": dict(options.added_hardware_types or ()),
        "policies": _policies(options.policies) if options.policies else None,
        "control_token": _control_token(options),
        "periodic": dict(options.periodic or ()),
        "tls": _tls(options),
    }
    made = Settings(**{name: value for name, value in chosen.items() if value is not None})
    cloud_config.check(made, given.get("account"))
    return made


def refused(options: argparse.Namespace, error: SettingError) -> int:
    """Tell which option, variable or key of the file can't be, and why; return the exit status."""
    tell(f"{options.places.get(error.setting, error.setting)}: {error}")
    return 2


def _policies(path: str) -> dict[str, str]:
    """Return the checks of a policy file that aren't those of Ironic."""
    found = policies.read(path, POLICIES).rules
    return {name: rule.check for name, rule in found.items() if rule != POLICIES.rules.get(name)}


def _tls(options: argparse.Namespace) -> Literal["auto"] | tuple[str, str] | None:
    if options.tls_key and not options.tls_cert:
        raise SettingError("tls_key", "It needs --tls-cert.")
    if options.tls_cert:
        if options.tls:
            raise SettingError("tls", "It cannot be used together with --tls-cert.")
        return options.tls_cert, options.tls_key or options.tls_cert
    return "auto" if options.tls else None


def _control_token(options: argparse.Namespace) -> str | None:
    token = guard.token_for(options.host, options.control_token)
    if token and not options.control_token:
        text = f"the controls at /_fake/ need the token {token}"
        tell(text)
    return token


def parse(words: Sequence[str], command: str = "serve") -> argparse.Namespace:
    """Return the options of a command line, of the environment and of the file of ``--config``.

    An invalid option ends the process with exit code 2.

    :param command: ``serve``, ``exec`` or ``twin``.
    """
    others = defaults.named(parser("exec" if command == "serve" else "serve"))
    # A port that is fixed for a server isn't for the one that a command gets.
    only_asked = () if command == "serve" else ("port",)
    return defaults.parse(parser(command), words, others, only_asked)


def parser(command: str) -> Parser:
    """Return the parser of a command; options of :class:`Settings` are stored under its names."""
    rest, description = _COMMANDS[command]
    made = Parser(
        prog=f"{NAME} {command}",
        usage=f"%(prog)s [OPTION ...]{rest}",
        description=description,
        epilog=_EPILOG,
    )
    made.examples = _EXAMPLES[command]
    made.set_defaults(command=None)
    groups: dict[str, argparse._ActionsContainer] = {"": made}
    for group, option, text, more in _options(command):
        if group not in groups:
            groups[group] = made.add_argument_group(group)
        name, _, form = option.partition(" ")
        how: dict[str, Any] = {}
        if form.islower():
            how["choices"] = form.split("|")
        elif form:
            how = {"metavar": form, "type": _FORMS[form][0]}
        groups[group].add_argument(name, **how | more, help=text)
    if command == "twin":
        # Imported here, because it sends requests, which the other commands don't.
        from fake_server.cli import capture

        capture.add_arguments(made.add_argument_group("source"), url="--url")
    return made


def _options(command: str) -> Iterator[_Option]:
    yield (
        *("", "--config FILE"),
        "YAML file with options, such as 'max-microversion: 1.95'; the command line and the "
        "environment take precedence",
        {},
    )
    text = "address to listen on (default: %(default)s)"
    yield "address", "--host HOST", text, {"default": "127.0.0.1"}
    port, shown = _PORTS[command]
    text = f"port to listen on, 0 for any free one (default: {shown})"
    yield "address", "--port PORT", text, {"default": port}
    text = "serve HTTPS with this certificate: a PEM file that also has the intermediate "
    yield "address", "--tls-cert FILE", f"{text}certificates", {}
    text = "private key of --tls-cert, in PEM (default: in the file of --tls-cert)"
    yield "address", "--tls-key FILE", text, {}
    how = {"default": MEMORY, "type": values.database}
    yield "database", "--db URL", "SQLAlchemy URL (default: SQLite in memory)", how
    for word, text in _UPGRADES.items():
        how = {"action": "store_const", "const": word, "dest": "upgrade", "default": "refuse"}
        yield "database", f"--{word}", text, how
    if command != "twin":
        text = "YAML or JSON file with a lab, which is loaded into a new database"
        yield "database", "--seed FILE", text, {}
    yield (
        *("nodes", "--clock MODE|FACTOR"),
        "auto: time stands still until a client waits, and jumps to what it waits for; manual: it "
        "stands still; a factor: it runs so many times as fast (default: real)",
        {},
    )
    yield from _of_settings()
    if command != "serve":
        yield (
            *("command", "--account NAME"),
            "account of the command's OS_ variables, with its project (default: the first account, "
            "on the whole system if it has a role there)",
            {},
        )
        if command == "exec":
            yield from _of_sweeps()
        number = {"nargs": "+" if command == "exec" else "*"}
        yield "command", "command CMD", "command to run, after --", number
    if command != "exec":
        text = "number of processes that serve the port; more than one need --db (default: 1)"
        yield "requests", "--workers N", text, {"default": 1, "type": values.whole(1)}


def _of_sweeps() -> Iterator[_Option]:
    """Yield the options of a sweep."""
    text = "run CMD once for each of its requests and each way in which that can go wrong"
    yield "sweep", "--sweep", text, {"action": "store_true"}
    for option, text in (
        ("--sweep-kinds KINDS", "only these kinds of faults"),
        ("--sweep-routes PATTERNS", "only requests such as 'POST /v1/nodes*'"),
        ("--sweep-allow VERDICTS", "verdicts that are no findings, beside survived, not-reached"),
    ):
        yield "sweep", option, f"{text}; separated by commas", {}
    positive, limit = {"type": values.whole(1)}, {"type": values.time_limit}
    for option, text, more in (
        ("--sweep-limit N", "run at most N cases", positive),
        ("--sweep-jobs N", "run N at a time (default: the cores)", positive),
        ("--sweep-timeout DURATION", "time of a run (default: 10 times a clean one)", limit),
        ("--sweep-seed N", "seed of what is random (default: 0)", {}),
        ("--sweep-baseline FILE", "an earlier sweep.json, whose findings are known", {}),
        ("--sweep-report DIR", "folder for the results (default: sweep)", {}),
        ("--sweep-case ID", "run only this case, and show what it prints", {}),
        ("--resume", "run only what isn't in the report yet", {"action": "store_true"}),
    ):
        yield "sweep", option, text, more


def _of_settings() -> Iterator[_Option]:
    """Yield the options of :class:`Settings`; they have no default, which is left to its fields."""
    for field in fields(Settings):
        told, option = field.metadata, field.metadata["option"]
        if not option:
            continue
        form = option.partition(" ")[2]
        text = f"{told['text']}{_FORMS[form][1] if form in _FORMS else ''}{told['default']}"
        more: dict[str, Any] = {"default": None}
        if not form:
            more["action"] = "store_false" if field.default else argparse.BooleanOptionalAction
        elif form.startswith("NAME="):
            more["action"] = "extend"
        for kind in sorted(hardware_types.KINDS) if "{kind}" in option else [""]:
            more["dest"] = f"{field.name}.{kind}" if kind else field.name
            yield told["group"], option.format(kind=kind), text.format(kind=kind), more
