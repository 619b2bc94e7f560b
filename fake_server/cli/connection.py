"""The arguments of commands that connect to an Ironic, and the session made from them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

import requests

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    import urllib3


#: The bytes that a response may have, decompressed.
MOST_BYTES = 256 * 1024 * 1024


class UnreachableError(Exception):
    """The URL of the Ironic, or the credentials, are missing or wrong."""


@dataclass(frozen=True)
class Connection:
    """The URL of an Ironic, and a session for requests to it.

    :param url: URL of its API.
    :param session: adds what authentication needs to each request.
    """

    url: str
    session: requests.Session


class OneServerSession(requests.Session):
    """A session that follows no redirect to another server, which would get the credentials.

    Nor does it read more of a response than memory should have to hold, however it is compressed.
    """

    def __init__(self) -> None:
        super().__init__()
        for scheme in ("http://", "https://"):
            self.mount(scheme, _BoundedAdapter())

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Return where a response redirects to, if anywhere.

        :raises requests.RequestException: if that is another server.
        """
        location = super().get_redirect_target(resp)
        if location is not None and not _same_server(resp.url, location):
            raise requests.RequestException(
                f"it redirects to {location!a}, which is another server, so no credentials were "
                "sent there. If you trust it, give its URL"
            )
        return location


class _BoundedAdapter(requests.adapters.HTTPAdapter):
    """Sends requests, and gives up on a response that is too large."""

    def build_response(
        self, req: requests.PreparedRequest, resp: urllib3.BaseHTTPResponse
    ) -> requests.Response:
        read = resp.stream

        def stream(*arguments: Any, **options: Any) -> Iterator[bytes]:
            size = 0
            for part in read(*arguments, **options):
                size += len(part)
                if size > MOST_BYTES:
                    resp.close()
                    raise requests.RequestException(f"it sends more than {MOST_BYTES:,} bytes")
                yield part

        resp.stream = stream  # type: ignore[method-assign]
        return super().build_response(req, resp)


def _same_server(url: str, location: str) -> bool:
    """Return whether a redirect stays on the server, and leaves no HTTPS."""
    try:
        here, there = urlsplit(url), urlsplit(urljoin(url, location))
        ports = {None if parts.port in (80, 443) else parts.port for parts in (here, there)}
    except ValueError:
        return False
    downgrade = here.scheme == "https" and there.scheme != "https"
    return here.hostname == there.hostname and len(ports) == 1 and not downgrade


def add_arguments(parser: argparse._ActionsContainer, *, url: str = "url") -> None:
    """Add the arguments for the URL of an Ironic and for authentication.

    :param url: name of the argument for the URL.
    """
    # With another OS_AUTH_TYPE, the name and the password of the environment are for Keystone.
    basic = os.environ if os.environ.get("OS_AUTH_TYPE") == "http_basic" else {}
    parser.add_argument(
        url,
        metavar="URL",
        nargs=None if url.startswith("-") else "?",
        default=os.environ.get("OS_ENDPOINT"),
        help="URL of the Bare Metal API, such as http://127.0.0.1:6385 (default: OS_ENDPOINT, or "
        "the endpoint in the cloud's catalog)",
    )
    parser.add_argument(
        "--os-cloud",
        metavar="NAME",
        default=os.environ.get("OS_CLOUD"),
        help="cloud in clouds.yaml (default: OS_CLOUD, or the cloud of OS_AUTH_URL and the other "
        "OS_ variables)",
    )
    parser.add_argument(
        "--token",
        default=os.environ.get("OS_TOKEN"),
        help="token to send in X-Auth-Token (default: OS_TOKEN)",
    )
    parser.add_argument(
        "--username",
        metavar="NAME",
        default=basic.get("OS_USERNAME"),
        help="user name for HTTP basic authentication (default: OS_USERNAME if OS_AUTH_TYPE is "
        "http_basic)",
    )
    parser.add_argument(
        "--password",
        default=basic.get("OS_PASSWORD"),
        help="password for HTTP basic authentication (default: OS_PASSWORD, likewise)",
    )
    parser.add_argument(
        "--cacert",
        metavar="FILE",
        default=os.environ.get("OS_CACERT"),
        help="file of CA certificates to verify the server's with (default: OS_CACERT)",
    )
    parser.add_argument(
        "--insecure", action="store_true", help="don't verify the server's certificate"
    )


def connect(options: argparse.Namespace) -> Connection:
    """Return a connection for parsed arguments; raise UnreachableError if none can be made."""
    session = OneServerSession()
    session.verify = not options.insecure and (options.cacert or True)
    url = options.url
    if options.token:
        session.headers["X-Auth-Token"] = options.token
    elif options.username:
        session.auth = (options.username, options.password or "")
    elif options.os_cloud or os.environ.get("OS_AUTH_URL"):
        url = _authenticate(options, session)
    if not url:
        raise UnreachableError("Give the URL of the Bare Metal API, or --os-cloud.")
    return Connection(url, session)


def _authenticate(options: argparse.Namespace, session: requests.Session) -> str | None:
    """Authenticate a session with a cloud; return the URL given, or that in its catalog."""
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
        raise UnreachableError(f"Can't connect to the cloud: {exc}") from exc
    return None if url is None else str(url)
