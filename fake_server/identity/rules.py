"""What is particular to each kind of resources: when one can be created, changed and deleted."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING

from fake_server.common.errors import BadRequest, Conflict, Forbidden, ServiceError
from fake_server.identity import errors, hierarchy, kinds, models, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fake_server.db.store import Record
    from fake_server.identity.context import Context
    from fake_server.identity.kinds import Kind

#: What a new resource has where the client says nothing else.
DEFAULTS: Mapping[str, Callable[[], Record]] = MappingProxyType(
    {
        "project": lambda: {**_described(), "is_domain": False, "tags": [], "options": {}},
        "domain": lambda: {**_described(), "is_domain": True, "tags": [], "options": {}},
        "user": lambda: {
            "enabled": True,
            "password": None,
            "default_project_id": None,
            "options": {},
        },
        "group": lambda: {"description": ""},
        "role": lambda: {"description": None, "domain_id": tables.NO_DOMAIN, "options": {}},
        "service": lambda: {"enabled": True, "name": ""},
        "region": lambda: {"description": "", "parent_region_id": None},
        "endpoint": lambda: {"enabled": True, "region_id": None},
        "credential": lambda: {"project_id": None},
        "registered_limit": lambda: {"region_id": None, "description": None},
        "limit": lambda: {
            **dict.fromkeys(("region_id", "description", "project_id", "domain_id")),
        },
    }
)


def _described() -> Record:
    return {"description": "", "enabled": True}


def prepare(ctx: Context, kind: Kind, row: Record) -> None:
    """Complete a new row; raise an error if it refers to what isn't there, or can't be."""
    if kind in (kinds.USER, kinds.GROUP, kinds.ROLE) and row.get("domain_id"):
        _domain(ctx, row["domain_id"])
    if kind in (kinds.USER, kinds.GROUP):
        row["domain_id"] = row.get("domain_id") or _own_domain(ctx)
    match kind.name:
        case "project":
            _prepare_project(ctx, row)
        case "domain":
            row["parent_id"] = None
        case "user":
            if row["password"] is not None:
                row["password"] = models.hashed(row["password"])
        case "region":
            _check_region(ctx, row["id"], row["parent_region_id"])
        case "endpoint":
            _prepare_endpoint(ctx, row)
        case "credential":
            _prepare_credential(ctx, row)
        case "registered_limit" | "limit":
            _prepare_limit(ctx, kind, row)


def _prepare_project(ctx: Context, row: Record) -> None:
    if row["is_domain"]:
        if row.get("parent_id") or row.get("domain_id"):
            raise BadRequest("only root projects are allowed to act as domains.")
        row.update(domain_id=tables.NO_DOMAIN, parent_id=None)
        return
    row["domain_id"] = row.get("domain_id") or _own_domain(ctx)
    row["parent_id"] = row.get("parent_id") or row["domain_id"]
    try:
        _domain(ctx, row["domain_id"])
        if models.find(ctx.tx, tables.projects, row["parent_id"]) is None:
            raise errors.not_found("project", row["parent_id"])
    except ServiceError as exc:
        raise BadRequest(str(exc)) from None
    hierarchy.check_place(ctx.tx, row)


def _own_domain(ctx: Context) -> str:
    return ctx.token.row["domain_id"] or models.DEFAULT_DOMAIN


def _domain(ctx: Context, ident: str) -> None:
    if ctx.tx.get(tables.projects, id=ident, is_domain=True) is None:
        raise errors.not_found("domain", ident)


def _check_region(ctx: Context, ident: str, parent: str | None) -> None:
    """Raise an error if a region can't be in another one."""
    found, seen = parent, set[str]()
    while found is not None and found not in seen:
        seen.add(found)
        row = models.find(ctx.tx, tables.regions, found)
        if row is None:
            raise errors.not_found("region", found)
        if found == ident:
            raise BadRequest(
                f"The specified parent region {found} would create a circular region hierarchy."
            )
        found = row["parent_region_id"]


def _prepare_endpoint(ctx: Context, row: Record) -> None:
    region = row["extra"].pop("region", None)
    if region is not None and row.get("region_id") is None:
        row["region_id"] = region
        if models.find(ctx.tx, tables.regions, region) is None:
            new = {"id": region, "description": "", "parent_region_id": None, "extra": {}}
            ctx.tx.insert(tables.regions, new)
    for column, table in (("service_id", "service"), ("region_id", "region")):
        ident = row.get(column)
        if ident is not None and models.find(ctx.tx, _TABLES[table], ident) is None:
            raise errors.malformed(f"Expecting to find endpoint {column} in {table} table.")


_TABLES = {"service": tables.services, "region": tables.regions}


def _prepare_credential(ctx: Context, row: Record) -> None:
    if row["type"] != "ec2":
        return
    try:
        blob = json.loads(row["blob"])
    except (ValueError, RecursionError):
        blob = None
    if not isinstance(blob, dict) or "access" not in blob:
        raise BadRequest("Invalid blob in credential")
    if row["project_id"] is None:
        given = {name: row[name] for name in ("type", "blob", "user_id")}
        raise BadRequest(
            f"Invalid input for field/attribute credential. Value: {given}. 'project_id' is a "
            "required property"
        )


def _prepare_limit(ctx: Context, kind: Kind, row: Record) -> None:
    same = {name: row[name] for name in ("service_id", "region_id", "resource_name")}
    if models.find(ctx.tx, tables.services, row["service_id"]) is None:
        raise errors.not_found("service", row["service_id"])
    registered = models.first(ctx.tx, tables.registered_limits, **same)
    if kind is kinds.LIMIT:
        if registered is None:
            raise Forbidden("Unable to create a limit that has no corresponding registered limit.")
        same |= {name: row[name] for name in ("project_id", "domain_id")}
        registered = models.first(ctx.tx, tables.limits, **same)
    if registered is not None:
        raise errors.conflict(kind.name, "Duplicate entry")


def check_change(ctx: Context, kind: Kind, row: Record, changes: Record) -> None:
    """Raise an error if a resource can't be changed so; store a new password as its digest."""
    for name, called in kind.fixed.items():
        if name in changes and changes[name] != kind.shown(row).get(name, row.get(name)):
            raise BadRequest(f"Cannot change {called}")
    options = changes.get("options") or {}
    if _is_immutable(row) and options.get("immutable", True):
        raise _immutable("update", kind, row)
    if options:
        merged = {**row["options"], **options}
        changes["options"] = {name: value for name, value in merged.items() if value is not None}
    if row.get("is_domain") is not None:
        _check_project(ctx, row, changes)
    if kind is kinds.USER:
        if changes.get("password") is not None:
            changes["password"] = models.hashed(changes["password"])
        if "password" in changes or changes.get("enabled") is False:
            models.revoke_tokens(ctx.tx, row["id"])
    if kind is kinds.REGION:
        _check_region(ctx, row["id"], changes.get("parent_region_id"))
    if kind is kinds.ENDPOINT:
        _prepare_endpoint(ctx, changes)
    if kind is kinds.REGISTERED_LIMIT:
        _check_unused(ctx, row)


def _check_project(ctx: Context, row: Record, changes: Record) -> None:
    if changes.get("parent_id", row["parent_id"]) != row["parent_id"]:
        raise Forbidden("Update of `parent_id` is not allowed.")
    if changes.get("is_domain", row["is_domain"]) != row["is_domain"]:
        raise BadRequest("Update of `is_domain` is not allowed.")
    if changes.get("enabled", row["enabled"]) == row["enabled"]:
        return

    def enabled(idents: list[str]) -> Iterator[bool]:
        return ((models.find(ctx.tx, tables.projects, one) or row)["enabled"] for one in idents)

    if changes["enabled"]:
        if not all(enabled(hierarchy.above(ctx.tx, row["id"]))):
            raise Forbidden(f"Cannot enable project {row['id']} since it has disabled parents")
    elif not row["is_domain"] and any(enabled(hierarchy.below(ctx.tx, row["id"]))):
        raise Forbidden(
            f"Cannot disable project {row['id']} since its subtree contains enabled projects."
        )


def check_deletion(ctx: Context, kind: Kind, row: Record) -> None:
    """Raise an error if a resource can't be deleted; delete what goes with it."""
    if _is_immutable(row):
        raise _immutable("delete", kind, row)
    match kind.name:
        case "project" if not row["is_domain"] and not hierarchy.is_leaf(ctx.tx, row["id"]):
            raise Forbidden(
                f"Cannot delete the project {row['id']} since it is not a leaf in the hierarchy. "
                "Use the cascade option if you want to delete a whole subtree."
            )
        case "project" | "domain" if row["is_domain"]:
            if row["enabled"]:
                raise Forbidden("Cannot delete a domain that is enabled, please disable it first.")
            for table in (tables.projects, tables.users, tables.groups, tables.roles):
                ctx.tx.delete(table, table.c.domain_id == row["id"])
        case "project":
            credential, user = tables.credentials, tables.users
            ctx.tx.delete(credential, credential.c.project_id == row["id"])
            of_project = [user.c.default_project_id == row["id"]]
            ctx.tx.update(user, of_project, {"default_project_id": None})
        case "group" if models.assignments(ctx.tx, group_id=row["id"]):
            for member in models.fetch_members(ctx.tx, row["id"]):
                models.revoke_tokens(ctx.tx, member["id"])
        case "role":
            models.delete_credentials_with(ctx.tx, row["id"])
        case "region":
            regions = tables.regions.c
            below = hierarchy.below(ctx.tx, row["id"], regions.parent_region_id)
            if any(ctx.tx.get(tables.endpoints, region_id=one) for one in (row["id"], *below)):
                raise Forbidden(
                    f"Unable to delete region {row['id']} because it or its child regions have "
                    "associated endpoints."
                )
            ctx.tx.delete(tables.regions, regions.id.in_(below))
        case "registered_limit":
            _check_unused(ctx, row)


def _check_unused(ctx: Context, row: Record) -> None:
    same = {name: row[name] for name in ("service_id", "region_id", "resource_name")}
    if models.first(ctx.tx, tables.limits, **same) is not None:
        raise Forbidden(
            f"Unable to update or delete registered limit {row['id']} because there are project "
            "limits associated with it."
        )


def _is_immutable(row: Record) -> bool:
    return bool((row.get("options") or {}).get("immutable"))


def _immutable(verb: str, kind: Kind, row: Record) -> Forbidden:
    return Forbidden(
        f"Unable to {verb} immutable {kind.name} resource: `{row['id']}. Set resource option "
        '"immutable" to false first.'
    )


def duplicate(kind: Kind, row: Record, *, is_new: bool) -> Conflict:
    """Return the error for what is called as another one is."""
    name = row.get("name")
    match kind.name:
        case "project":
            problem = (
                "it is not permitted to have two projects with either the same name or same id in "
                f"the same domain: name is {name}, project id {row['id']}"
            )
        case "domain":
            problem = (
                "it is not permitted to have two projects acting as domains with the same name: "
                f"{name}"
            )
        case "region":
            problem = f"Duplicate ID, {row['id']}."
        case "user" | "group" if is_new:
            problem = f"Duplicate entry found with name {name} at domain ID {row['domain_id']}"
        case _:
            problem = f"Duplicate entry found with name {name}"
    return errors.conflict("project" if kind is kinds.DOMAIN else kind.name, problem)
