"""``/os-server-groups``: servers that are to be near each other, or apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.microversions import Since
from fake_server.common.resources.declaration import Field, Level, always
from fake_server.common.schemas import object_schema
from fake_server.compute import microversions as versions
from fake_server.compute.models import server_groups
from fake_server.compute.resources.nova_resource import NovaResource
from fake_server.compute.schemas import parts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.common.schemas import Schema
    from fake_server.common.wsgi import Response
    from fake_server.compute.context import Context
    from fake_server.db.store import Record

_POLICIES = ["anti-affinity", "affinity"]
_SOFT_POLICIES = [*_POLICIES, "soft-anti-affinity", "soft-affinity"]


def _only_one(known: list[str]) -> Schema:
    return {"type": "array", "items": {"enum": known}, "minItems": 1, "maxItems": 1}


class ServerGroups(NovaResource):
    """Server groups."""

    name = "server_group"
    paths = ("/os-server-groups",)
    rows = server_groups.ROWS
    policies = {
        "list": "os-server-groups:index",
        "create": "os-server-groups:create",
        "show": "os-server-groups:show",
        "delete": "os-server-groups:delete",
    }
    quota = "server_groups"
    statuses = {"delete": 204}
    computed = ("members",)
    fields = {
        "id": Field(Level.SUMMARY),
        "name": Field(Level.SUMMARY, create=parts.NAME, required=True),
        "policy": Field(
            Level.SUMMARY,
            create={"type": "string", "enum": _SOFT_POLICIES},
            since=versions.GROUP_RULES,
        ),
        "rules": Field(
            Level.SUMMARY,
            create=object_schema({"max_server_per_host": parts.COUNT}),
            since=versions.GROUP_RULES,
        ),
        "policies": Field(
            Level.SUMMARY,
            create=Since(
                versions.SOFT_GROUPS, _only_one(_SOFT_POLICIES), before=_only_one(_POLICIES)
            ),
            until=versions.GROUP_RULES,
            of=lambda ctx, row: [row["policy"]],
        ),
        "metadata": Field(Level.SUMMARY, until=versions.GROUP_RULES, of=always({})),
        "members": Field(Level.SUMMARY),
        "project_id": Field(Level.SUMMARY, since=versions.GROUP_PROJECT),
        "user_id": Field(Level.SUMMARY, since=versions.GROUP_PROJECT),
    }

    more_of_body = {
        "create": {"required": ["name", Since(versions.GROUP_RULES, "policy", before="policies")]}
    }

    def list_all(self, ctx: Context) -> Response:
        """List groups."""
        ctx.only("all_projects", "limit", "offset")
        return super().list_all(ctx)

    def listed(self, ctx: Context) -> list[Record]:
        """Return the groups of a project; administrators may ask for those of all."""
        everything = "all_projects" in ctx.request.query and ctx.is_admin
        if everything:
            ctx.require("os-server-groups:index:all_projects")
        return self.rows.fetch(ctx.tx, None if everything else ctx.project_id)

    def page(self, ctx: Context, rows: list[Record]) -> tuple[list[Record], dict[str, Any]]:
        """Return a page of groups."""
        first, limit = ctx.number("offset"), ctx.number("limit")
        return rows[first or 0 :][:limit], {}

    def completed(self, ctx: Context, row: Record, level: Level) -> Record:
        """Return a group with its members."""
        members = server_groups.members(ctx.tx).get(row["id"], ())
        return {**row, "members": [one["id"] for one in members]}

    def values(self, ctx: Context, wanted: Mapping[str, Any]) -> Record:
        """Return the columns of a new group."""
        policy = wanted["policy"] if "policy" in wanted else wanted["policies"][0]
        rules = {name: int(value) for name, value in wanted.get("rules", {}).items()}
        if rules and policy != server_groups.ANTI_AFFINITY:
            raise BadRequest("Only anti-affinity policy supports rules.")
        return {**super().values(ctx, wanted), "policy": policy, "rules": rules}
