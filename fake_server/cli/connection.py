"""The arguments of commands that ask an Ironic, and the session that they stand for."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import requests

if TYPE_CHECKING:
    import argparse


class UnreachableError(Exception):
    """It isn't known where the Ironic is, or who is to ask it."""


@dataclass(frozen=True)
class Connection:
    """An Ironic that can be asked.

    :param url: of its API.
    :param session: sends requests, with what authentication needs.
    """

    url: str
    session: requests.Session


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what tells where an Ironic is, and who asks."""
    # With another OS_AUTH_TYPE, the name and the password of the environment are for Keystone.
    basic = os.environ if os.environ.get("OS_AUTH_TYPE") == "http_basic" else {}
    parser.add_argument(
        "url",
        metavar="URL",
        nargs="?",
        default=os.environ.get("OS_ENDPOINT"),
        help="of the Bare Metal API, such as http://127.0.0.1:6385 (default: OS_ENDPOINT, or that "
        "of the cloud)",
    )
    parser.add_argument(
        "--os-cloud",
        metavar="NAME",
        default=os.environ.get("OS_CLOUD"),
        help="a cloud of clouds.yaml (default: OS_CLOUD, or what OS_AUTH_URL and the other "
        "variables say)",
    )
    parser.add_argument(
        "--token",
        default=os.environ.get("OS_TOKEN"),
        help="sent as X-Auth-Token (default: OS_TOKEN of the environment)",
    )
    parser.add_argument(
        "--username",
        metavar="NAME",
        default=basic.get("OS_USERNAME"),
        help="for HTTP basic authentication (default: OS_USERNAME, where OS_AUTH_TYPE is "
        "http_basic)",
    )
    parser.add_argument(
        "--password",
        default=basic.get("OS_PASSWORD"),
        help="beside the name (default: OS_PASSWORD, likewise)",
    )
    parser.add_argument(
        "--cacert",
        metavar="FILE",
        default=os.environ.get("OS_CACERT"),
        help="the CAs that the server's certificate is verified by (default: OS_CACERT)",
    )
    parser.add_argument(
        "--insecure", action="store_true", help="don't check the server's certificate"
    )


def connect(options: argparse.Namespace) -> Connection:
    """Return the connection that parsed arguments stand for; raise UnreachableError without one."""
    session = requests.Session()
    session.verify = not options.insecure and (options.cacert or True)
    url = options.url
    if options.token:
        session.headers["X-Auth-Token"] = options.token
    elif options.username:
        session.auth = (options.username, options.password or "")
    elif options.os_cloud or os.environ.get("OS_AUTH_URL"):
        url = _enter_cloud(options, session)
    if not url:
        raise UnreachableError("Give the URL of the Bare Metal API, or --os-cloud.")
    return Connection(url, session)


def _enter_cloud(options: argparse.Namespace, session: requests.Session) -> str | None:
    """Authenticate a session at a cloud; return the URL of its Ironic, unless another is given."""
    from keystoneauth1.exceptions import ClientException
    from openstack import config
    from openstack.exceptions import SDKException

    try:
        cloud = config.OpenStackConfig().get_one(cloud=options.os_cloud)
        headers = cloud.get_session().get_auth_headers() or {}
        session.headers.update(headers)
        if not options.insecure and not options.cacert:
            session.verify, session.cert = cloud.get_requests_verify_args()
        url = options.url or cloud.get_session_endpoint("baremetal")
    except (ClientException, SDKException) as exc:
        raise UnreachableError(f"The cloud can't be entered: {exc}") from exc
    return None if url is None else str(url)
