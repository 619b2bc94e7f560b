"""The plugin of OpenStackClient: options and a client for the bare metal service.

Every ``openstack`` command imports this module, whatever it is about, so it imports nothing that
costs time.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from baremetalclient.v1.client import Client

API_NAME = "baremetal"
API_VERSION_OPTION = "os_baremetal_api_version"
DEFAULT_API_VERSION = "1"

NEWEST = "1"
"""Stands for the newest version that both sides know: OpenStackClient can't do with 'latest'."""

_VERSION = re.compile(r"1(\.[0-9]{1,4})?")
_TELLTALE = r"[\w./-]*(?:passw|secret|token|credential|chap|auth_user|private_key)[\w./-]*"
_SECRET_WORD = re.compile(
    rf"(--{_TELLTALE}[ =]|{_TELLTALE}:?=)('[^']*'|\"[^\"]*\"|[^\s,)]+)", re.IGNORECASE
)


def make_client(instance: Any) -> Client:
    """Return the client for OpenStackClient.

    :param instance: the client manager, which holds the session and the options.
    :returns: the client.
    """
    from baremetalclient.client import get_client

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
    """Check the version that a configuration file asks for.

    :param version: a version, such as ``1.67``, or ``1`` for the newest.
    :returns: that there is nothing more to check.
    :raises CommandError: it is no version.
    """
    if not _VERSION.fullmatch(version):
        from baremetalclient.exc import CommandError

        raise CommandError(_no_version(version))
    return True


def build_option_parser(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Add the options of the bare metal service to those that every command has.

    :param parser: the parser of ``openstack``.
    :returns: the same.
    """
    logging.getLogger("osc_lib.shell").addFilter(hide_secrets)
    parser.add_argument(
        "--os-baremetal-api-version",
        metavar="<baremetal-api-version>",
        type=api_version,
        default=os.environ.get("OS_BAREMETAL_API_VERSION") or None,
        help="Version of the Bare Metal API, such as 1.67, or 'latest' (default): the newest that "
        "both client and server know. (Env: OS_BAREMETAL_API_VERSION)",
    )
    return parser


def api_version(text: str) -> str:
    """Read the value of ``--os-baremetal-api-version``.

    :param text: ``latest``, ``1`` or ``1.N``.
    :returns: the version, or `NEWEST`.
    :raises ArgumentTypeError: it is none of these.
    """
    if text == "latest":
        return NEWEST
    if not _VERSION.fullmatch(text):
        raise argparse.ArgumentTypeError(_no_version(text))
    return text


def hide_secrets(record: logging.LogRecord) -> bool:
    """Mask what looks like a secret in a line of the log that shows a command line.

    OpenStackClient logs all arguments, and knows little of how secrets are spelled in them.

    :param record: the line, which is changed.
    :returns: that the line is to be logged.
    """
    from baremetalclient._http.text import printable

    record.msg, record.args = printable(_SECRET_WORD.sub(r"\1***", record.getMessage())), ()
    return True


def _no_version(text: str) -> str:
    return f"{text!r} is no version of the Bare Metal API: give 'latest', '1', or one like '1.67'."
