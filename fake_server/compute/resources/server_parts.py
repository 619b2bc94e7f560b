"""What users say of their servers: tags and metadata."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, NotFound
from fake_server.common.resources.key_values import KeyValues
from fake_server.common.resources.tags import Tags
from fake_server.compute import microversions
from fake_server.compute.errors import InstanceInvalidState
from fake_server.compute.handlers import servers
from fake_server.compute.models import instances
from fake_server.compute.resources.server_resource import ServerResource
from fake_server.compute.schemas import parts
from fake_server.compute.schemas import servers as schemas

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.errors import ServiceError
    from fake_server.common.resources.part import Owner
    from fake_server.compute.context import Context
    from fake_server.db.store import Record

#: What Nova calls what is done with tags and needs a server that is idle.
_CHANGES = {
    "replace": "update tags",
    "clear": "delete tags",
    "add": "update tag",
    "remove": "delete tag",
}


class _Tags(Tags):
    """Tags of servers."""

    schema = schemas.TAG_LIST
    finds_first = True

    def found(self, ctx: Context, owner: Owner, ident: str, done: str) -> Record:
        """Return a server; Nova doesn't hide that of another project here."""
        ctx.since(microversions.TAGS)
        row = instances.get(ctx.session, ident, None)
        ctx.require(self.policies[done], row)
        if done in _CHANGES and row["vm_state"] not in (instances.ACTIVE, instances.STOPPED):
            raise InstanceInvalidState(_CHANGES[done], row)
        return row

    def check(self, ctx: Context, row: Record, tag: str) -> None:
        """Raise BadRequest for a tag that one more can't be."""
        error = schemas.TAG.best(tag)
        if error is not None:
            raise BadRequest(
                f"Tag '{tag}' is invalid. It must be a non empty string without characters '/' and "
                f"','. Validation error message: {error.message}"
            )
        if len(row["tags"]) >= schemas.MOST_TAGS:
            most = schemas.MOST_TAGS
            raise BadRequest(f"The number of tags exceeded the per-server limit {most}")

    def absent(self, row: Record, tag: str, done: str) -> ServiceError:
        """Return the error for a tag that isn't there."""
        called = "Instance" if done == "remove" else "Server"
        return NotFound(f"{called} {row['id']} has no tag '{tag}'")


class _Metadata(KeyValues):
    """Metadata of servers."""

    def found(self, ctx: Context, ident: str, done: str, owner: Owner) -> Record:
        """Return a server; one whose metadata is to be changed has to be idle."""
        if done in ("list", "show"):
            return owner.found(ctx, ident, self.policies[done])
        return servers.changeable(ctx, ident, self.policies[done])

    def check_change(self, ctx: Context, row: Record, done: str) -> None:
        """Raise InstanceInvalidState for a server that isn't idle."""
        action = "delete metadata" if done == "remove" else "update metadata"
        instances.check_state(row, action, instances.ACTIVE, instances.STOPPED)


def _policies(kind: str, names: Mapping[str, str]) -> dict[str, str]:
    return {done: f"{kind}:{name}" for done, name in names.items()}


_OF_TAGS = {
    "list": "index",
    "replace": "update_all",
    "clear": "delete_all",
    "show": "show",
    "add": "update",
    "remove": "delete",
}
_OF_METADATA = {
    "list": "index",
    "add": "create",
    "replace": "update_all",
    "show": "show",
    "set": "update",
    "remove": "delete",
}


class ServerParts(ServerResource):
    """What users say of their servers."""

    name = "server"
    parts = (
        _Tags(_policies("os-server-tags", _OF_TAGS)),
        _Metadata(
            "metadata",
            _policies("server-metadata", _OF_METADATA),
            parts.METADATA,
            "Metadata item was not found",
            item="meta",
            removed=204,
        ),
    )
