"""``/v1/nodes/{node}/vmedia``: virtual media."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.lookup import find_node
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.conductor import management
from fake_server.baremetal.conductor.work import node_task
from fake_server.baremetal.errors import Invalid, NotFound
from fake_server.baremetal.schemas import checked

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_DEVICES = ("disk", "cdrom", "floppy")
_SCHEMES = ("http", "https", "nfs", "cifs", "smb")
_MEDIUM = checked(
    {
        "type": "object",
        "properties": {
            "device_type": {"type": "string", "enum": list(_DEVICES)},
            "image_url": {"type": "string"},
            "image_download_source": {"type": "string", "enum": ["http", "local", "swift"]},
        },
        "required": ["device_type", "image_url"],
        "additionalProperties": False,
    }
)


class NodeVmediaController(Controller):
    """The virtual media of a node."""

    def __init__(self, node_ident: str) -> None:
        self.node_ident = node_ident

    @expose()
    def get(self, ctx: Context) -> list[dict[str, Any]]:
        """Show the devices for virtual media, and what is in them."""
        if ctx.minor < microversions.VMEDIA_SHOWN:
            raise NotFound("The resource could not be found.")
        node = find_node(ctx, self.node_ident, "vmedia:get")
        with node_task(ctx.session, node, shared=True, no_host_status=400) as task:
            task.driver.management.validate(task)
            return task.driver.management.media(task)

    @expose(204, body="vmedia", vmedia=_MEDIUM)
    def post(self, ctx: Context, vmedia: dict[str, Any]) -> None:
        """Attach an image."""
        try:
            scheme = urlsplit(vmedia["image_url"]).scheme
        except ValueError as exc:
            raise Invalid(f"The image URL can't be read: {exc}") from None
        if scheme not in _SCHEMES:
            raise Invalid(f"Unsupported or missing URL scheme: {scheme}")
        with node_task(
            ctx.session, find_node(ctx, self.node_ident, "vmedia:attach"), no_host_status=400
        ) as task:
            management.request_attachment(task, vmedia["device_type"])

    @expose(204, device_types=arguments.string_list)
    def delete(self, ctx: Context, device_types: list[str] | None = None) -> None:
        """Detach images."""
        invalid = [item for item in device_types or () if item not in _DEVICES]
        if invalid:
            raise Invalid(
                f"Invalid device type(s) {', '.join(invalid)} (valid are {', '.join(_DEVICES)})"
            )
        with node_task(
            ctx.session, find_node(ctx, self.node_ident, "vmedia:detach"), no_host_status=400
        ) as task:
            management.request_detachment(task, device_types)
