"""The plugin of OpenStackClient: global options and the client of the Bare Metal service.

Every ``openstack`` command imports this module, so it imports nothing that takes long.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from baremetalclient.v1.client import Client

API_NAME = "baremetal"
API_VERSION_OPTION = "os_baremetal_api_version"
DEFAULT_API_VERSION = "1"
OTHER_PLUGIN = "ironicclient.osc.plugin"
"""The plugin of python-ironicclient, which provides the same commands."""

NEWEST = "1"
"""The newest version that client and server support; OpenStackClient does not accept 'latest'."""

_BOTH_INSTALLED = (
    "Both baremetalclient and python-ironicclient are installed; baremetalclient is used. "
    "To remove the other one: pip uninstall python-ironicclient; "
    "pip install --force-reinstall --no-deps baremetalclient"
)
_VERSION = re.compile(r"1(\.[0-9]{1,4})?")


def make_client(instance: Any) -> Client:
    """Return the client for OpenStackClient.

    :param instance: the client manager, which holds the session and the options.
    """
    from baremetalclient.client import get_client

    if OTHER_PLUGIN in sys.modules:
        logging.getLogger(__name__).warning(_BOTH_INSTALLED)
    region = instance.region_name
    requested = instance._api_version[API_NAME]
    if requested == NEWEST:
        requested = instance._cli_options.get_default_microversion(API_NAME)
    return get_client(
        1,
        session=instance.session,
        os_ironic_api_version=requested,
        endpoint=instance.get_endpoint_for_service_type(
            API_NAME, interface=instance.interface, region_name=region
        ),
        interface=instance.interface,
        region_name=region,
    )


def check_api_version(version: str) -> bool:
    """Check the version in a configuration file.

    :param version: a version, such as ``1.67``, or ``1`` for the newest.
    :returns: True, which means that there is nothing more to check.
    :raises CommandError: if the version is invalid.
    """
    if not _VERSION.fullmatch(version):
        from baremetalclient.exc import CommandError

        raise CommandError(_invalid_version(version))
    return True


def build_option_parser(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the global options of the Bare Metal service."""
    logging.getLogger("osc_lib.shell").addFilter(hide_secrets)
    place: argparse.ArgumentParser | argparse._ArgumentGroup = parser
    if OTHER_PLUGIN in sys.modules:
        from baremetalclient.osc.both_installed import disable_other_plugin

        disable_other_plugin(sys.modules[OTHER_PLUGIN], API_NAME, make_client)
        place = parser.add_argument_group(conflict_handler="resolve")
    add_api_version(place, metavar="<baremetal-api-version>", default=None)
    return parser


def add_api_version(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup, *, metavar: str, default: str | None
) -> None:
    """Add ``--os-baremetal-api-version``."""
    parser.add_argument(
        "--os-baremetal-api-version",
        metavar=metavar,
        type=api_version,
        default=os.environ.get("OS_BAREMETAL_API_VERSION") or default,
        help="Version of the Bare Metal API, such as 1.67, or 'latest' (default): the newest that "
        "both client and server know. (Env: OS_BAREMETAL_API_VERSION)",
    )


def api_version(text: str) -> str:
    """Return the value of ``--os-baremetal-api-version``.

    :param text: ``latest``, ``1`` or ``1.N``.
    :returns: the version, or `NEWEST`.
    :raises ArgumentTypeError: if it is none of these.
    """
    if text == "latest":
        return NEWEST
    if not _VERSION.fullmatch(text):
        raise argparse.ArgumentTypeError(_invalid_version(text))
    return text


def hide_secrets(record: logging.LogRecord) -> bool:
    """Mask secrets in a log record that shows a command line.

    OpenStackClient logs all arguments, and recognizes few of the secrets in them.

    :param record: the record, which is changed.
    :returns: True, which means that the record is logged.
    """
    from baremetalclient._http.escapes import printable
    from baremetalclient._http.redact import masked_command_line

    record.msg, record.args = printable(masked_command_line(record.getMessage())), ()
    return True


def _invalid_version(text: str) -> str:
    return f"Invalid API version {text!r}. Use 'latest', '1', or a version such as '1.67'."
