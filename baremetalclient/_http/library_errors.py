"""Exceptions of requests, urllib3, keystoneauth1 and its plugins become our own, with advice.

This module is loaded only if something fails.
"""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING, Any

import requests
import urllib3
from keystoneauth1 import exceptions as ksa

from baremetalclient import exc
from baremetalclient._http import exceptions
from baremetalclient._http.response import ConnectionLost
from baremetalclient._http.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keystoneauth1.session import Session

_TLS_REASONS = {
    "WRONG_VERSION_NUMBER": "the server does not use TLS there; is it http:// instead of https://?",
    "CERTIFICATE_VERIFY_FAILED": "the certificate of the server is not trusted ({}); name the file "
    "with the certificate of its authority, on the command line by --os-cacert",
}
_WRONG_CREDENTIALS = (
    "Check the user name, the password and their domains. If a token was given, it has expired or "
    "belongs to another cloud."
)
_NO_DOMAIN = (
    "Name the domain of the user by --os-user-domain-name or OS_USER_DOMAIN_NAME, and that of the "
    "project by --os-project-domain-name or OS_PROJECT_DOMAIN_NAME; in most clouds it is 'Default'."
)


def authentication_failure(error: Exception) -> exc.ClientException:
    """Return our exception for a failure to authenticate.

    :param error: the exception of keystoneauth1 or of an authentication plugin.
    """
    causes = list(_causes(error))
    what = without_credentials(_authentication_message(error, causes))
    if isinstance(error, ksa.HttpError):
        status = error.http_status
        url = without_credentials(error.url or "")
        kind = exceptions.identity_error(status)
        return kind(what, http_status=status, url=url, method=error.method)
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return exceptions.IdentityRefused(what)
    if isinstance(error, ksa.ConnectionError):
        return exceptions.connection(error).identity(what)
    if isinstance(error, ksa.DiscoveryFailure):
        return exceptions.DiscoveryFailure(what)
    return exceptions.AuthorizationFailure(what)


def connection_failure(error: Exception, url: str) -> Exception:
    """Return our exception for a failure to send a request or to read its response.

    :param error: the exception of requests, urllib3 or keystoneauth1.
    :returns: :class:`ConnectionLost` if the server may have acted; the exception itself if it is of
        another kind.
    """
    shown = without_credentials(url)
    causes = list(_causes(error))
    if any(isinstance(cause, urllib3.exceptions.ProxyError) for cause in causes):
        why = without_credentials(_reason_of(error, causes))
        return exceptions.connection(error).reading(
            f"Cannot connect to {shown} by way of the proxy that the environment names "
            f"(HTTP_PROXY, HTTPS_PROXY or ALL_PROXY; NO_PROXY names exceptions): {why}"
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return exceptions.ConnectionRefused(
            f"Connection to {shown} refused. Is the endpoint right, and is the service running?"
        )
    unsendable = (
        requests.exceptions.InvalidHeader,
        requests.exceptions.InvalidURL,
        requests.exceptions.InvalidSchema,
        requests.exceptions.MissingSchema,
        UnicodeError,
    )
    for cause in causes:
        if isinstance(cause, unsendable):
            why = without_credentials(str(cause))
            return exc.ValidationError(f"The request to {shown} cannot be sent: {why}")
    if type(error) is OSError and error.errno is None:  # by requests, which looks for the files
        return exc.ValidationError(
            f"The request to {shown} cannot be sent: {error}. The files of TLS are those of "
            "--os-cacert (OS_CACERT), --os-cert and --os-key; in Python cacert, cert and key."
        )
    if type(error) is ValueError:  # which requests lets out when it looks at a Location
        return exc.InvalidResponse(f"The response to {shown} redirects to no URL: {error}.")
    unsent = (
        urllib3.exceptions.NewConnectionError,
        urllib3.exceptions.ConnectTimeoutError,
        urllib3.exceptions.SSLError,
    )
    for cause in causes:
        if isinstance(cause, unsent):
            why = without_credentials(_reason_of(cause, causes))
            return exceptions.connection(error).reading(f"Cannot connect to {shown}: {why}")
    network = (
        OSError,
        ksa.ConnectionError,
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
    )
    if isinstance(error, network):
        return ConnectionLost(without_credentials(str(causes[-1])) or type(causes[-1]).__name__)
    if isinstance(error, ksa.ClientException):
        return authentication_failure(error)
    return error


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and its causes, the root cause last, without credentials in messages."""
    seen: list[BaseException] = []
    waiting: list[object] = [error]
    while waiting:
        current = waiting.pop(0)
        if not isinstance(current, BaseException) or any(current is other for other in seen):
            continue
        seen.append(current)
        # Libraries put whole URLs into their messages, which tracebacks show.
        current.args = tuple(
            without_credentials(item) if isinstance(item, str) else item for item in current.args
        )
        yield current
        waiting += [
            getattr(current, "reason", None),
            *current.args,
            current.__cause__,
            current.__context__,
        ]


def _reason_of(error: BaseException, causes: Sequence[BaseException]) -> str:
    """Return the reason why there is no connection."""
    for cause in causes:
        if isinstance(cause, ssl.SSLError) and cause.reason in _TLS_REASONS:
            detail = getattr(cause, "verify_message", "")
            return _TLS_REASONS[cause.reason].format(detail)
        if isinstance(cause, socket.gaierror):
            return f"the host name is unknown ({cause.strerror})"
        if isinstance(cause, ConnectionRefusedError):
            return "the connection was refused; is the URL right, and is the service running?"
    return str(error)


def _authentication_message(error: Any, causes: Sequence[BaseException]) -> str:
    """Return the message for a failure to authenticate.

    :param error: the exception of keystoneauth1 or of an authentication plugin.
    """
    status = getattr(error, "http_status", None)
    if status:
        message = f"Authentication failed: {str(error).partition(f' (HTTP {status})')[0]}"
        if status == 400 and "domain" in message:
            return f"{message.rstrip('.')}. {_NO_DOMAIN}"
        return f"{message.rstrip('.')}. {_WRONG_CREDENTIALS}" if status == 401 else message
    requests = (getattr(cause, "request", None) for cause in causes)
    url = next((request.url for request in requests if request is not None), None)
    if url is None:
        return f"Authentication failed: {error}"
    return (
        "Authentication failed: no connection to the identity service at "
        f"{url}: {_reason_of(error, causes)}"
    )


def for_unauthorized(session: Session, scheme: str) -> str:
    """Return what to do if a service responds with 401.

    :param scheme: the header ``WWW-Authenticate`` of the response.
    """
    from keystoneauth1.http_basic import HTTPBasicAuth
    from keystoneauth1.identity.base import BaseIdentityPlugin
    from keystoneauth1.noauth import NoAuth

    auth = getattr(session, "auth", None)
    if auth is None or isinstance(auth, NoAuth):
        how = (
            "--os-auth-type http_basic with --os-username and --os-password"
            if scheme.lower().startswith("basic")
            else "--os-cloud, or by --os-auth-url with a user or a token"
        )
        return f"No credentials were given. Give them, on the command line by {how}."
    if isinstance(auth, HTTPBasicAuth):
        return "Check the user name and the password."
    if isinstance(auth, BaseIdentityPlugin):
        return f"Is the service in the same cloud as the identity service at {auth.auth_url}?"
    return (
        "The token has expired or belongs to another cloud. Get a new one, such as by "
        "'openstack token issue'."
    )
