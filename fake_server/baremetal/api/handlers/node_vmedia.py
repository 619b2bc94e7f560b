"""``/v1/nodes/{node}/vmedia``: virtual media."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.resources import NodeController
from fake_server.baremetal.arguments import checked
from fake_server.baremetal.conductor import management
from fake_server.baremetal.errors import Invalid, NotFound
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context

_DEVICES = ("disk", "cdrom", "floppy")
_SCHEMES = ("http", "https", "nfs", "cifs", "smb")
_MEDIUM = checked(
    object_schema(
        {
            "device_type": {"type": "string", "enum": list(_DEVICES)},
            "image_url": {"type": "string"},
            "image_download_source": {"type": "string", "enum": ["http", "local", "swift"]},
        },
        "device_type",
        "image_url",
    )
)


class NodeVmediaController(NodeController):
    """The virtual media of a node."""

    @expose(policy="node:vmedia:get")
    def get(self, ctx: Context) -> list[dict[str, Any]]:
        """Show the devices for virtual media, and what is in them."""
        if ctx.minor < microversions.VMEDIA_SHOWN:
            raise NotFound("The resource could not be found.")
        with self.task(ctx, shared=True, no_host_status=400) as task:
            task.driver.management.validate(task)
            return task.driver.management.media(task)

    @expose(204, policy="node:vmedia:attach", body="vmedia", vmedia=_MEDIUM)
    def post(self, ctx: Context, vmedia: dict[str, Any]) -> None:
        """Attach an image."""
        try:
            scheme = urlsplit(vmedia["image_url"]).scheme
        except ValueError as exc:
            raise Invalid(f"The image URL can't be read: {exc}") from None
        if scheme not in _SCHEMES:
            raise Invalid(f"Unsupported or missing URL scheme: {scheme}")
        with self.task(ctx, no_host_status=400) as task:
            management.request(task, "do_attach_virtual_media", device=vmedia["device_type"])

    @expose(204, policy="node:vmedia:detach", device_types=arguments.string_list)
    def delete(self, ctx: Context, device_types: list[str] | None = None) -> None:
        """Detach images."""
        invalid = [item for item in device_types or () if item not in _DEVICES]
        if invalid:
            raise Invalid(
                f"Invalid device type(s) {', '.join(invalid)} (valid are {', '.join(_DEVICES)})"
            )
        with self.task(ctx, no_host_status=400) as task:
            management.request(task, "do_detach_virtual_media", devices=device_types)
