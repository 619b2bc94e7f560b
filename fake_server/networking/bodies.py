"""Request bodies: check, complete and convert them by the attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.common.dialects.neutron import NEUTRON
from fake_server.common.errors import BadRequest
from fake_server.networking.attributes import REQUIRED
from fake_server.networking.errors import InvalidAttribute, InvalidInput
from fake_server.networking.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fake_server.db.store import Record
    from fake_server.networking.context import NetworkingContext
    from fake_server.networking.values import Convert


def read(ctx: NetworkingContext, kind: str) -> tuple[list[Record], bool]:
    """Return the objects of a body that creates one or several, and whether it is a list."""
    body = read_object(ctx)
    if KINDS[kind].inside and not body:
        raise BadRequest("Resource body required")
    if kind in body:
        found = body[kind]
        if not found:
            raise BadRequest("Resources required")
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise BadRequest(NEUTRON.invalid)
        return [_created(ctx, kind, item) for item in found], True
    return [_created(ctx, kind, _single(body, kind))], False


def read_changes(ctx: NetworkingContext, kind: str) -> Record:
    """Return the changes that a body asks for."""
    body = read_object(ctx)
    if KINDS[kind].inside and not body:
        raise BadRequest("Resource body required")
    if kind in body:
        raise BadRequest("Bulk operation not supported")
    values = _of_project(ctx, _single(body, kind))
    values.pop("project_id", None)
    attributes = KINDS[kind].attributes
    _check_known(attributes, values)
    for name in values:
        if not attributes[name].update:
            raise BadRequest(f"Cannot update read-only attribute {name}")
    return {name: attributes[name].convert(name, value) for name, value in values.items()}


def read_object(ctx: NetworkingContext) -> Record:
    """Return the body, an object; an empty one if there is none."""
    found: Record = NEUTRON.body(ctx.request)
    return found


def converted(convert: Convert, value: Any) -> Any:
    """Return a value as it is kept; raise InvalidInput for one that no attribute can be."""
    try:
        return convert("", value)
    except InvalidAttribute as exc:
        raise InvalidInput(exc.reason) from None


def _single(body: Record, kind: str) -> Record:
    one = KINDS[kind].singular
    values = body.get(one)
    if values is None:
        raise BadRequest(f"Unable to find '{one}' in request body")
    if not isinstance(values, dict):
        raise BadRequest(f"Object '{one}' contains invalid data")
    return dict(values)


def _created(ctx: NetworkingContext, kind: str, item: Record) -> Record:
    """Return a new item with all of its attributes."""
    attributes = KINDS[kind].attributes
    values = _of_project(ctx, dict(item))
    values.pop("project_id", None)
    _check_known(attributes, values)
    of_nobody = ctx.caller is not None and ctx.caller.project_id is None
    if of_nobody and "tenant_id" in attributes and "tenant_id" not in values:
        raise BadRequest("Running without keystone AuthN requires that project_id is specified")
    if "tenant_id" in attributes:
        values.setdefault("tenant_id", ctx.project_id)
    for name, attribute in attributes.items():
        if not attribute.create:
            if name in values:
                raise BadRequest(f"Attribute '{name}' not allowed in POST")
        elif name not in values and attribute.default is REQUIRED:
            raise BadRequest(f"Failed to parse request. Required attribute '{name}' not specified")
    return KINDS[kind].completed(values)


def _of_project(ctx: NetworkingContext, values: Record) -> Record:
    """Return values that name their project once; raise BadRequest for that of others."""
    project = values.get("project_id")
    if "project_id" in values and values.setdefault("tenant_id", project) != project:
        raise BadRequest("'project_id' and 'tenant_id' do not match")
    own = values.get("tenant_id", ctx.project_id) == ctx.project_id
    if not own and not ctx.acts_for_others:
        raise BadRequest(
            "Specifying 'project_id' other than the authenticated project in request is not "
            "allowed for the current user."
        )
    return values


def _check_known(attributes: Mapping[str, Any], values: Record) -> None:
    unknown = [name for name in values if name not in attributes]
    if unknown:
        raise BadRequest(f"Unrecognized attribute(s) '{', '.join(unknown)}'")
