"""``/v1/nodes/{node}/validate``: whether each interface of a node has what it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.conductor import validation
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.errors import NotAcceptable
from fake_server.common.formats import is_uuid

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


def validate(ctx: Context, node: str | None, node_uuid: str | None) -> dict[str, Any]:
    """Return the result of each interface, and the reason of a failure.

    :param node: UUID or name of the node.
    :param node_uuid: its UUID, as old clients say it.
    """
    if node is not None and ctx.minor < microversions.NODE_NAMES and not is_uuid(node):
        raise NotAcceptable
    found = find_node(ctx, node_uuid or node, "validate")
    with node_task(ctx.session, found, shared=True) as task:
        return validation.results(task)
