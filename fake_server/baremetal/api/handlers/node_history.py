"""``/v1/nodes/{node}/history``: what happened to a node."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fake_server.baremetal import arguments, microversions
from fake_server.baremetal.api import listing
from fake_server.baremetal.api.endpoint import expose
from fake_server.baremetal.api.resources import NodeController
from fake_server.baremetal.fields import timestamp
from fake_server.baremetal.models import history

if TYPE_CHECKING:
    from fake_server.baremetal.api.context import Context
    from fake_server.db.store import Record

_BRIEF = ("uuid", "created_at", "severity", "event")
_DETAILED = (
    "uuid",
    "created_at",
    "severity",
    "event_type",
    "event",
    "conductor",
    "user",
    "project",
    "state",
    "target_provision_state",
    "duration_seconds",
)
_SINCE = {
    "project": microversions.HISTORY_PROJECT,
    "state": microversions.HISTORY_STATES,
    "target_provision_state": microversions.HISTORY_STATES,
    "duration_seconds": microversions.HISTORY_STATES,
}
_LONGEST = 255


class NodeHistoryController(NodeController):
    """The history of a node."""

    @expose(
        policy="node:history:get",
        detail=arguments.boolean,
        marker=arguments.uuid,
        limit=arguments.integer,
        sort_key=arguments.string,
        sort_dir=arguments.string,
    )
    def get_all(
        self,
        ctx: Context,
        detail: bool | None = False,
        marker: str | None = None,
        limit: int | None = None,
        sort_key: str = "created_at",
        sort_dir: str = "asc",
    ) -> dict[str, Any]:
        """List the entries."""
        node = self.node(ctx)
        start = history.get(ctx.session, marker) if marker else None
        page = replace(listing.page(limit, sort_key, sort_dir, ()), marker=start)
        entries = history.fetch(ctx.session, node, page)
        return listing.collection(
            ctx,
            "history",
            entries,
            [_show(ctx, node, entry, bool(detail)) for entry in entries],
            page.limit,
            f"nodes/{self.node_ident}/history",
            _DETAILED if detail else _BRIEF,
            # Ironic repeats where the page began, so this link can't be followed.
            marker=marker,
            sort_key=sort_key,
            sort_dir=sort_dir,
        )

    @expose(policy="node:history:get", event=arguments.uuid_or_name)
    def get_one(self, ctx: Context, event: str) -> dict[str, Any]:
        """Show an entry."""
        node = self.node(ctx)
        return _show(ctx, node, history.get(ctx.session, event), True)


def _show(ctx: Context, node: Record, entry: Record, detail: bool) -> dict[str, Any]:
    names = _DETAILED if detail else _BRIEF
    shown = {name: entry[name] for name in names if ctx.minor >= _SINCE.get(name, 1)}
    shown["created_at"] = timestamp(entry["created_at"])
    if not detail and len(entry["event"]) > _LONGEST:
        shown["event"] = f"{entry['event'][: _LONGEST - 4]}..."
    url = f"{ctx.base_url}/v1/nodes/{node['uuid']}/history/{entry['uuid']}"
    shown["links"] = [{"href": url, "rel": "self"}]
    return shown
