"""``/v1/nodes/{node}/vifs``: list, attach and detach VIFs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, errors, microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.resources import NodeController
from fake_server.baremetal.arguments import checked, not_null
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.task import history

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fake_server.baremetal.api.context import Context
    from fake_server.baremetal.conductor.task import Task

_VIF = arguments.chain(
    checked(
        {
            "type": "object",
            "properties": {"id": {"type": "string"}},
            "required": ["id"],
            "additionalProperties": True,
        }
    ),
    arguments.mapping(id=arguments.uuid_or_name),
)


class NodeVifsController(NodeController):
    """The VIFs of a node."""

    @expose(policy="node:vif:list")
    def get_all(self, ctx: Context) -> dict[str, Any]:
        """List the attached VIFs."""
        with self.task(ctx, shared=True, no_host_status=400) as task:
            task.driver.network.validate(task)
            return {"vifs": task.driver.network.vif_list(task)}

    @expose(204, policy="node:vif:attach", body="vif", vif=_VIF)
    def post(self, ctx: Context, vif: dict[str, Any] | None = None) -> None:
        """Attach a VIF."""
        node = self.node(ctx)
        vif = not_null(vif)
        both = "port_uuid" in vif and "portgroup_uuid" in vif
        if both and ctx.minor >= microversions.VIF_PORT:
            raise errors.Invalid("Cannot specify both port_uuid and portgroup_uuid")
        with _refusing(ctx), node_task(ctx.session, node, no_host_status=400) as task:
            task.driver.network.validate(task)
            try:
                task.driver.network.vif_attach(task, vif)
            except errors.ApiError as exc:
                _record(task, f"Failed to attach VIF {vif['id']} to node {node['uuid']}. ", exc)
                raise

    @expose(204, policy="node:vif:detach", vif_id=arguments.uuid_or_name)
    def delete(self, ctx: Context, vif_id: str) -> None:
        """Detach a VIF."""
        node = self.node(ctx)
        with _refusing(ctx), node_task(ctx.session, node, no_host_status=400) as task:
            task.driver.network.validate(task)
            try:
                task.driver.network.vif_detach(task, vif_id)
            except errors.ApiError as exc:
                _record(task, f"Failed to detach VIF {vif_id} from node {node['uuid']}, ", exc)
                raise


@contextmanager
def _refusing(ctx: Context) -> Iterator[None]:
    """Give what can't be done the status that the dialect has for it."""
    try:
        yield
    except errors.Invalid as exc:
        raise exc.with_code(ctx.session.dialect.vif_refusal) from None


def _record(task: Task, text: str, exc: errors.ApiError) -> None:
    history.record(task, f"{text}Error: {exc}", task.node["provision_state"], error=True)
