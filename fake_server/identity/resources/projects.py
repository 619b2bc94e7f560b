"""``/v3/projects`` and ``/v3/domains``, which are projects, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest, Forbidden, ServiceError
from fake_server.common.lists import TAG_FILTERS, is_tagged
from fake_server.common.resources.declaration import both
from fake_server.common.resources.tags import Tags
from fake_server.common.rest import decode, encode
from fake_server.identity import errors, hierarchy, models, schemas, tables, trusts
from fake_server.identity.resources.keystone_resource import (
    KeystoneResource,
    check_domain,
    of_token_domain,
    own_domain,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fake_server.common.errors import Conflict
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.identity.context import Context

_DESCRIBED = {
    "name": both(schemas.name(64), required=True),
    "description": both(schemas.OPTIONAL_TEXT, default=""),
    "enabled": both(schemas.BOOLEAN, default=True),
    "tags": both(schemas.TAGS, default=[]),
    "options": both(schemas.IMMUTABLE, default={}),
}


class _ProjectTags(Tags):
    """Tags of projects."""

    sorts = True
    finds_first = True

    def wanted(self, ctx: Context) -> list[str]:
        """Return the tags that a body names."""
        given: dict[str, Any] = decode(ctx.request)
        if "tags" not in given:
            raise BadRequest("{} is not of type 'array'")
        if problem := PROJECT.checker("update", 0).best(given):
            raise errors.invalid(problem, "tags")
        found: list[str] = given["tags"]
        return found

    def check(self, ctx: Context, row: Record, tag: str) -> None:
        """Take any tag that fits into an address."""

    def absent(self, row: Record, tag: str, done: str) -> ServiceError:
        """Return the error for a tag that isn't there."""
        return errors.not_found("project tag", tag)

    def answer(self, ctx: Context, tags: Iterable[str]) -> Response:
        """Return the answer that shows tags."""
        return encode(200, {"tags": list(tags), "links": {"self": f"{ctx.base}/v3"}})

    def added(self, ctx: Context, tag: str, *, new: bool) -> Response:
        """Return the answer to adding a tag, which is the same for one that was there."""
        return super().added(ctx, tag, new=True)


class _Tree(KeystoneResource):
    """What projects and domains have in common."""

    table = tables.projects

    def check_change(self, ctx: Context, row: Record, changes: Record) -> None:
        """Raise an error if a project can't be changed so."""
        if changes.get("parent_id", row["parent_id"]) != row["parent_id"]:
            raise Forbidden("Update of `parent_id` is not allowed.")
        if changes.get("is_domain", row["is_domain"]) != row["is_domain"]:
            raise BadRequest("Update of `is_domain` is not allowed.")
        if changes.get("enabled", row["enabled"]) == row["enabled"]:
            return

        def enabled(idents: list[str]) -> Iterator[bool]:
            return ((models.find(ctx.tx, self.table, one) or row)["enabled"] for one in idents)

        if changes["enabled"]:
            if not all(enabled(hierarchy.above(ctx.tx, row["id"]))):
                raise Forbidden(f"Cannot enable project {row['id']} since it has disabled parents")
        elif not row["is_domain"] and any(enabled(hierarchy.below(ctx.tx, row["id"]))):
            raise Forbidden(
                f"Cannot disable project {row['id']} since its subtree contains enabled projects."
            )

    def check_deletion(self, ctx: Context, row: Record) -> None:
        """Raise an error if a project can't be deleted; delete what goes with it."""
        if row["is_domain"]:
            if row["enabled"]:
                raise Forbidden("Cannot delete a domain that is enabled, please disable it first.")
            trusts.end(ctx.tx, ctx.clock.seconds(), trusts.of_domain(row["id"]))
            for table in (tables.projects, tables.users, tables.groups, tables.roles):
                ctx.tx.remove(table, domain_id=row["id"])
            return
        if not hierarchy.is_leaf(ctx.tx, row["id"]):
            raise Forbidden(
                f"Cannot delete the project {row['id']} since it is not a leaf in the hierarchy. "
                "Use the cascade option if you want to delete a whole subtree."
            )
        credential, user = tables.credentials, tables.users
        ctx.tx.remove(credential, project_id=row["id"])
        trusts.end(ctx.tx, ctx.clock.seconds(), tables.trusts.c.project_id == row["id"])
        of_project = [user.c.default_project_id == row["id"]]
        ctx.tx.update(user, of_project, {"default_project_id": None})


class Projects(_Tree):
    """Projects."""

    name = "project"
    may_be_left_out = True
    filters = ("name", "domain_id", "parent_id", "enabled")
    fixed = {"id": "ID", "domain_id": "Domain ID"}
    fields = {
        "name": _DESCRIBED["name"],
        "description": _DESCRIBED["description"],
        "domain_id": both(schemas.ID),
        "parent_id": both(schemas.ID),
        "enabled": _DESCRIBED["enabled"],
        "is_domain": both(schemas.BOOLEAN, default=False),
        "tags": _DESCRIBED["tags"],
        "options": _DESCRIBED["options"],
    }
    parts = (
        _ProjectTags(
            {
                "list": "list_project_tags",
                "replace": "update_project_tags",
                "clear": "delete_project_tags",
                "show": "get_project_tag",
                "add": "create_project_tag",
                "remove": "delete_project_tag",
            }
        ),
    )

    def prepare(self, ctx: Context, row: Record) -> None:
        """Put a new project into its place."""
        if row["is_domain"]:
            if row.get("parent_id") or row.get("domain_id"):
                raise BadRequest("only root projects are allowed to act as domains.")
            row.update(domain_id=tables.NO_DOMAIN, parent_id=None)
            return
        row["domain_id"] = row.get("domain_id") or own_domain(ctx)
        row["parent_id"] = row.get("parent_id") or row["domain_id"]
        try:
            check_domain(ctx, row["domain_id"])
            if models.find(ctx.tx, self.table, row["parent_id"]) is None:
                raise errors.not_found("project", row["parent_id"])
        except ServiceError as exc:
            raise BadRequest(str(exc)) from None
        hierarchy.check_place(ctx.tx, row)

    def duplicate(self, row: Record, *, is_new: bool) -> Conflict:
        """Return the error for a project that is called as another one is."""
        return errors.conflict(
            "project",
            "it is not permitted to have two projects with either the same name or same id in the "
            f"same domain: name is {row.get('name')}, project id {row['id']}",
        )

    def matching(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of columns that a query asks for."""
        is_domain = schemas.as_boolean(query.get("is_domain", "no"))
        return {**super().matching(query), "is_domain": is_domain}

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return the projects of the token's domain with the tags that the query asks for."""
        query = ctx.request.query
        return [row for row in of_token_domain(ctx, rows) if _is_tagged(row, query)]

    def answer(self, ctx: Context, operation: str, row: Record) -> Response:
        """Return the answer to an operation, with its relatives if those are asked for."""
        more: dict[str, Any] = {}
        if operation == "show":
            more = self._relatives(ctx, row)
        elif operation == "update":
            more = {"extra": row["extra"]}
        return encode(self.status(operation), {"project": {**self.shown(ctx, row), **more}})

    def _relatives(self, ctx: Context, row: Record) -> dict[str, Any]:
        """Return the projects above or below one, as far as the client asks for them."""
        query, ident = ctx.request.query, row["id"]
        asked = [name for name in query if name.endswith(("_as_list", "_as_ids"))]
        for which in ("parents", "subtree"):
            if {f"{which}_as_list", f"{which}_as_ids"} <= {*asked}:
                raise BadRequest(
                    f"Cannot use {which}_as_list and {which}_as_ids query params at the same time."
                )
        found: dict[str, Any] = {}
        if "parents_as_list" in asked:
            found["parents"] = self._own(ctx, hierarchy.above(ctx.tx, ident))
        if "parents_as_ids" in asked:
            tree: Any = None
            for one in reversed(hierarchy.above(ctx.tx, ident)):
                tree = {one: tree}
            found["parents"] = tree
        if "subtree_as_list" in asked:
            found["subtree"] = self._own(ctx, hierarchy.below(ctx.tx, ident))
        if "subtree_as_ids" in asked:
            found["subtree"] = hierarchy.tree(ctx.tx, ident)
        return found

    def _own(self, ctx: Context, idents: list[str]) -> list[dict[str, Any]]:
        """Return those of projects that the client has a role on."""
        rows = models.targets_of(ctx.tx, ctx.caller.user_id, domains=False)
        own = {row["id"]: row for row in rows}
        return [{"project": self.shown(ctx, own[one])} for one in idents if one in own]


class Domains(_Tree):
    """Domains."""

    name = "domain"
    filters = ("name", "enabled")
    hidden_columns = ("domain_id", "parent_id")
    match = {"is_domain": True}
    known_first = ("update", "delete")
    fields = _DESCRIBED

    def prepare(self, ctx: Context, row: Record) -> None:
        """Put a new domain above all."""
        row["parent_id"] = None

    def duplicate(self, row: Record, *, is_new: bool) -> Conflict:
        """Return the error for a domain that is called as another one is."""
        return errors.conflict(
            "project",
            "it is not permitted to have two projects acting as domains with the same name: "
            f"{row.get('name')}",
        )

    def narrowed(self, ctx: Context, rows: list[Record]) -> list[Record]:
        """Return the domain that the token is for, if it is for one."""
        domain = ctx.token.row["domain_id"]
        return [row for row in rows if domain in (None, row["id"])]


PROJECT, DOMAIN = Projects(), Domains()


def _is_tagged(row: Record, query: Mapping[str, Any]) -> bool:
    """Return whether a project has the tags that a query asks for."""
    filters = (name for name in TAG_FILTERS if name in query)
    return all(is_tagged(row["tags"], name, [str(query[name])]) for name in filters)
