"""``/v3/role_assignments``: who has which role where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.errors import BadRequest
from fake_server.common.guarded_routes import GuardedRoutes
from fake_server.identity import hierarchy, models, schemas, tables
from fake_server.identity.policies import POLICIES
from fake_server.identity.resources.projects import PROJECT

if TYPE_CHECKING:
    from fake_server.common.wsgi import Response
    from fake_server.db.store import Record
    from fake_server.identity.context import Context, Handler

ROUTES: GuardedRoutes[Handler] = GuardedRoutes(POLICIES)
_LISTING = ("list_role_assignments", "list_role_assignments_for_tree")


@ROUTES.add("GET HEAD", "/v3/role_assignments", *_LISTING)
def list_assignments(ctx: Context) -> Response:
    """List who has which role where."""
    query = ctx.request.query
    subtree = schemas.as_boolean(query.get("include_subtree", "no"))
    if subtree:
        _require_tree(ctx)
    domain = ctx.caller.domain_id
    if not subtree:
        target = {} if domain is None else {"target.domain_id": domain}
        ctx.require("list_role_assignments", target)
    effective = schemas.as_boolean(query.get("effective", "no"))
    if "user.id" in query and "group.id" in query:
        raise BadRequest("Specify a user or group, not both")
    if sum(name in query for name in _SCOPES) > 1:
        raise BadRequest("Specify a domain or project, not both")
    if effective and "group.id" in query:
        text = "Combining effective and group filter will always result in an empty list."
        raise BadRequest(text)
    rows = models.assignments(ctx.tx)
    if effective:
        # Keystone leaves out the system, unless it is asked for it.
        of_system = "scope.system" in query
        grants = models.grants(ctx.tx, [one for one in rows if one["target_id"] or of_system])
        entries = [_effective(ctx, one) for one in grants]
    else:
        entries = [_assigned(ctx, one) for one in rows]
    entries = [one for one in entries if _is_wanted(ctx, one, query, subtree=subtree)]
    if domain is not None and not subtree:
        entries = [one for one in entries if _domain_of(ctx, one) == domain]
    if schemas.as_boolean(query.get("include_names", "no")):
        entries = [_with_names(ctx, one) for one in entries]
    return ctx.listed("role_assignments", entries)


def _require_tree(ctx: Context) -> None:
    """Raise an error if the client may not list the assignments of a project and those below."""
    ident = ctx.request.query.get("scope.project.id")
    if ident is None:
        raise BadRequest("'scope.project.id' is a dependency of 'include_subtree'")
    ctx.authenticate()
    row = PROJECT.need(ctx, ident)
    ctx.require("list_role_assignments_for_tree", {"target.domain_id": row["domain_id"]})


def _domain_of(ctx: Context, entry: dict[str, Any]) -> str | None:
    """Return the domain that an assignment is on, or is in."""
    if "project" in entry["scope"]:
        place = models.find(ctx.tx, tables.projects, entry["scope"]["project"]["id"]) or {}
        return place.get("domain_id")
    return (entry["scope"].get("domain") or {}).get("id")


_SCOPES = ("scope.project.id", "scope.domain.id", "scope.system")


def _assigned(ctx: Context, row: Record) -> dict[str, Any]:
    return _entry(ctx, row, row["user_id"], row["role_id"], row["target_id"])


def _effective(ctx: Context, grant: models.Grant) -> dict[str, Any]:
    row = grant.assignment
    entry = _entry(ctx, row, grant.user_id, grant.role_id, grant.target_id)
    if grant.prior_id is not None:
        # As if the role that implies it were given.
        prior = _path(ctx, {**row, "role_id": grant.prior_id})
        entry["links"]["assignment"] = ctx.link(prior)["self"]
        path = f"prior_role/{grant.role_id}/implies/{grant.prior_id}"
        entry["links"]["prior_role"] = ctx.link(path)["self"]
    if row["group_id"] is not None:
        path = f"groups/{row['group_id']}/users/{grant.user_id}"
        entry["links"]["membership"] = ctx.link(path)["self"]
    return entry


def _entry(
    ctx: Context, row: Record, user_id: str | None, role_id: str, target_id: str | None
) -> dict[str, Any]:
    actor = ("user", user_id) if user_id is not None else ("group", row["group_id"])
    scope: dict[str, Any] = {"system": {"all": True}}
    if target_id is not None:
        place = models.find(ctx.tx, tables.projects, target_id) or {}
        scope = {"domain" if place.get("is_domain") else "project": {"id": target_id}}
    if row["inherited"]:
        scope["OS-INHERIT:inherited_to"] = "projects"
    return {
        "role": {"id": role_id},
        actor[0]: {"id": actor[1]},
        "scope": scope,
        "links": {"assignment": ctx.link(_path(ctx, row))["self"]},
    }


def _path(ctx: Context, row: Record) -> str:
    """Return the address of an assignment."""
    place = "system"
    if row["target_id"] is not None:
        target = models.find(ctx.tx, tables.projects, row["target_id"]) or {}
        place = f"{'domains' if target.get('is_domain') else 'projects'}/{row['target_id']}"
    actor = f"users/{row['user_id']}" if row["user_id"] else f"groups/{row['group_id']}"
    path = f"{place}/{actor}/roles/{row['role_id']}"
    return f"OS-INHERIT/{path}/inherited_to_projects" if row["inherited"] else path


def _is_wanted(
    ctx: Context, entry: dict[str, Any], query: dict[str, Any], *, subtree: bool
) -> bool:
    for name in ("user.id", "group.id", "role.id", "scope.project.id", "scope.domain.id"):
        if name in query:
            found: Any = entry
            for part in name.split("."):
                found = found.get(part) or {}
            wanted = [query[name]]
            if subtree and name == "scope.project.id":
                wanted += hierarchy.below(ctx.tx, query[name])
            if found not in wanted:
                return False
    is_of_system = "system" in entry["scope"]
    is_inherited = "OS-INHERIT:inherited_to" in entry["scope"]
    if "scope.OS-INHERIT:inherited_to" in query and not (is_inherited or is_of_system):
        return False
    return "scope.system" not in query or is_of_system


def _with_names(ctx: Context, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an assignment with the names of what it is about."""

    def named(table: Any, one: dict[str, Any], *, domain: bool = True) -> dict[str, Any]:
        row = models.find(ctx.tx, table, one["id"]) or {}
        found = {**one, "name": row.get("name")}
        if domain and row.get("domain_id"):
            holder = models.find(ctx.tx, tables.projects, row["domain_id"]) or {}
            found["domain"] = {"id": row["domain_id"], "name": holder.get("name")}
        return found

    found = {**entry, "role": named(tables.roles, entry["role"]), "scope": {**entry["scope"]}}
    for name, table in (("user", tables.users), ("group", tables.groups)):
        if name in entry:
            found[name] = named(table, entry[name])
    for name in ("project", "domain"):
        if name in entry["scope"]:
            found["scope"][name] = named(tables.projects, entry["scope"][name])
    return found
