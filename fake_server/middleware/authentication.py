"""Authentication: by a token of Keystone, or by HTTP basic."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import TYPE_CHECKING

from fake_server.baremetal.api.rendering import identified
from fake_server.common.caller import Caller
from fake_server.common.rest import encode
from fake_server.common.wsgi import Request, Response
from fake_server.identity import models

if TYPE_CHECKING:
    from fake_server.db.store import Store
    from fake_server.identity.service import IdentityService
    from fake_server.middleware.chain import Endpoint

#: Paths of the Bare Metal API without authentication: its versions, and what a ramdisk calls.
_PUBLIC = re.compile(
    r"(/v1|/v1/lookup|/v1/heartbeat/[a-z0-9\-]+|/v1/continue_inspection)?(\.json|\.xml)?"
)
_VERSIONS = re.compile(r"(/v[0-9.]+)?/*")
_SIGNATURE = frozenset({"temp_url_sig", "temp_url_expires"})
_NO_TOKEN = "The request you have made requires authentication."  # noqa: S105


class TokenAuthentication:
    """Require a token of Keystone.

    :param identity: the service that issued the tokens.
    """

    def __init__(self, identity: IdentityService) -> None:
        self._identity = identity

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request, with 401 if it has no valid token."""
        if request.caller is not None or request.mount == "identity" or is_public(request):
            return proceed(request)
        request.caller = self._identity.caller(request)
        if request.caller is not None:
            return proceed(request)
        error = {"code": 401, "title": "Unauthorized", "message": _NO_TOKEN}
        where = f'Keystone uri="{request.host_url}/identity"'
        return identified(encode(401, {"error": error}, ("WWW-Authenticate", where)))


class BasicAuthentication:
    """Require a name and a password with each request to the Bare Metal API.

    :param store: where the accounts are.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def __call__(self, proceed: Endpoint, request: Request) -> Response:
        """Answer a request, with 401 if nothing proves who sends it."""
        is_baremetal = request.mount in ("", "baremetal")
        if request.caller is not None or not is_baremetal or is_public(request):
            return proceed(request)
        header = request.environ.pop("HTTP_AUTHORIZATION", None)
        if header is None:
            return _refused(401, "Authorization required")
        kind, _, token = header.strip().partition(" ")
        if not token.strip():
            return _refused(400, "Could not parse Authorization header")
        if kind.lower() != "basic":
            return _refused(400, f'Unsupported authorization type "{kind}"')
        try:
            name, colon, password = (
                base64.b64decode(token.strip(), validate=True).decode().partition(":")
            )
        except (binascii.Error, ValueError):
            colon = ""
        if not colon:
            return _refused(400, "Could not decode authorization token")
        with self._store.transaction(write=False) as tx:
            user = models.find_user(tx, name)
        if user is None or not models.proves(password, user["password"]):
            return _refused(401, "Incorrect username or password")
        request.caller = Caller(user["id"], user["name"], frozenset())
        return proceed(request)


def is_public(request: Request) -> bool:
    """Return whether a request needs no authentication."""
    if request.mount in ("", "baremetal"):
        return bool(_PUBLIC.fullmatch(request.path.rstrip("/")))
    if request.mount == "object-store":
        # The service itself looks at the signatures of temporary URLs.
        return request.path == "/info" or not _SIGNATURE.isdisjoint(request.query)
    return bool(_VERSIONS.fullmatch(request.path))


def _refused(status: int, message: str) -> Response:
    headers = [("WWW-Authenticate", 'Basic realm="Baremetal API"')] if status == 401 else []
    # Ironic writes these without blanks.
    body = json.dumps({"error": {"message": message, "code": status}}, separators=(",", ":"))
    return identified(
        Response(status, body.encode(), [("Content-Type", "application/json"), *headers])
    )
