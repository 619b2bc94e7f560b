"""Patches of images, in the two formats that Glance reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fake_server.common import json_text
from fake_server.common.errors import BadRequest, Forbidden
from fake_server.image import schemas
from fake_server.image.errors import NoSuchProperty, NotPermitted, UnsupportedKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fake_server.common.wsgi import Request

_V21 = "application/openstack-images-v2.1-json-patch"
_V20 = "application/openstack-images-v2.0-json-patch"
_OPERATIONS = ("add", "remove", "replace")
_KNOWN = ", ".join(_OPERATIONS)
_RESERVED = ("location", "deleted", "deleted_at")
_RESERVED_PREFIX = "os_glance"


class Change(NamedTuple):
    """One operation of a patch."""

    operation: str
    name: str
    value: Any


def read(request: Request) -> list[Change]:
    """Return the changes of a patch; raise UnsupportedKind or BadRequest if it is none."""
    kind = request.content_type
    if kind not in (_V20, _V21):
        expected = f"Image PATCH expects Content-Type one of: {_V20}, {_V21}"
        raise UnsupportedKind(kind, expected)
    try:
        body = json_text.parse(request.body)
    except ValueError as exc:
        raise BadRequest(f"The body can't be read as JSON: {exc}") from None
    if not isinstance(body, list):
        raise BadRequest("Request body must be a JSON array of operation objects.")
    return [_read_one(one, kind) for one in body]


def apply(changes: Sequence[Change], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is settable of an image, with changes.

    :raises Forbidden: for what can't be changed or removed.
    :raises NoSuchProperty: for a property that isn't there.
    """
    found = dict(before)
    for operation, name, value in changes:
        check_settable(name)
        if operation != "add" and name not in found:
            raise NoSuchProperty(name)
        if operation != "remove":
            found[name] = value
        elif name in schemas.SETTABLE:
            raise NotPermitted(f"Property {name} may not be removed.")
        else:
            del found[name]
    return found


def check_settable(name: str) -> None:
    """Raise Forbidden for an attribute that clients don't set."""
    if name in schemas.READ_ONLY or name == "id":
        raise Forbidden(f"Attribute '{name}' is read-only.")
    if is_reserved(name):
        raise Forbidden(f"Attribute '{name}' is reserved.")


def is_reserved(name: str) -> bool:
    """Return whether clients can't have a property of this name."""
    return name in _RESERVED or name.startswith(_RESERVED_PREFIX)


def _read_one(one: Any, kind: str) -> Change:
    if not isinstance(one, dict):
        raise BadRequest("Operations must be JSON objects.")
    if kind == _V21:
        if "op" not in one:
            raise BadRequest(
                f"Unable to find `op` in JSON Schema change. It must be one of the following: "
                f"{_KNOWN}."
            )
        operation = one["op"]
        if operation not in _OPERATIONS:
            raise BadRequest(
                f"Invalid operation: `{operation}`. It must be one of the following: {_KNOWN}."
            )
        if "path" not in one:
            raise BadRequest("Unable to find 'path' in JSON Schema change")
        path = one["path"]
    else:
        named = [name for name in _OPERATIONS if name in one]
        if len(named) != 1:
            raise BadRequest(
                'Operation objects must contain exactly one member named "add", "remove", or '
                '"replace".'
            )
        operation = named[0]
        path = one[operation]
    if operation != "remove" and "value" not in one:
        raise BadRequest(f'Operation "{operation}" requires a member named "value".')
    return Change(operation, _name(path), one.get("value"))


def _name(path: Any) -> str:
    if not isinstance(path, str) or not path.startswith("/"):
        raise BadRequest(f'Pointer `{path}` does not start with "/".')
    parts = path[1:].split("/")
    if "" in parts:
        raise BadRequest(f'Pointer `{path}` contains adjacent or trailing "/".')
    if len(parts) > 1:
        raise BadRequest(f"Invalid JSON pointer for this resource: '{path}'")
    return parts[0].replace("~1", "/").replace("~0", "~")
