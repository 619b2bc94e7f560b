"""``/v1/conductors``."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from .. import arguments, listing, microversions, permissions
from ..errors import InvalidParameterValue
from ..handler import expose
from ..models import conductors
from ..routing import Controller
from ..schemas import DETAIL, SORT_DIRECTION, fields_schema, object_schema
from . import node_rendering

if TYPE_CHECKING:
    from ...store import Record
    from ..context import Context

_FIELDS = (
    "alive",
    "conductor_group",
    "created_at",
    "drivers",
    "hostname",
    "links",
    "updated_at",
)
_DEFAULT_FIELDS = ("hostname", "conductor_group", "alive")
_UNSORTABLE = ("alive", "drivers")
_FIELDS_QUERY = {"fields": fields_schema(_FIELDS)}


def _host(name: str, value: Any) -> Any:
    """Take the name or address of a host, which may have a port."""
    if not isinstance(value, str):
        return value
    try:
        host, port = _split(value)
        int(port)
    except ValueError as exc:
        raise InvalidParameterValue(f"{name}: {exc}") from None
    if not host:
        raise InvalidParameterValue(f"Missing host in {name}")
    return value


def _split(address: str) -> tuple[str, str]:
    """Return host and port; addresses of IPv6 are in brackets where there is a port."""
    if address.startswith("["):
        host, port = address[1:].split("]")
        return host, port.split(":")[1] if ":" in port else "0"
    host, _, port = address.partition(":") if address.count(":") == 1 else (address, "", "0")
    return host, port


class ConductorsController(Controller):
    """All conductors."""

    @expose(
        since=microversions.CONDUCTORS,
        query=object_schema(
            {
                "detail": DETAIL,
                **_FIELDS_QUERY,
                "limit": {"type": "integer"},
                "marker": {"type": "string"},
                "sort_dir": SORT_DIRECTION,
                "sort_key": {"type": "string"},
            }
        ),
        marker=_host,
        limit=arguments.integer,
        sort_key=arguments.string,
        sort_dir=arguments.string,
        fields=arguments.string_list,
        detail=arguments.boolean,
    )
    def get_all(
        self,
        ctx: Context,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str = "id",
        sort_dir: str = "asc",
        fields: list[str] | None = None,
        detail: bool | None = None,
    ) -> dict[str, Any]:
        """List conductors."""
        permissions.check(ctx, "baremetal:conductor:get")
        node_rendering.check_version(ctx, fields)
        node_rendering.check_version(ctx, [sort_key])
        fields = listing.choose_fields(ctx, fields, detail, _DEFAULT_FIELDS)
        page = listing.page(limit, sort_key, sort_dir, _UNSORTABLE)
        if marker:
            page = dataclasses.replace(page, marker=conductors.get(ctx.session, marker))
        rows = conductors.fetch(ctx.session, page)
        return listing.answer(
            ctx, "conductors", rows, _show, page, fields, detail, key_field="hostname"
        )

    @expose(
        since=microversions.CONDUCTORS,
        query=object_schema(_FIELDS_QUERY),
        hostname=_host,
        fields=arguments.string_list,
    )
    def get_one(
        self, ctx: Context, hostname: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a conductor."""
        permissions.check(ctx, "baremetal:conductor:get")
        node_rendering.check_version(ctx, fields)
        shown = _show(ctx, conductors.get(ctx.session, hostname))
        listing.check_known(fields or (), shown)
        return listing.only(shown, fields)


def _show(ctx: Context, row: Record) -> dict[str, Any]:
    return {
        "created_at": listing.timestamp(row["created_at"]),
        "updated_at": listing.timestamp(row["updated_at"]),
        "hostname": row["hostname"],
        "conductor_group": row["conductor_group"],
        "drivers": row["drivers"],
        "links": ctx.links("conductors", row["hostname"]),
        "alive": row["alive"],
    }
