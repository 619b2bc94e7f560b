"""``/v1/conductors``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import microversions
from fake_server.baremetal.api import list_query, listing, node_rendering
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.list_query import ListArgument, ListQuery
from fake_server.baremetal.api.routing import Controller
from fake_server.baremetal.arguments import fields_schema
from fake_server.baremetal.errors import InvalidParameterValue
from fake_server.baremetal.fields import times
from fake_server.baremetal.models import conductors
from fake_server.common.schemas import object_schema

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_FIELDS = ("alive", "conductor_group", "created_at", "drivers", "hostname", "links", "updated_at")
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

    since = microversions.CONDUCTORS
    asks_first = True

    @expose(
        policy="conductor:get",
        listed={
            **list_query.PAGE,
            "marker": ListArgument({"type": "string"}, _host),
            **list_query.chosen(_FIELDS),
        },
    )
    def get_all(self, ctx: Context, query: ListQuery) -> dict[str, Any]:
        """List conductors."""
        node_rendering.check_version(ctx, [query.sort_key])
        fields = query.choose_fields(ctx, _DEFAULT_FIELDS)
        page = query.page(partial(conductors.get, ctx.session), _UNSORTABLE)
        rows = conductors.fetch(ctx.session, page)
        return listing.answer(
            ctx, "conductors", rows, _show, page, fields, query.detail, key_field="hostname"
        )

    @expose(policy="conductor:get", query=object_schema(_FIELDS_QUERY), hostname=_host)
    def get_one(
        self, ctx: Context, hostname: str, fields: list[str] | None = None
    ) -> dict[str, Any]:
        """Show a conductor."""
        node_rendering.check_version(ctx, fields)
        return listing.chosen(_show(ctx, conductors.get(ctx.session, hostname)), fields)


def _show(ctx: Context, row: Record) -> dict[str, Any]:
    return {
        **times(row),
        "hostname": row["hostname"],
        "conductor_group": row["conductor_group"],
        "drivers": row["drivers"],
        "links": ctx.links("conductors", row["hostname"]),
        "alive": row["alive"],
    }
