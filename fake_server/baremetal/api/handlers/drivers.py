"""``/v1/drivers``: hardware types and their interfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from fake_server.baremetal import arguments, errors, interfaces, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.arguments import DETAIL, fields_schema
from fake_server.baremetal.drivers import raid, registry
from fake_server.baremetal.models import conductors
from fake_server.common.schemas import Schema, object_schema

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fake_server.baremetal.api.context import Context

#: Kinds of interfaces in the order in which the API names them, with their first version.
_KINDS = {
    **dict.fromkeys(
        (
            "boot",
            "console",
            "deploy",
            "inspect",
            "management",
            "network",
            "power",
            "raid",
            "vendor",
        ),
        microversions.DYNAMIC_DRIVERS,
    ),
    "storage": 33,
    "rescue": 38,
    "bios": microversions.BIOS,
    "firmware": microversions.FIRMWARE,
}


def _fields_schema(kinds: Iterable[str]) -> Schema:
    names = ["hosts", "links", "name"]
    for kind in kinds:
        names += (f"default_{kind}_interface", f"enabled_{kind}_interfaces")
    names += ("properties", "type")
    return fields_schema(names)


#: The schema of the argument ``fields`` by the version from which on it is in force.
_FIELDS: dict[int, Schema] = {
    microversions.MINIMUM: {"type": "array", "items": {"type": "string"}},
    microversions.DRIVER_FIELDS: _fields_schema(kind for kind in _KINDS if kind != "firmware"),
    microversions.FIRMWARE: _fields_schema(_KINDS),
}
#: The other arguments of a list.
_FILTERS: dict[str, Schema] = {"detail": DETAIL, "type": {"type": "string"}}


def _queries(**others: Schema) -> dict[int, Schema]:
    return {since: object_schema({"fields": schema, **others}) for since, schema in _FIELDS.items()}


class DriverVendorController(Controller):
    """Vendor methods of a driver; there are none."""

    asks_first = True

    @expose(policy="driver:vendor_passthru", action="GET")
    def methods(self, ctx: Context, driver_name: str, /) -> dict[str, Any]:
        """List the methods."""
        _check_known(ctx, driver_name)
        return {}

    @expose(policy="driver:vendor_passthru", body="data", method=arguments.string)
    def default(self, ctx: Context, driver_name: str, method: str, data: object = None) -> None:
        """Refuse to call a method, with any HTTP method."""
        _check_known(ctx, driver_name)
        raise errors.InvalidParameterValue(f"No handler for method {method}")


class DriverRaidController(Controller):
    """The RAID properties of a driver."""

    asks_first = True

    @expose(policy="driver:get_raid_logical_disk_properties", action="GET")
    def logical_disk_properties(self, ctx: Context, driver_name: str, /) -> dict[str, Any]:
        """Describe the properties of logical disks."""
        ctx.require(microversions.RAID)
        _check_known(ctx, driver_name)
        return {name: item["description"] for name, item in raid.LOGICAL_DISK.items()}


class DriversController(Controller):
    """All drivers."""

    asks_first = True

    children: ClassVar = {
        "vendor_passthru": DriverVendorController(),
        "raid": DriverRaidController(),
    }

    @expose(
        policy="driver:get",
        query=_queries(**_FILTERS),
        type=arguments.string,
        detail=arguments.boolean,
        fields=arguments.string_list,
    )
    def get_all(
        self,
        ctx: Context,
        type: str | None = None,  # noqa: A002
        detail: bool | None = None,
        fields: list[str] | None = None,
    ) -> dict[str, Any]:
        """List drivers."""
        if fields and detail:
            raise errors.InvalidParameterValue(
                "Can not specify ?detail=True and fields in the same request."
            )
        if detail is not None or type is not None:
            ctx.require(microversions.DYNAMIC_DRIVERS, microversions.NAMED)
        _check_fields_allowed(ctx, fields)
        if type not in (None, "classic", "dynamic"):
            raise errors.Invalid(
                '"type" filter must be one of "classic" or "dynamic", if specified.'
            )
        found = {} if type == "classic" else conductors.hosts_by_driver(ctx.session)
        shown = [
            _show(ctx, name, hosts, fields, detail=bool(detail)) for name, hosts in found.items()
        ]
        return {"drivers": shown}

    @expose(policy="driver:get", query=_queries())
    def get_one(
        self, ctx: Context, driver_name: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a driver."""
        _check_fields_allowed(ctx, fields)
        hosts = conductors.hosts_by_driver(ctx.session).get(driver_name)
        if hosts is None:
            raise errors.NotFound(
                f"Could not find the following driver(s) or hardware type(s): {driver_name}."
            )
        return _show(ctx, driver_name, hosts, fields, detail=True)

    @expose(policy="driver:get_properties", action="GET")
    def properties(self, ctx: Context, driver_name: str, /) -> dict[str, Any]:
        """Describe the properties that a driver takes."""
        _check_known(ctx, driver_name)
        return registry.properties(ctx.session.settings, driver_name)


def _check_known(ctx: Context, driver_name: str) -> None:
    found = conductors.hosts_by_driver(ctx.session)
    if not found:
        raise errors.NotFound("No conductors registered.")
    if driver_name not in found:
        raise errors.NotFound(f"The driver '{driver_name}' is unknown.")


def _check_fields_allowed(ctx: Context, fields: list[str] | None) -> None:
    if fields is not None:
        ctx.require(microversions.DRIVER_FIELDS)


def _show(
    ctx: Context, name: str, hosts: list[str], fields: list[str] | None, *, detail: bool
) -> dict[str, Any]:
    settings = ctx.session.settings
    shown: dict[str, Any] = {
        "name": name,
        "hosts": hosts,
        "links": ctx.links("drivers", name),
    }
    if ctx.minor >= microversions.STATES_LINKS:
        shown["properties"] = ctx.links("drivers", f"{name}/properties")
    if ctx.minor >= microversions.DYNAMIC_DRIVERS:
        shown["type"] = "dynamic"
        for kind, since in _KINDS.items():
            if detail and ctx.minor >= since:
                shown[f"default_{kind}_interface"] = interfaces.default(settings, name, kind)
                shown[f"enabled_{kind}_interfaces"] = interfaces.enabled(settings, name, kind)
    shown = listing.only(shown, fields)
    listing.check_known(fields or (), shown)
    return shown
