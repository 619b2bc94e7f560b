"""``/networking/v2.0``: answer requests to the Networking API."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, MethodNotAllowed, NotFound, ServiceError
from fake_server.common.formats import is_uuid
from fake_server.common.rest import encode
from fake_server.common.wsgi import Request, Response
from fake_server.networking import errors, models
from fake_server.networking.tables import TABLES

if TYPE_CHECKING:
    from fake_server.clock import Clock
    from fake_server.db.store import Store, Transaction

_ADDRESS = re.compile(r"/v2\.0/([\w-]+?)(?:\.json)?(?:/([^/]+?)(?:\.json)?)?/?$")
_CONTROLS = ("fields", "limit", "marker", "page_reverse", "sort_dir", "sort_key")
#: What a kind can't be created without.
_REQUIRED = {"ports": "network_id", "subnets": "network_id", "segments": "network_id"}


class NetworkingService:
    """Answers requests to the Networking API.

    :param store: database with the schema of :mod:`.tables`.
    """

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.clock = clock

    def answer(self, request: Request) -> Response:
        """Answer a request."""
        path = request.path
        if path in ("", "/"):
            return encode(200, {"versions": [_version(request)]})
        if path.rstrip("/") == "/v2.0":
            return encode(200, {"resources": []})
        try:
            with self.store.transaction(write=request.writes) as tx:
                return self._act(tx, request)
        except ServiceError as exc:
            return errors.render(exc)

    def ensure_network(self, name: str | None) -> None:
        """Make a network of this name, unless there is one of this name or id."""
        with self.store.transaction() as tx:
            if name and not models.find_by_name(tx, "networks", name):
                values = {"id": name} if is_uuid(name) else {"name": name}
                models.create(tx, self.clock, "networks", values)

    def _act(self, tx: Transaction, request: Request) -> Response:
        kind, ident = _address(request.path)
        one = kind.removesuffix("s")
        if ident is None:
            if request.method == "GET":
                return encode(200, {kind: _listed(tx, kind, request)})
            if request.method == "POST":
                values = _body(request, one)
                self._check(tx, kind, values)
                return encode(201, {one: models.create(tx, self.clock, kind, values)})
            raise MethodNotAllowed(request.method)
        item = models.find(tx, kind, ident)
        if item is None:
            name = one.title()
            raise NotFound(f"{name} {ident} could not be found.", f"{name}NotFound")
        if request.method == "GET":
            return encode(200, {one: item})
        if request.method == "PUT":
            values = _body(request, one)
            return encode(200, {one: models.update(tx, self.clock, kind, ident, values)})
        if request.method == "DELETE":
            models.delete(tx, kind, ident)
            return Response(204)
        raise MethodNotAllowed(request.method)

    def _check(self, tx: Transaction, kind: str, values: dict[str, Any]) -> None:
        needed = _REQUIRED.get(kind)
        if needed is None:
            return
        if not values.get(needed):
            raise BadRequest(
                "Failed to parse request. Required attribute 'network_id' not specified."
            )
        if models.find(tx, "networks", values[needed]) is None:
            raise NotFound(f"Network {values[needed]} could not be found.", "NetworkNotFound")


def _address(path: str) -> tuple[str, str | None]:
    match = _ADDRESS.fullmatch(path)
    if match is None or match[1] not in TABLES:
        raise NotFound
    return match[1], match[2]


def _listed(tx: Transaction, kind: str, request: Request) -> list[dict[str, Any]]:
    filters = {
        key: value if isinstance(value, list) else [value]
        for key, value in request.query.items()
        if key not in _CONTROLS
    }
    found = models.fetch(tx, kind, filters)
    fields = request.query.get("fields")
    if not fields:
        return found
    names = fields if isinstance(fields, list) else fields.split(",")
    return [{name: item[name] for name in names if name in item} for item in found]


def _body(request: Request, one: str) -> dict[str, Any]:
    try:
        values = json.loads(request.body or b"{}")[one]
    except (ValueError, KeyError, TypeError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise BadRequest(f"Unable to find '{one}' in request body")
    for key in ("id", "name", "network_id", "device_id"):
        if key in values and values[key] is not None and not isinstance(values[key], str):
            raise BadRequest(f"Invalid input for {key}. Reason: it is not a string.")
    if values.get("id") is None:
        values.pop("id", None)
    return values


def _version(request: Request) -> dict[str, Any]:
    link = {"rel": "self", "href": f"{request.base_url}/v2.0/"}
    return {"id": "v2.0", "status": "CURRENT", "links": [link]}
