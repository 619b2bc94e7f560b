"""JSON patches, as Ironic takes them: only ``add``, ``replace`` and ``remove``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.arguments import checked
from fake_server.baremetal.errors import ApiError, Invalid, PatchError
from fake_server.common import json_text

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

Patch = Sequence[dict[str, Any]]

#: Checks the shape of a patch.
patch = checked(
    {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "path": {"type": "string", "pattern": r"^(/[\w-]+)+$"},
                "op": {"type": "string", "enum": ["add", "replace", "remove"]},
                "value": {},
            },
            "additionalProperties": False,
            "required": ["op", "path"],
        },
    }
)


def check_fields(ctx: Context, operations: Patch, allowed: Sequence[str]) -> None:
    """Raise Invalid for a patch of other fields, naming the first path that isn't allowed."""
    for operation in operations:
        field = operation["path"].split("/")[1]
        if ctx.minor >= microversions.SPECIAL_CHARACTERS:
            field = field.replace("~1", "/").replace("~0", "~")
        if field not in allowed:
            raise Invalid(
                f"Cannot patch {operation['path']}. "
                f"Only the following can be updated: {', '.join(allowed)}"
            )


def values(operations: Patch, path: str) -> list[Any]:
    """Return the values that a patch gives to this path; raise Invalid if one is missing."""
    found = []
    for operation in operations:
        if operation["path"] == path and operation["op"] != "remove":
            if "value" not in operation:
                raise Invalid(f"The operation {operation['op']} on {path} needs a value.")
            found.append(operation["value"])
    return found


def apply(document: dict[str, Any], operations: Patch) -> dict[str, Any]:
    """Apply a patch, one operation at a time.

    :returns: the patched copy.
    :raises ApiError: if an operation adds a field that the document doesn't know.
    :raises PatchError: naming the operation that couldn't be applied.
    """
    import jsonpatch

    for operation in operations:
        path = operation["path"]
        if operation["op"] == "add" and path.count("/") == 1 and path[1:] not in document:
            raise ApiError(
                f"Adding a new attribute ({path}) to the root of the resource is not allowed"
            )
    patched: Any = json_text.copied(document)
    for operation in operations:
        try:
            patched = jsonpatch.apply_patch(patched, [operation], in_place=True)
        except (
            jsonpatch.JsonPatchException,
            jsonpatch.JsonPointerException,
            KeyError,
            IndexError,
            TypeError,
        ) as exc:
            raise PatchError(patch=operation, reason=_reason(exc, patched)) from exc
    return patched  # type: ignore[no-any-return]


def _reason(exc: Exception, document: Any) -> str:
    """Return why a patch can't be applied, without the whole record that Ironic shows there."""
    return str(exc).removesuffix(f" in {document}")


def begins_at(operations: Patch, path: str) -> bool:
    """Return whether the first operation of a patch changes a path."""
    if not operations:
        return False
    first: str = operations[0]["path"]
    return first == path or first.startswith(f"{path}/")
