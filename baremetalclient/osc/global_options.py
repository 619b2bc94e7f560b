"""Global options of the standalone ``baremetal``: the service and authentication.

Each option has an environment variable with the same name. Options for authentication are those of
the plugins of keystoneauth1.
"""

from __future__ import annotations

import argparse
import itertools
import os
from typing import TYPE_CHECKING, Any

from baremetalclient.osc import argument_types
from baremetalclient.osc.command_table import command_in
from baremetalclient.osc.plugin import NEWEST, add_api_version

if TYPE_CHECKING:
    from baremetalclient._http.retry import Deadline
    from baremetalclient.v1.client import Client

AUTHENTICATION = {
    "auth-type": "Authentication plugin, such as none, http_basic, password, token or "
    "v3applicationcredential. By default chosen by the other options",
    "auth-url": "URL of the identity service",
    "username": "User name",
    "user-id": "User ID",
    "user-domain-name": "Name of the user's domain",
    "user-domain-id": "ID of the user's domain",
    "password": "Password of the user",
    "passcode": "One-time password of the user",
    "token": "Token",
    "project-name": "Project to act in, by name",
    "project-id": "Project to act in, by ID",
    "project-domain-name": "Name of the project's domain",
    "project-domain-id": "ID of the project's domain",
    "domain-name": "Domain to act on, by name",
    "domain-id": "Domain to act on, by ID",
    "default-domain": "Domain of users and projects for which none is given, by name or ID",
    "default-domain-name": "Domain of users and projects for which none is given, by name",
    "default-domain-id": "Domain of users and projects for which none is given, by ID",
    "system-scope": "'all' to act on the whole system",
    "trust-id": "Trust to act by",
    "application-credential-id": "Application credential, by ID",
    "application-credential-name": "Application credential, by name",
    "application-credential-secret": "Secret of the application credential",
}
SERVICE = {
    "cloud": "Cloud in clouds.yaml with all settings",
    "endpoint": "URL of the Bare Metal service, sufficient without authentication",
    "endpoint-override": "Same as --os-endpoint",
    "service-type": "Type of the service in the catalog, 'baremetal' by default",
    "service-name": "Name of the service in the catalog",
    "interface": "Interface of the service in the catalog: public, internal or admin",
    "region-name": "Region of the service in the catalog",
    "cacert": "File of certificates to trust",
    "cert": "File with a client certificate",
    "key": "File with the key of the client certificate",
}
_OLDER_VARIABLES = ("auth_token", "tenant_id", "tenant_name", "user_name")
"""Environment variables for the token, project and user with the names of older tools."""
_BESIDE_A_CLOUD = {
    *("service_type", "service_name", "interface", "region_name", "cacert", "cert", "key")
}


def add_options(parser: argparse.ArgumentParser, argv: list[str]) -> None:
    """Add the options.

    :param argv: the arguments; the authentication plugin that they name adds its options.
    """
    service = parser.add_argument_group("service")
    for name, text in SERVICE.items():
        _add(service, name, text)
    add_api_version(service, metavar="<version>", default=NEWEST)
    _add_transport(service)
    service.add_argument(
        "--timing",
        "--collect-timing",
        action="store_true",
        help="Print how long each request took.",
    )
    authentication = parser.add_argument_group("authentication")
    for name, text in AUTHENTICATION.items():
        _add(authentication, name, text)
    for name, text in _options_of_plugin(_named_plugin(argv)).items():
        _add(authentication, name, text)


def split_own_timeout(
    parser: argparse.ArgumentParser, argv: list[str]
) -> tuple[list[str], list[str]]:
    """Return the arguments without the ``--timeout`` of a command that has its own, and that.

    The global options are taken wherever they stand, so this one would be taken, too.
    """
    others: list[str] = []
    own: list[str] = []
    words = iter(argv)
    for word in words:
        option, equals, _ = word.partition("=")
        is_timeout = option.startswith("--timeo") and "--timeout".startswith(option)
        command = command_in(parser.parse_known_args(others)[1]) if is_timeout else []
        if command[-1:] in (["wait"], ["watch"]):
            own += [word] if equals else [word, *itertools.islice(words, 1)]
        else:
            others.append(word)
    return others, own


def make_client(options: argparse.Namespace, deadline: Deadline | None = None) -> Client:
    """Return the client for the options and the environment.

    :param deadline: when all requests have to be over, None for no limit.
    :raises AmbiguousAuthSystem: if they are not sufficient.
    """
    from baremetalclient.client import get_client

    given: dict[str, Any] = {
        name.removeprefix("os_"): value
        for name, value in vars(options).items()
        if name.startswith("os_") and value
    }
    given = _environment(given) | given
    version = given.pop("baremetal_api_version")
    return get_client(
        1,
        os_ironic_api_version=None if version == NEWEST else version,
        max_retries=options.max_retries,
        retry_interval=options.retry_interval,
        timeout=options.timeout,
        deadline=deadline,
        insecure=options.insecure or None,
        **given,
    )


def _environment(given: dict[str, Any]) -> dict[str, str]:
    """Return the options in the environment.

    Other programs use variables that begin with ``OS_`` too, so only known ones are read. If a
    cloud is chosen, its endpoint and its user take precedence.
    """
    plugin = given.get("auth_type") or os.environ.get("OS_AUTH_TYPE")
    known = (*AUTHENTICATION, *SERVICE, *_options_of_plugin(plugin), *_OLDER_VARIABLES)
    names = (name.replace("-", "_") for name in known)
    found = {name: os.environ.get(f"OS_{name.upper()}", "") for name in names}
    found = {name: value for name, value in found.items() if value}
    if {"endpoint", "endpoint_override"} & set(given):
        found.pop("cloud", None)
    cloud = given.get("cloud") or found.get("cloud")
    if cloud:
        found = {name: value for name, value in found.items() if name in _BESIDE_A_CLOUD}
        found["cloud"] = cloud
    return found


def _add(group: argparse._ArgumentGroup, name: str, text: str) -> None:
    variable = f"OS_{name.replace('-', '_').upper()}"
    group.add_argument(f"--os-{name}", metavar=f"<{name}>", help=f"{text}. (Env: {variable})")


def _add_transport(group: argparse._ArgumentGroup) -> None:
    verify = group.add_mutually_exclusive_group()
    verify.add_argument(
        "--insecure",
        action="store_true",
        default=_boolean_variable("OS_INSECURE"),
        help="Don't verify the certificate of the server. (Env: OS_INSECURE)",
    )
    verify.add_argument(
        "--verify",
        dest="insecure",
        action="store_false",
        help="Verify the certificate of the server (default).",
    )
    group.add_argument(
        "--timeout",
        metavar="<duration>",
        type=argument_types.seconds,
        help="Time to wait for a connection and between bytes of a response, such as 90 or 2m "
        "(default: 120 seconds).",
    )
    group.add_argument(
        "--deadline",
        metavar="<duration>",
        type=argument_types.duration,
        help="Time after which the command ends, whatever it is doing: a number of seconds, or "
        "with a unit, such as 10m. Nothing more is started, reports are written, and the exit code "
        "is 124.",
    )
    group.add_argument(
        "--max-retries",
        metavar="<max-retries-number>",
        type=argument_types.non_negative_int,
        help="Maximum number of retries if a node is locked or the service is unavailable.",
    )
    group.add_argument(
        "--retry-interval",
        metavar="<duration>",
        type=argument_types.seconds,
        help="Time before the first retry, such as 0.5 or 10s.",
    )


def _boolean_variable(variable: str) -> bool:
    try:
        return argument_types.boolean(os.environ.get(variable) or "no")
    except argparse.ArgumentTypeError:
        return False


def _named_plugin(argv: list[str]) -> str | None:
    pre_parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    pre_parser.add_argument("--os-auth-type", default=os.environ.get("OS_AUTH_TYPE"))
    try:
        found: str | None = pre_parser.parse_known_args(argv)[0].os_auth_type
    except argparse.ArgumentError:
        return None
    return found


def _options_of_plugin(name: str | None) -> dict[str, str]:
    """Return the options of an authentication plugin that most others do not have."""
    common = {"none", "noauth", "http_basic", "admin_token", "password", "v3password", "token"}
    if not name or name in {*common, "v3token", "v3applicationcredential"}:
        return {}
    from baremetalclient._http.session import plugin_options

    return {
        option.name: (option.help or option.name).rstrip(".")
        for option in plugin_options(name)
        if option.name not in {*AUTHENTICATION, *SERVICE}
    }
