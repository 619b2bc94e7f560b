"""Finding what a request names, by UUID or by name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fake_server.baremetal import errors, microversions, states
from fake_server.baremetal.api import permissions
from fake_server.baremetal.arguments import is_host_name, is_logical_name
from fake_server.baremetal.models.nodes import NODES
from fake_server.baremetal.models.portgroups import PORTGROUPS
from fake_server.baremetal.models.runbooks import RUNBOOKS
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from collections.abc import Callable

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.models.model import Model
    from fake_server.db.store import Record


def names_node(ctx: Context, name: str) -> bool:
    """Return whether text can name a node in the request's version."""
    if ctx.minor < microversions.UNRESTRICTED_NAMES:
        return is_host_name(name)
    return is_logical_name(name)


def find_node(ctx: Context, ident: str | None, policy: str = "") -> Record:
    """Return a node by UUID, or from 1.5 by name.

    :param policy: what the caller wants to do with it, as policies for nodes call that; by default
        what the policy of the handler is for.
    :raises NodeNotFound: if there is none that the caller may see.
    :raises InvalidUuidOrName: for text that can be neither.
    :raises HTTPForbidden: if the caller may see it, and no more.
    """
    node = find_any_node(ctx, ident)
    permissions.check_visible(ctx, node, str(ident))
    permissions.check(ctx, policy and f"baremetal:node:{policy}", node)
    return node


def find_any_node(ctx: Context, ident: str | None) -> Record:
    """Return a node as :func:`find_node` does, even if the caller may not see it."""
    if ident is not None and is_uuid(ident):
        return NODES.get_by_uuid(ctx.session, ident)
    if ctx.minor < microversions.NODE_NAMES:
        raise errors.NodeNotFound(node=ident)
    if ident is None or not names_node(ctx, ident):
        raise errors.InvalidUuidOrName(name=ident)
    return NODES.get_by_name(ctx.session, ident)


def find_addressed_node(ctx: Context, ident: str, policy: str = "get") -> Record:
    """Return the node that the last segment of a path names.

    Where the framework has dropped ``.json`` from it, a node of that whole name is meant if no
    other is there.

    :param policy: see :func:`find_node`.
    """
    return addressed(ctx, ident, partial(find_node, policy=policy))


def addressed(ctx: Context, ident: str, find: Callable[[Context, str], Record]) -> Record:
    """Return what the last segment of a path names, with ``.json`` where that was dropped."""
    try:
        return find(ctx, ident)
    except errors.NotFound:
        if not ctx.json_suffix:
            raise
    return find(ctx, f"{ident}.json")


def find_named(model: Model, ctx: Context, ident: str) -> Record:
    """Return a row of a model by UUID or name; raise InvalidUuidOrName if it can be neither."""
    if is_uuid(ident):
        return model.get_by_uuid(ctx.session, ident)
    if not is_logical_name(ident):
        raise errors.InvalidUuidOrName(name=ident)
    return model.get_by_name(ctx.session, ident)


def find_linked_node(ctx: Context, ident: str, owner: str | None, field: str) -> Record:
    """Return the node that another resource is to be linked to.

    :param owner: project that has to own it.
    :param field: where the request names it.
    :raises Invalid: if there is no such node, or it is someone else's.
    """
    refusal = errors.Invalid(
        f"Unable to apply the requested {field} '{ident}'. Requested value was invalid."
    )
    try:
        node = find_node(ctx, ident, "get")
    except (errors.Invalid, errors.NodeNotFound):
        raise refusal from None
    if node["owner"] != owner:
        raise refusal
    return node


def check_parent_node(ctx: Context, uuid: str) -> None:
    """Refuse a list of ports or port groups below a node that isn't there.

    :param uuid: UUID of the node; names are not accepted here.
    :raises NotFound: if there is no such node, as Ironic words that.
    :raises NodeNotFound: if the caller may not see it.
    """
    try:
        node = NODES.get_by_uuid(ctx.session, uuid)
    except errors.NodeNotFound:
        raise PORTGROUPS.missing(None) from None
    permissions.check_visible(ctx, node, uuid)


def find_portgroup(ctx: Context, ident: str) -> Record:
    """Return a port group by UUID or name.

    :raises NotFound: if there is none.
    :raises InvalidUuidOrName: for text that can be neither.
    """
    return find_named(PORTGROUPS, ctx, ident)


def find_addressed_portgroup(ctx: Context, ident: str) -> Record:
    """Return the port group that the last segment of a path names; see the same for nodes."""
    return addressed(ctx, ident, find_portgroup)


def find_runbook(ctx: Context, ident: str) -> Record:
    """Return a runbook by UUID or name.

    :raises NotFound: if there is none.
    :raises InvalidUuidOrName: for text that can be neither.
    """
    return find_named(RUNBOOKS, ctx, ident)


def check_inspection(ctx: Context, node: Record, what: str) -> None:
    """Raise Conflict, from 1.39 on, if the node of a resource is being inspected."""
    inspecting = node["provision_state"] == states.INSPECTING
    if inspecting and ctx.minor >= microversions.INSPECT_WAIT:
        raise errors.Conflict(f'Cannot update {what} while it is in state "{states.INSPECTING}".')
