"""``/v1/nodes/{node}/vendor_passthru``: methods that only some hardware has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, errors
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.resources import open_task
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor.work import node_task

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context


class NodeVendorPassthruController(Controller):
    """The vendor methods of a node."""

    @expose(policy="node:vendor_passthru", action="GET")
    def methods(self, ctx: Context, node_ident: str) -> dict[str, Any]:
        """List the methods."""
        with open_task(ctx, node_ident, shared=True) as task:
            methods = task.driver.vendor.methods
            return {name: method.describe() for name, method in methods.items()}

    @expose(policy="node:vendor_passthru", body="data", method=arguments.string)
    def default(self, ctx: Context, node_ident: str, method: str | None, data: Any = None) -> Any:
        """Call a method with any HTTP method."""
        node = find_node(ctx, node_ident)
        if not method:
            raise errors.ApiError("Method not specified")
        data = {} if data is None else data
        with node_task(ctx.session, node, shared=True) as task:
            vendor = task.driver.vendor
            if method not in vendor.methods:
                raise errors.InvalidParameterValue(f"No handler for method {method}")
            described = vendor.methods[method]
            if ctx.request.method != described.http_method:
                raise errors.InvalidParameterValue(
                    f"The method {method} does not support HTTP {ctx.request.method}"
                )
            if described.exclusive:
                task.lock()
            if not isinstance(data, dict):
                raise errors.InvalidParameterValue(
                    f"The arguments of method {method} have to be a JSON object."
                )
            vendor.check_call(task, method, data)
            if not described.runs_later:
                return vendor.call(task, method, data)
            ctx.status = 202
            try:
                vendor.call(task, method, data)
            except errors.ApiError as exc:
                task.node["last_error"] = f"Async execution of {method} failed with error: {exc}"
                task.save()
            return None
