"""The checks of what a caller may see and do. Without Keystone everyone may do everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import HTTPForbidden, Invalid, NodeNotFound
from .policies import POLICIES

if TYPE_CHECKING:
    from ..store import Record
    from .context import Context


def permits(ctx: Context, policy: str, owned: Record | None = None) -> bool:
    """Tell whether the caller may do what a policy guards.

    :param owned: the node, or what else has an owner, that it is done to, if any.
    """
    caller = ctx.request.caller
    if caller is None or ctx.session.settings.auth != "keystone":
        return True
    owner, lessee = (owned["owner"], owned.get("lessee")) if owned else (None, None)
    return POLICIES[policy](caller, owner, lessee)


def check(ctx: Context, policy: str, owned: Record | None = None) -> None:
    """Refuse what the caller may not do.

    :raises HTTPForbidden: if the policy forbids it.
    """
    if not permits(ctx, policy, owned):
        raise HTTPForbidden(resource=policy)


def check_visible(ctx: Context, node: Record, ident: str) -> None:
    """Hide a node from those who may not see it.

    :param ident: what the request calls it.
    :raises NodeNotFound: as if it weren't there.
    """
    if not permits(ctx, "baremetal:node:get", node):
        raise NodeNotFound(node=ident)


def check_creation(ctx: Context) -> None:
    """Refuse to create a node to all but admins and services.

    :raises HTTPForbidden: to anyone else.
    """
    if not permits(ctx, "baremetal:node:create:self_owned_node"):
        check(ctx, "baremetal:node:create")


def owner(ctx: Context, wanted: str | None) -> str | None:
    """Return the project that will own a new node.

    :param wanted: the one that the request asks for.
    :raises Invalid: if that isn't the caller's own, and the caller isn't one of the system.
    """
    caller = ctx.request.caller
    if caller is not None and caller.system:
        return wanted
    # Without authentication a request has no project that could own a node.
    project = caller.project_id if caller else None
    if wanted and wanted != project:
        raise Invalid(
            "Cannot create a node as a project scoped admin with an owner other than your own "
            "project."
        )
    return project


def check_listing(ctx: Context, project: str | None) -> str | None:
    """Return the project whose nodes a list is about; none for those of everybody.

    :param project: the one that the request asks for.
    :raises HTTPForbidden: to a caller who may see neither everybody's nodes nor those.
    """
    if permits(ctx, "baremetal:node:list_all"):
        return project
    own = ctx.request.caller.project_id if ctx.request.caller else None
    if own is None or project not in (None, "", own):
        raise HTTPForbidden(resource="baremetal:node:list_all")
    check(ctx, "baremetal:node:list")
    return own


def check_deletion(ctx: Context, node: Record) -> None:
    """Refuse to delete a node to all but the system's admins and those of its owner.

    :raises HTTPForbidden: to anyone else.
    """
    if not permits(ctx, "baremetal:node:delete", node):
        check(ctx, "baremetal:node:delete:self_owned_node", node)


def check_runbook_listing(ctx: Context) -> str | None:
    """Return the project whose runbooks, and public ones, a list is about; none for all.

    :raises HTTPForbidden: to a caller who may not list any.
    """
    if permits(ctx, "baremetal:runbook:list_all"):
        return None
    own = ctx.request.caller.project_id if ctx.request.caller else None
    if own is None:
        raise HTTPForbidden(resource="baremetal:runbook:list_all")
    check(ctx, "baremetal:runbook:list")
    return own
