"""What to do about failures to connect and to authenticate, for messages."""

from __future__ import annotations

import socket
import ssl
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def reason_of(error: BaseException, causes: Sequence[BaseException]) -> str:
    """Return the reason why there is no connection.

    :param error: the exception.
    :param causes: the exception and its causes.
    """
    for cause in causes:
        if isinstance(cause, ssl.SSLError) and cause.reason in _TLS_REASONS:
            detail = getattr(cause, "verify_message", "")
            return _TLS_REASONS[cause.reason].format(detail)
        if isinstance(cause, socket.gaierror):
            return f"the host name is unknown ({cause.strerror})"
        if isinstance(cause, ConnectionRefusedError):
            return "the connection was refused; is the URL right, and is the service running?"
    return str(error)


def authentication_message(error: Any, causes: Sequence[BaseException]) -> str:
    """Return the message for a failure to authenticate.

    :param error: the exception of keystoneauth1 or of an authentication plugin.
    :param causes: the exception and its causes.
    """
    status = getattr(error, "http_status", None)
    if status:
        message = f"Authentication failed: {str(error).partition(f' (HTTP {status})')[0]}"
        return f"{message.rstrip('.')}. {_WRONG_CREDENTIALS}" if status == 401 else message
    requests = (getattr(cause, "request", None) for cause in causes)
    url = next((request.url for request in requests if request is not None), None)
    if url is None:
        return f"Authentication failed: {error}"
    return (
        "Authentication failed: no connection to the identity service at "
        f"{url}: {reason_of(error, causes)}"
    )


def for_unauthorized(session: Session) -> str:
    """Return what to do if a service responds with 401.

    :param session: the session that sent the request.
    """
    from keystoneauth1.http_basic import HTTPBasicAuth
    from keystoneauth1.identity.base import BaseIdentityPlugin
    from keystoneauth1.noauth import NoAuth

    auth = getattr(session, "auth", None)
    if auth is None or isinstance(auth, NoAuth):
        return (
            "No credentials were given. Give them, on the command line by --os-cloud, or by "
            "--os-auth-url with a user or a token."
        )
    if isinstance(auth, HTTPBasicAuth):
        return "Check the user name and the password."
    if isinstance(auth, BaseIdentityPlugin):
        return f"Is the service in the same cloud as the identity service at {auth.auth_url}?"
    return (
        "The token has expired or belongs to another cloud. Get a new one, such as by "
        "'openstack token issue'."
    )
